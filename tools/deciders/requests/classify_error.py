"""Classify errors of client libraries.

By attributes (status, headers), not by classes, so that no client of a provider has to be imported.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from backtrail.tools.errors import ModelError, ModelRefused, ModelRejected, ModelUnavailable

_TRANSIENT_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_LONGEST_MESSAGE = 600
_KEYS = re.compile(r"\b(?:sk|pk|rk|xai|gsk)-[A-Za-z0-9_*-]{6,}|Bearer\s+\S+|\bhf_[A-Za-z0-9]{8,}")
_PREFIX = re.compile(r"^Error code: \d+ - ")  # OpenAI's client; the status is shown anyway
_ADVICE = {
    400: "The model does not accept the request; if the prompt is too long, use a smaller k or shortlist.",
    401: "Check the API key (OPENAI_API_KEY or its provider's; for models named with an address BACKTRAIL_API_KEY, and "
    "on a server of Backtrail's own the address in BACKTRAIL_API_URL).",
    402: "The account has no credit left.",
    403: "The key may not use this model, or not from here.",
    404: "Check the model's name and the base URL (OPENAI_BASE_URL; for compatible servers it mostly ends in /v1).",
    413: "The request is too large; use a smaller k, a smaller shortlist or fewer pictures.",
}

# Parts of the class names, or base class names, of lost connections in openai, httpx and aiohttp.
_LOST = ("Timeout", "Connection", "TransportError", "PayloadError")

Kind = Literal["unavailable", "rejected", "refused"]


@dataclass(frozen=True)
class RequestTrouble:
    """A failed request: the kind of failure, the server's message, and its Retry-After in seconds."""

    kind: Kind
    message: str
    status: int | None = None
    retry_after: float | None = None

    @property
    def transient(self) -> bool:
        """Whether the same request may succeed later."""
        return self.kind == "unavailable"

    def error(self, model: str) -> ModelError:
        """Return the error for the operator."""
        detail = (f"HTTP {self.status}: {self.message}" if self.status else self.message).rstrip(".") + "."
        if self.kind == "refused":
            return ModelRefused(f"{model} declined to answer: {detail}")
        if self.kind == "unavailable":
            return ModelUnavailable(f"{model} was unavailable at every try. Last error: {detail} Try again later.")
        advice = _ADVICE.get(self.status or 400, _ADVICE[400])
        rejected = ModelRejected(f"{model} rejected the request. {detail} {advice}")
        rejected.status = self.status
        return rejected


def request_trouble(error: BaseException, secrets: tuple[str, ...] = ()) -> RequestTrouble | None:
    """Classify an exception; None if the server did not cause it."""
    chain = _chain(error)
    message = redact(_message(chain), secrets)
    for one in chain:
        status = _status_of(one)
        if isinstance(status, int):
            return _from_status(status, message, one)
        body = one.args[0] if isinstance(one, ValueError) and one.args else None
        if isinstance(body, Mapping):  # an error inside a reply with status 200, as some proxies send
            code = body.get("code")
            return _from_status(code if isinstance(code, int) else 502, message, one)
    if any(_lost_connection(one) for one in chain):
        return RequestTrouble("unavailable", message)
    if isinstance(error, ValueError | KeyError | TypeError | IndexError | AttributeError):
        return RequestTrouble("rejected", f"The server's reply is not a chat completion ({message}).")
    return None


def _status_of(error: BaseException) -> int | None:
    """Return the HTTP status of a client's error: of OpenAI, Anthropic, Ollama and others; of Google; of AWS."""
    response: Any = getattr(error, "response", None)
    of_aws = response.get("ResponseMetadata", {}).get("HTTPStatusCode") if isinstance(response, Mapping) else None
    found = [getattr(error, "status_code", None), getattr(error, "code", None), of_aws]
    return next((one for one in found if isinstance(one, int) and 100 <= one <= 599), None)


def redact(text: str, secrets: tuple[str, ...] = ()) -> str:
    """Remove API keys from a text: the known ones, and everything that looks like one."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "[key]")
    return _KEYS.sub("[key]", text)[:_LONGEST_MESSAGE]


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait by a server's headers, which give milliseconds, seconds or a date."""
    try:
        if (milliseconds := headers.get("retry-after-ms")) is not None:
            return max(0.0, float(milliseconds) / 1000)
        if (seconds := headers.get("retry-after")) is None:
            return None
        try:
            return max(0.0, float(seconds))
        except ValueError:
            return max(0.0, parsedate_to_datetime(seconds).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def _from_status(status: int, message: str, error: BaseException) -> RequestTrouble:
    code = str(getattr(error, "code", None) or "")
    if code == "content_filter":
        return RequestTrouble("refused", message, status)
    if status == 429 and code == "insufficient_quota":  # waiting does not help against an empty account
        return RequestTrouble("rejected", message, 402)
    response: Any = getattr(error, "response", None)
    headers = getattr(response, "headers", None)
    wait = retry_after(headers) if headers is not None else None
    # Some servers send 500 for unsupported features (pictures, grammars): retrying cannot help.
    unable = status == 501 or (status == 500 and "not support" in message.casefold())
    transient = (status in _TRANSIENT_STATUS or status >= 500) and not unable
    return RequestTrouble("unavailable" if transient else "rejected", message, status, wait)


def _chain(error: BaseException) -> list[BaseException]:
    # A library may warn while it handles an error; if warnings are errors, the warning hides the cause.
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain and len(chain) < 10:
        chain.append(current)
        current = current.__cause__ or current.__context__
    return chain


def _message(chain: list[BaseException]) -> str:
    shown = next((one for one in chain if _status_of(one)), chain[0])
    text = " ".join(str(shown).split())
    return _PREFIX.sub("", text) or type(shown).__name__


def _lost_connection(error: BaseException) -> bool:
    if isinstance(error, OSError | TimeoutError):
        return True
    return any(mark in kind.__name__ for kind in type(error).__mro__ for mark in _LOST)
