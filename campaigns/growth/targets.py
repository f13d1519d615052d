"""Target of a measurement: a name, and a function from a number of characters (or rows) to a call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from campaigns.growth.exponents import SIZES, Call, Growth, growth, limited

BASES = (1_000, 850)
"""Lengths of the shortest text. The end of a text can decide the path of a rule, and a short path followed by a long
one looks like growth: only targets that grow too fast from both are reported."""


@dataclass(frozen=True)
class Target:
    """Code that reads a text; ``base`` scales the lengths for rows, or where longer texts are needed."""

    name: str
    of_length: Callable[[int], Call]
    scale: float = 1.0

    def measured(self) -> Growth:
        """Return the smallest growth from the lengths in ``BASES``."""
        found: Growth | None = None
        for base in BASES:
            start = int(base * self.scale)
            now = limited(lambda start=start: growth([self.of_length(start * size) for size in SIZES]))
            found = now if found is None or now.exponent < found.exponent else found
            if found.fast_enough:
                break
        assert found is not None
        return found
