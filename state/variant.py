"""Variants: a method as its paper has it, and as it runs here by default.

``published`` makes the paper's calls with the paper's inputs, in its order, and retrieves and keeps evidence as it
does; ``ours`` is what measurements made of it. A method whose variants differ names the differences as a small frozen
record in ``state/<method>/variant.py``, with one value for each variant, and its nodes read them by
``of(settings.variant)``. A router sees no settings: it follows what a node wrote.
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
    """The differences of a method, as each variant has them."""

    published: D
    ours: D

    def of(self, variant: VariantName) -> D:
        """What holds in a run of that variant."""
        return self.published if variant == "published" else self.ours


def label(method: str, variant: VariantName) -> str:
    """A method with its variant in one word: ``fif``, ``fif:published``."""
    return method if variant == OURS else f"{method}:{variant}"


def from_label(text: str) -> tuple[str, VariantName | None]:
    """The method and the variant of a word such as ``fif:published``; None where it names no variant.

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
