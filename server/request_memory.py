"""Bound the memory that request bodies use.

A request of 16 MiB that holds nothing but empty lists becomes half a gigabyte of them. What is parsed is therefore
counted first: values cost many times their bytes, text costs little more than its own. Nesting is bounded too, as what
reads, stores and writes JSON after us recurses.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from starlette.responses import JSONResponse

from backtrail.state.errors import InputRefused
from backtrail.state.limits import VARIABLE, limits
from backtrail.tools.untrusted_values import DEEPEST, too_deep

BUSY = 503
RETRY_AFTER = 2
"""Seconds (ours): most requests are answered by then."""

_SEPARATORS = (b",", b"[", b"{")
"""One of them goes with every value but the last."""
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class TooBusy(Exception):
    """This process holds as much of its clients' requests as it may."""

    def response(self) -> JSONResponse:
        """The refusal, in the form of the server's own."""
        said = "This server holds as many large requests as it can; nothing of this one was used. Try again soon."
        return JSONResponse({"detail": said}, BUSY, headers={"Retry-After": str(RETRY_AFTER)})


class Held:
    """The bytes of requests in one process. One event loop: no lock."""

    def __init__(self) -> None:
        self.bytes = 0

    @contextmanager
    def one(self) -> Iterator[RequestMemory]:
        """A request, from its first byte until it is answered."""
        holding = RequestMemory(self)
        try:
            yield holding
        finally:
            self.bytes -= holding.bytes


class RequestMemory:
    """What is held of one request."""

    def __init__(self, all_of_them: Held) -> None:
        self._all, self.bytes = all_of_them, 0

    def add(self, size: int) -> None:
        """Hold so many bytes more.

        Raises:
            TooBusy: together with all others they are too many.
        """
        if self._all.bytes + size > limits().held:
            raise TooBusy
        self._all.bytes += size
        self.bytes += size

    def drop(self) -> None:
        """What was held is let go."""
        self._all.bytes -= self.bytes
        self.bytes = 0


HELD = Held()


def check_json(body: bytes) -> None:
    """Refuse a JSON body with too many values, or nested too deeply. CPU work for large bodies.

    Raises:
        InputRefused: names the limit.
    """
    most = limits().values
    if _separators(body) > most and _values(body, most) > most:
        raise InputRefused(
            f"The request holds more than {most:,} values. Send less at once. Whoever hosts this server may raise "
            f"{VARIABLE}VALUES."
        )
    if _opening(body) > DEEPEST and _depth(body, DEEPEST) > DEEPEST:
        raise InputRefused(f"The request cannot be used: {too_deep()}.")


def is_small(body: bytes) -> bool:
    """Whether a body is too small for ``check_json`` to refuse, or to take long over."""
    return len(body) <= limits().values and _opening(body) <= DEEPEST


def _separators(text: bytes) -> int:
    return sum(text.count(one) for one in _SEPARATORS)


def _opening(text: bytes) -> int:
    return text.count(b"[") + text.count(b"{")


def _values(body: bytes, most: int) -> int:
    """Values outside of texts, which may hold separators of their own; counting ends where it is clear."""
    bare = _unescaped(body)
    if (texts := bare.count(b'"') // 2) > 2 * most:  # a key and a value each
        return texts
    return sum(_separators(part) for part in bare.split(b'"')[::2])


def _depth(body: bytes, enough: int) -> int:
    """Lists and objects that are open at the same time, outside of texts; counting ends beyond ``enough``."""
    deepest = depth = 0
    for part in _unescaped(body).split(b'"')[::2]:
        for one in part.translate(None, _NO_BRACKETS):
            depth += 1 if one in b"[{" else -1
            if depth > deepest:
                deepest = depth
                if deepest > enough:
                    return deepest
    return deepest


def _unescaped(body: bytes) -> bytes:
    """A body in which every quotation mark begins or ends a text."""
    return body.replace(b"\\\\", b"").replace(b'\\"', b"")
