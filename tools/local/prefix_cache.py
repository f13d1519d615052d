"""Cache computations of prompt prefixes.

Decisions of one run show the same rules and mostly the same evidence; a correction repeats the whole conversation.
The keys and values of a token (a few dozen kilobytes) depend only on the tokens before it, so that prompts with the
same beginning share them. The shared prefix of a batch is computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from backtrail.tools.embedders.torch_local import import_local

WORTH = 16
"""Minimum of tokens of a shared prefix: below, the bookkeeping costs what it saves (ours)."""
_ATTENDING = {"DynamicLayer", "DynamicSlidingWindowLayer"}


@dataclass(frozen=True)
class CachedPrefix:
    """A sequence of tokens with each layer's keys and values [1, heads, tokens, width]."""

    tokens: tuple[int, ...]
    layers: tuple[tuple[Any, Any], ...]

    def cut(self, length: int) -> CachedPrefix:
        """Return the first ``length`` tokens; shares memory."""
        layers = tuple((keys[:, :, :length], values[:, :, :length]) for keys, values in self.layers)
        return CachedPrefix(self.tokens[:length], layers)


@dataclass
class Prefixes:
    """The most recently used sequences.

    Args:
        most: maximum of tokens of all sequences together; 0 keeps none.
    """

    most: int
    _held: list[CachedPrefix] = field(default_factory=list[CachedPrefix])

    def longest(self, tokens: Sequence[int]) -> CachedPrefix | None:
        """Return the longest cached prefix of these tokens; None if it is shorter than ``WORTH``."""
        best, length = None, 0
        for held in self._held:
            if (common := common_length(held.tokens, tokens)) > length:
                best, length = held, common
        if best is None or length < WORTH:
            return None
        self._held.remove(best)  # move to the end: the least recently used is dropped first
        self._held.append(best)
        return best.cut(length)

    def keep(self, held: CachedPrefix) -> None:
        """Store a sequence and drop its prefixes, and the least recently used sequences beyond ``most``."""
        if not self.most:
            return
        held = held.cut(self.most)
        self._held = [one for one in self._held if held.tokens[: len(one.tokens)] != one.tokens]
        self._held.append(held)
        while sum(len(one.tokens) for one in self._held) > self.most:
            del self._held[0]


def common_length(one: Sequence[int], other: Sequence[int]) -> int:
    """Return the number of equal tokens at the beginning of two sequences."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def can_share(model: Any) -> bool:
    """Whether the keys and values of every layer can be cut at any token, unlike recurrent states."""
    if model.config.is_encoder_decoder:
        return False
    layers = import_local("transformers").DynamicCache(config=model.config).layers
    return bool(layers) and {type(layer).__name__ for layer in layers} <= _ATTENDING


def has_windows(model: Any) -> bool:
    """Whether some layer attends only to a window of the last tokens."""
    layers = import_local("transformers").DynamicCache(config=model.config).layers
    return any(layer.is_sliding for layer in layers)


def filled_cache(held: CachedPrefix | None, rows: int) -> Any:
    """Return a cache that begins with a stored sequence, for this number of rows.

    Its layers keep every token, even if the model attends only to a window (its mask ensures that): a window that has
    moved on could not be cut back to the end of the next prompt's prefix.
    """
    cache = import_local("transformers").DynamicCache()
    for number, (keys, values) in enumerate(held.layers if held else ()):
        cache.update(keys.expand(rows, -1, -1, -1), values.expand(rows, -1, -1, -1), number)
    return cache


def computed(cache: Any, row: int, places: Any, tokens: Sequence[int]) -> CachedPrefix:
    """Extract a row's keys and values from a cache, at the positions of its tokens."""
    layers = tuple(
        (layer.keys[row : row + 1, :, places], layer.values[row : row + 1, :, places]) for layer in cache.layers
    )
    return CachedPrefix(tuple(tokens), layers)
