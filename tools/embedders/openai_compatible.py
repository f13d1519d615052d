"""Embeddings over HTTP from OpenAI or a compatible server (vLLM, Ollama, LM Studio …)."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from pydantic import SecretStr

from backtrail.tools.deciders.requests.backoff import Backoff
from backtrail.tools.deciders.requests.classify_error import retry_after
from backtrail.tools.embedders.embed_unique import distinct_texts
from backtrail.tools.embedders.errors import (
    EmbedderAnswerInvalid,
    EmbedderError,
    EmbedderRejected,
    EmbedderUnavailable,
)
from backtrail.tools.embedders.normalise import normalise_rows
from backtrail.tools.embedders.protocol import Vectors
from backtrail.tools.embedders.shared_rate import Pace

OPENAI_HOST = "api.openai.com"
BATCH_TEXTS = 256  # OpenAI accepts 2,048 texts but at most 300,000 tokens per request
REQUESTS_AT_ONCE = 8
"""Concurrent requests to one server (ours). After a 429, fewer are sent, and none before its Retry-After."""

REQUESTS_VARIABLE = "BACKTRAIL_EMBEDDING_REQUESTS"
"""Environment variable that overrides it."""

_MOST_REQUESTS = 256
NO_KEY = "none"  # the client requires a key, most self-hosted servers do not


class OpenAICompatible:
    """An embedding model behind ``/v1/embeddings``. Implements ``Embedder`` and ``RemoteEmbedder``."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        dimensions: int | None = None,
        batch_texts: int = BATCH_TEXTS,
        requests_at_once: int | None = None,
        timeout_s: float = 60.0,
        retries: int = 2,
    ) -> None:
        """Prepare a client; nothing is sent yet.

        Args:
            base_url: None means OpenAI.
            api_key: required for OpenAI; other servers may need none.
            dimensions: shortened vectors, for models that support them.
            requests_at_once: None means the environment's value, else REQUESTS_AT_ONCE.

        Raises EmbedderRejected if OpenAI's key is missing, or the environment's number of requests is invalid.
        """
        self.texts_a_request, self.requests_at_once = batch_texts, requests_at_once or _requests_at_once()
        self._pace, self._patience = Pace(self.requests_at_once), Backoff(max_attempts=1 + retries)
        host = urlsplit(base_url).netloc if base_url else OPENAI_HOST
        if host == OPENAI_HOST and not api_key:
            raise EmbedderRejected(f"Model {model!r} at {host} needs a key: set OPENAI_API_KEY or pass api_key.")
        self._model, self._host, self._dimensions, self._batch = model, host, dimensions, batch_texts
        self._options: dict[str, Any] = {
            "model": model,
            "base_url": base_url,
            "api_key": SecretStr(api_key or NO_KEY),
            "dimensions": dimensions,
            "chunk_size": batch_texts,
            "timeout": timeout_s,
            "max_retries": 0,  # our retries share one rate
        }
        if host != OPENAI_HOST:
            # Other servers expect strings, not token ids of OpenAI's tokenizer.
            self._options |= {"check_embedding_ctx_length": False}
        self._plain = False
        self.fingerprint = f"openai:{host}:{model}:{dimensions or 'native'}"

    @property
    def dimension(self) -> int:
        """Length of the vectors; if not given, found by embedding a short text once."""
        if self._dimensions is None:
            self._dimensions = self._request(["dimension"]).shape[1]
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors [len(texts), dimension], rows L2-normalised, in input order.

        Raises EmbedderUnavailable (worth another try), EmbedderRejected or EmbedderAnswerInvalid.
        """
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        distinct, positions = distinct_texts(texts)
        starts = range(0, len(distinct), self._batch)
        batches = [self._request(distinct[start : start + self._batch]) for start in starts]
        widths = {batch.shape[1] for batch in batches}
        if self._dimensions is None:
            self._dimensions = batches[0].shape[1]
        if widths != {self._dimensions}:
            raise EmbedderAnswerInvalid(
                f"Model {self._model!r} at {self._host} gave vectors of length {sorted(widths)}, "
                f"{self._dimensions} was expected; check the model's name and 'dimensions'."
            )
        return np.concatenate(batches)[positions]

    def _request(self, texts: Sequence[str]) -> Vectors:
        # OpenAI answers 400 to an empty string; send a space instead.
        sent = [text if text.strip() else " " for text in texts]
        failures = 0
        while True:
            with self._pace.turn() as began:
                try:
                    rows = self._embed_sent(sent)
                except Exception as error:
                    failures += 1
                    failure = _typed(error, self._model, self._host)
                    wait = self._patience.wait(failures, _retry_after(error))
                    if isinstance(failure, EmbedderUnavailable) and failure.overrun:
                        self._pace.refused(began, wait)
                        wait = 0.0
                    if not isinstance(failure, EmbedderUnavailable) or failures >= self._patience.max_attempts:
                        raise failure from error
                else:
                    self._pace.answered()
                    return normalise_rows(self._checked(rows, len(sent)))
            time.sleep(wait)

    def _checked(self, rows: Any, count: int) -> Vectors:
        """Check that a server's reply has one vector of finite numbers per text."""
        try:
            with np.errstate(over="ignore"):  # too large numbers become infinite, and are refused below
                vectors = np.asarray(rows, dtype=np.float32)
        except (TypeError, ValueError, OverflowError):
            vectors = np.empty(0, dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != count or not vectors.size:
            given = len(rows) if isinstance(rows, list) else "no"
            raise EmbedderAnswerInvalid(
                f"Model {self._model!r} at {self._host} gave {given} vectors for {count} texts, or vectors that are "
                "empty, of several lengths or not of numbers; is it an embedding model?"
            )
        if not np.isfinite(vectors).all():
            raise EmbedderAnswerInvalid(
                f"Model {self._model!r} at {self._host} gave vectors with numbers that are not finite, as models do "
                "whose half precision overflows; serve it in bfloat16 or float32."
            )
        return vectors

    def _embed_sent(self, sent: list[str]) -> list[list[float]]:
        """Request vectors in base64, a quarter of the bytes; fall back to numbers if the server rejects that."""
        import openai

        if self._plain:
            return self._in_numbers.embed_documents(sent)
        try:
            return self._client.embed_documents(sent)
        except (openai.BadRequestError, openai.UnprocessableEntityError):
            if self._host == OPENAI_HOST:
                raise
            rows = self._in_numbers.embed_documents(sent)  # fails again if base64 was not the reason
            self._plain = True
            return rows

    @cached_property
    def _client(self) -> Any:
        # Imported here: it takes a second.
        from langchain_openai import OpenAIEmbeddings

        return OpenAIEmbeddings(**self._options)

    @cached_property
    def _in_numbers(self) -> Any:
        from langchain_openai import OpenAIEmbeddings

        return OpenAIEmbeddings(**self._options, model_kwargs={"encoding_format": "float"})


def _requests_at_once() -> int:
    given = os.environ.get(REQUESTS_VARIABLE, "").strip()
    if given and (not given.isdecimal() or not 0 < int(given) <= _MOST_REQUESTS):
        raise EmbedderRejected(f"{REQUESTS_VARIABLE} is {given!r}; give a whole number from 1 to {_MOST_REQUESTS}.")
    return int(given) if given else REQUESTS_AT_ONCE


def _retry_after(error: Exception) -> float | None:
    response = getattr(error, "response", None)
    return None if response is None else retry_after(response.headers)


def _typed(error: Exception, model: str, host: str) -> EmbedderError:
    """Convert an error of the client; unknown ones mean that it could not read the answer."""
    import openai

    where = f"Model {model!r} at {host}"
    if isinstance(error, openai.APIConnectionError):
        return EmbedderUnavailable(f"{where} could not be reached ({error}); check the base URL and the server.")
    if isinstance(error, openai.APIStatusError):
        spent = getattr(error, "code", None) == "insufficient_quota"
        if not spent and (error.status_code in (408, 409, 429) or error.status_code >= 500):
            failure = EmbedderUnavailable(f"{where} answered {error.status_code} ({error}); try again later.")
            failure.overrun = error.status_code == 429 or (error.status_code == 503 and _retry_after(error) is not None)
            return failure
        return EmbedderRejected(f"{where} rejected the request with {error.status_code} ({error}).")
    return EmbedderAnswerInvalid(f"{where} gave an answer that is not one of /v1/embeddings: {error!r}")
