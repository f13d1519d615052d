"""How checkpoints are written: plain values only, compressed.

A run's memory is rewritten at every step and most of it is text that repeats itself: the same titles, ids and
reasons in hops, evidence and messages. Compressed it takes about three tenths of the room (FiF over OTT-QA).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from backtrail.tools.errors import CheckpointUnreadable

COMPRESSED = "+zlib"
"""Ends the type of a compressed value; values without it were written before, or are small."""

WORTH_IT = 1_024
"""Bytes from which a value is compressed (ours): below, the gain is less than the page it is stored in."""

LEVEL = 1
"""The fastest: level 6 takes half as long again for 7 % less room (measured on runs of FiF over OTT-QA)."""

LARGEST = 256 * 1024 * 1024
"""Bytes of one value. A checkpoint file may have been copied from elsewhere, and small ones can swell without end."""


class PlainValues(JsonPlusSerializer):
    """A serializer that no graph can widen: state holds plain values and messages, so none needs a class of ours.

    Widening makes a copy of the saver, and the adapter in which the LangGraph server wraps ours cannot be copied:
    with strict serialization every graph with subgraphs would end in a RecursionError there.
    """

    def with_msgpack_allowlist(self, extra_allowlist: Iterable[tuple[str, ...] | type]) -> JsonPlusSerializer:
        """Itself, whatever a graph's schemas name."""
        return self

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Type and bytes of a value, compressed when it is not small."""
        kind, content = super().dumps_typed(obj)
        if len(content) < WORTH_IT:
            return kind, content
        return kind + COMPRESSED, zlib.compress(content, LEVEL)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """The value again, whether it was compressed or not.

        Raises:
            CheckpointUnreadable: the bytes are damaged, or would swell beyond ``LARGEST``.
        """
        kind, content = data
        if not kind.endswith(COMPRESSED):
            return super().loads_typed(data)
        return super().loads_typed((kind.removesuffix(COMPRESSED), _decompressed(content)))


def _decompressed(content: bytes) -> bytes:
    reader = zlib.decompressobj()
    try:
        whole = reader.decompress(content, LARGEST)
    except zlib.error as error:
        raise CheckpointUnreadable(f"A checkpoint of {len(content)} bytes is damaged ({error}).") from error
    if reader.unconsumed_tail:
        raise CheckpointUnreadable(f"A checkpoint of {len(content)} bytes would swell beyond {LARGEST} bytes.")
    if not reader.eof:
        raise CheckpointUnreadable(f"A checkpoint of {len(content)} bytes is cut off.")
    return whole


def strict_serializer() -> JsonPlusSerializer:
    """Loads plain values and LangChain messages, and no class that a checkpoint happens to name.

    Strict whatever ``$LANGGRAPH_STRICT_MSGPACK`` says: a checkpoint file may have been copied from elsewhere.
    """
    return PlainValues(allowed_msgpack_modules=None)
