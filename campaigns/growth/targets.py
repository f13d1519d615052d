"""What is measured: a name, and for a number of characters (or rows) the call that reads so many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from campaigns.growth.exponents import SIZES, Call, Growth, growth, limited

BASES = (1_000, 850)
"""Lengths of the shortest text. Where a text ends decides which way some rules take, and a short way beside a long one
looks like growth: only what grows too fast from both is reported."""


@dataclass(frozen=True)
class Target:
    """Something that reads a text; ``base`` scales the lengths for what is measured in rows or needs longer ones."""

    name: str
    of_length: Callable[[int], Call]
    scale: float = 1.0

    def measured(self) -> Growth:
        """The smallest growth from the lengths in ``BASES``."""
        found: Growth | None = None
        for base in BASES:
            start = int(base * self.scale)
            now = limited(lambda start=start: growth([self.of_length(start * size) for size in SIZES]))
            found = now if found is None or now.exponent < found.exponent else found
            if found.fast_enough:
                break
        assert found is not None
        return found
