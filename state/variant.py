"""Variants: a method as in its paper, and as it runs here by default.

``published`` makes the paper's calls with the paper's inputs, in its order, and retrieves and keeps evidence as it
does; ``ours`` is what measurements made of it. A method whose variants differ records the differences in a small frozen
dataclass in ``state/<method>/variant.py``, with one value for each variant; its nodes read them by
``of(settings.variant)``. Routers see no settings: they follow the state that a node wrote.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar, get_args

VariantName = Literal["ours", "published"]
OURS: VariantName = "ours"
VARIANTS: tuple[VariantName, ...] = get_args(VariantName)

D = TypeVar("D")


@dataclass(frozen=True)
class Variants(Generic[D]):
    """The differences of a method, with the values of each variant."""

    published: D
    ours: D

    def of(self, variant: VariantName) -> D:
        """Return the values of a variant."""
        return self.published if variant == "published" else self.ours


def label(method: str, variant: VariantName) -> str:
    """Return a method with its variant in one word: ``fif``, ``fif:published``."""
    return method if variant == OURS else f"{method}:{variant}"


def from_label(text: str) -> tuple[str, VariantName | None]:
    """Split a word such as ``fif:published`` into method and variant; None without a variant.

    Raises:
        ValueError: there is no such variant.
    """
    method, colon, named = text.partition(":")
    if not colon:
        return method, None
    for variant in VARIANTS:
        if named == variant:
            return method, variant
    raise ValueError(f"{text!r} names no variant of {method!r}; there are {' and '.join(VARIANTS)}.")
