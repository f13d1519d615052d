"""Embeddings over HTTP from OpenAI or any server that speaks its protocol (vLLM, Ollama, LM Studio …)."""

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
BATCH_TEXTS = 256  # OpenAI takes 2,048 texts but also at most 300,000 tokens a request
REQUESTS_AT_ONCE = 8
"""Asked of one server at once; ours. One that is overrun says so (429); then fewer are sent, none before it is time."""

REQUESTS_VARIABLE = "BACKTRAIL_EMBEDDING_REQUESTS"
"""Environment variable that sets it otherwise."""

_MOST_REQUESTS = 256
NO_KEY = "none"  # servers of one's own mostly ask for no key, the client insists on one


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
            base_url: None is OpenAI itself.
            api_key: needed for OpenAI; other servers may do without.
            dimensions: shortened vectors, for models that offer them.
            requests_at_once: None takes the environment's, else REQUESTS_AT_ONCE.

        Raises EmbedderRejected when OpenAI is asked for without a key, or for a number of requests that is none.
        """
        self.texts_a_request, self.requests_at_once = batch_texts, requests_at_once or _requests_at_once()
        self._pace, self._patience = Pace(self.requests_at_once), Backoff(tries=1 + retries)
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
            "max_retries": 0,  # ours know of each other
        }
        if host != OPENAI_HOST:
            # Other servers want strings, not the token ids of OpenAI's tokenizer.
            self._options |= {"check_embedding_ctx_length": False}
        self._plain = False
        self.fingerprint = f"openai:{host}:{model}:{dimensions or 'native'}"

    @property
    def dimension(self) -> int:
        """Length of the vectors; when it was not given, the server is asked once with a short text."""
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
        # OpenAI answers 400 to an empty string; a space stands for it.
        sent = [text if text.strip() else " " for text in texts]
        failures = 0
        while True:
            with self._pace.turn() as began:
                try:
                    rows = self._asked(sent)
                except Exception as error:
                    failures += 1
                    failure, wait = _typed(error, self._model, self._host), self._patience.wait(failures, _told(error))
                    if isinstance(failure, EmbedderUnavailable) and failure.overrun:
                        self._pace.refused(began, wait)
                        wait = 0.0
                    if not isinstance(failure, EmbedderUnavailable) or failures >= self._patience.tries:
                        raise failure from error
                else:
                    self._pace.answered()
                    return normalise_rows(self._looked_at(rows, len(sent)))
            time.sleep(wait)

    def _looked_at(self, rows: Any, count: int) -> Vectors:
        """What a server gave, as vectors of finite numbers, one for each text."""
        try:
            with np.errstate(over="ignore"):  # what is too large is infinite, and refused as that
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

    def _asked(self, sent: list[str]) -> list[list[float]]:
        """Vectors in base64, a quarter of the bytes, if the server has them; one that ignores that sends numbers."""
        import openai

        if self._plain:
            return self._in_numbers.embed_documents(sent)
        try:
            return self._client.embed_documents(sent)
        except (openai.BadRequestError, openai.UnprocessableEntityError):
            if self._host == OPENAI_HOST:
                raise
            rows = self._in_numbers.embed_documents(sent)  # refused again where it was not for the base64
            self._plain = True
            return rows

    @cached_property
    def _client(self) -> Any:
        # Imported here: it takes a second, and an import of Backtrail must not.
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


def _told(error: Exception) -> float | None:
    """Seconds that the server asks to wait."""
    response = getattr(error, "response", None)
    return None if response is None else retry_after(response.headers)


def _typed(error: Exception, model: str, host: str) -> EmbedderError:
    """Our error for one of the client's; anything else it raises is an answer it could not read."""
    import openai

    where = f"Model {model!r} at {host}"
    if isinstance(error, openai.APIConnectionError):
        return EmbedderUnavailable(f"{where} could not be reached ({error}); check the base URL and the server.")
    if isinstance(error, openai.APIStatusError):
        spent = getattr(error, "code", None) == "insufficient_quota"
        if not spent and (error.status_code in (408, 409, 429) or error.status_code >= 500):
            failure = EmbedderUnavailable(f"{where} answered {error.status_code} ({error}); try again later.")
            failure.overrun = error.status_code == 429 or (error.status_code == 503 and _told(error) is not None)
            return failure
        return EmbedderRejected(f"{where} rejected the request with {error.status_code} ({error}).")
    return EmbedderAnswerInvalid(f"{where} gave an answer that is not one of /v1/embeddings: {error!r}")
