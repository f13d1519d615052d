"""Cache computations of prompt prefixes.

Decisions of one run show the same rules and mostly the same evidence; a correction shows the whole conversation again.
What attention needs of each token (its keys and values, a few dozen kilobytes) depends on the tokens before it alone,
so it holds for every prompt that begins with the same tokens. Of a batch the shared beginning is computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from backtrail.tools.embedders.torch_local import import_local

WORTH = 16
"""Tokens from which a shared beginning is used: below, the bookkeeping costs what it saves (ours)."""
_ATTENDING = {"DynamicLayer", "DynamicSlidingWindowLayer"}


@dataclass(frozen=True)
class Held:
    """A sequence of tokens with what each layer computed for it: keys and values [1, heads, tokens, width]."""

    tokens: tuple[int, ...]
    layers: tuple[tuple[Any, Any], ...]

    def cut(self, length: int) -> Held:
        """Its beginning; shares memory with it."""
        layers = tuple((keys[:, :, :length], values[:, :, :length]) for keys, values in self.layers)
        return Held(self.tokens[:length], layers)


@dataclass
class Prefixes:
    """The sequences that were computed last.

    Args:
        most: most tokens kept, all sequences together; 0 keeps none.
    """

    most: int
    _held: list[Held] = field(default_factory=list[Held])

    def longest(self, tokens: Sequence[int]) -> Held | None:
        """The longest beginning of these tokens that is held; None where it is too short to be worth it."""
        best, length = None, 0
        for held in self._held:
            if (common := common_length(held.tokens, tokens)) > length:
                best, length = held, common
        if best is None or length < WORTH:
            return None
        self._held.remove(best)  # to the end: what was used last is dropped last
        self._held.append(best)
        return best.cut(length)

    def keep(self, held: Held) -> None:
        """Keep a sequence, in place of those that it goes on from; the ones not used for longest make room."""
        if not self.most:
            return
        held = held.cut(self.most)
        self._held = [one for one in self._held if held.tokens[: len(one.tokens)] != one.tokens]
        self._held.append(held)
        while sum(len(one.tokens) for one in self._held) > self.most:
            del self._held[0]


def common_length(one: Sequence[int], other: Sequence[int]) -> int:
    """With how many equal tokens two sequences begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def can_share(model: Any) -> bool:
    """Whether every layer attends to keys and values that can be cut at any token; recurrent states cannot be."""
    if model.config.is_encoder_decoder:
        return False
    layers = import_local("transformers").DynamicCache(config=model.config).layers
    return bool(layers) and {type(layer).__name__ for layer in layers} <= _ATTENDING


def has_windows(model: Any) -> bool:
    """Whether some layer attends to the last tokens only."""
    layers = import_local("transformers").DynamicCache(config=model.config).layers
    return any(layer.is_sliding for layer in layers)


def filled_cache(held: Held | None, rows: int) -> Any:
    """A cache that begins with a held sequence, for so many rows.

    Its layers keep every token, also where the model attends to a window only (its mask sees to that): a window that
    has moved on could not be cut back to where the next prompt turns off.
    """
    cache = import_local("transformers").DynamicCache()
    for number, (keys, values) in enumerate(held.layers if held else ()):
        cache.update(keys.expand(rows, -1, -1, -1), values.expand(rows, -1, -1, -1), number)
    return cache


def computed(cache: Any, row: int, places: Any, tokens: Sequence[int]) -> Held:
    """What a cache holds of a row at these places, which are those of its tokens."""
    layers = tuple(
        (layer.keys[row : row + 1, :, places], layer.values[row : row + 1, :, places]) for layer in cache.layers
    )
    return Held(tuple(tokens), layers)
