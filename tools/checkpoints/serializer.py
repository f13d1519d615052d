"""Serializer of checkpoints: plain values only, compressed.

The state is rewritten at every step, and most of it is repeated text: the same titles, ids and reasons in hops,
evidence and messages. Compression reduces it to about 30 % (FiF over OTT-QA).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from backtrail.tools.errors import CheckpointUnreadable

COMPRESSED = "+zlib"
"""Suffix of a compressed value's type; older or small values do not have it."""

WORTH_IT = 1_024
"""Bytes from which a value is compressed (ours); below, the gain is less than a page of the store."""

LEVEL = 1
"""The fastest level: level 6 takes 50 % longer and saves 7 % (measured on runs of FiF over OTT-QA)."""

LARGEST = 256 * 1024 * 1024
"""Bytes of one decompressed value: a checkpoint file of unknown origin may contain a decompression bomb."""


class PlainValues(JsonPlusSerializer):
    """A serializer with a fixed allowlist: plain values and messages, which is all that state contains.

    Extending the allowlist copies the saver, and the LangGraph server's adapter around ours cannot be copied: with
    strict serialization every graph with subgraphs would raise a RecursionError.
    """

    def with_msgpack_allowlist(self, extra_allowlist: Iterable[tuple[str, ...] | type]) -> JsonPlusSerializer:
        """Itself: the allowlist is fixed."""
        return self

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Type and bytes of a value, compressed from ``WORTH_IT`` bytes on."""
        kind, content = super().dumps_typed(obj)
        if len(content) < WORTH_IT:
            return kind, content
        return kind + COMPRESSED, zlib.compress(content, LEVEL)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """The value of type and bytes, compressed or not.

        Raises:
            CheckpointUnreadable: the bytes are damaged, or decompress to more than ``LARGEST``.
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
        raise CheckpointUnreadable(f"A checkpoint of {len(content)} bytes decompresses to more than {LARGEST} bytes.")
    if not reader.eof:
        raise CheckpointUnreadable(f"A checkpoint of {len(content)} bytes is cut off.")
    return whole


def strict_serializer() -> JsonPlusSerializer:
    """Return the serializer that loads plain values and LangChain messages, and no other class.

    Strict regardless of ``$LANGGRAPH_STRICT_MSGPACK``: the origin of a checkpoint file is unknown.
    """
    return PlainValues(allowed_msgpack_modules=None)
