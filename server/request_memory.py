"""Limits on the memory that request bodies use.

A request of 16 MiB of empty lists becomes half a gigabyte of objects. Values are therefore counted before parsing:
they cost many times their bytes, text costs little more than its own. Nesting is bounded too, because later readers
and writers of JSON recurse.
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
"""Seconds after which most requests are answered (ours)."""

_SEPARATORS = (b",", b"[", b"{")
"""Characters that occur once per value except the last."""
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class TooBusy(Exception):
    """The requests in this process use all memory allowed."""

    def response(self) -> JSONResponse:
        """Return the refusal in the server's format."""
        message = "This server is busy with large requests and ignored this one. Try again soon."
        return JSONResponse({"detail": message}, BUSY, headers={"Retry-After": str(RETRY_AFTER)})


class MemoryCounter:
    """Counter of request bytes in one process. Needs no lock, because there is one event loop."""

    def __init__(self) -> None:
        self.bytes = 0

    @contextmanager
    def one(self) -> Iterator[RequestMemory]:
        """Count a request from its first byte until it is answered."""
        holding = RequestMemory(self)
        try:
            yield holding
        finally:
            self.bytes -= holding.bytes


class RequestMemory:
    """Counter of the bytes of one request."""

    def __init__(self, all_of_them: MemoryCounter) -> None:
        self._all, self.bytes = all_of_them, 0

    def add(self, size: int) -> None:
        """Add bytes.

        Raises:
            TooBusy: all requests together exceed the limit.
        """
        if self._all.bytes + size > limits().requests_in_memory:
            raise TooBusy
        self._all.bytes += size
        self.bytes += size

    def drop(self) -> None:
        """Release all bytes."""
        self._all.bytes -= self.bytes
        self.bytes = 0


MEMORY = MemoryCounter()


def check_json(body: bytes) -> None:
    """Refuse a JSON body with too many values, or nested too deeply. CPU work for large bodies.

    Raises:
        InputRefused: over a limit, which the message names.
    """
    most = limits().values
    if _separators(body) > most and _values(body, most) > most:
        raise InputRefused(
            f"The request has more than {most:,} values. Send less at once. The host of this server can raise "
            f"{VARIABLE}VALUES."
        )
    if _opening(body) > DEEPEST and _depth(body, DEEPEST) > DEEPEST:
        raise InputRefused(f"The request is invalid: {too_deep()}.")


def is_small(body: bytes) -> bool:
    """Return whether a body is so small that ``check_json`` accepts it quickly."""
    return len(body) <= limits().values and _opening(body) <= DEEPEST


def _separators(text: bytes) -> int:
    return sum(text.count(one) for one in _SEPARATORS)


def _opening(text: bytes) -> int:
    return text.count(b"[") + text.count(b"{")


def _values(body: bytes, most: int) -> int:
    """Count values outside strings, which may contain separators; stops when the result is clear."""
    bare = _unescaped(body)
    if (texts := bare.count(b'"') // 2) > 2 * most:  # a key and a value each
        return texts
    return sum(_separators(part) for part in bare.split(b'"')[::2])


def _depth(body: bytes, enough: int) -> int:
    """Return the nesting depth outside strings; stops beyond ``enough``."""
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
    """Remove escapes, so that every quotation mark begins or ends a string."""
    return body.replace(b"\\\\", b"").replace(b'\\"', b"")
