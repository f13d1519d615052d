"""Draw a balanced sample of each class, deterministic for a seed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from backtrail.training.annotate.classes import PATH_CLASSES, PathClass
from backtrail.training.errors import SampleError

PAPER_COUNTS: Mapping[PathClass, int] = {"c1": 30_000, "c2": 30_000, "c3": 8_806, "c4": 30_000}
"""Table 1 of the paper, which found no more of class c3 (more visual information)."""


class Labelled(Protocol):
    """An item to sample, with a unique id and a class."""

    @property
    def id(self) -> str:
        """The id."""
        ...

    @property
    def label(self) -> PathClass | None:
        """The class; items with None are never drawn."""
        ...


D = TypeVar("D", bound=Labelled)


def balanced(found: Sequence[D], counts: Mapping[PathClass, int], seed: int) -> list[D]:
    """Draw at most ``counts`` of each class, shuffled. A class with fewer gives all.

    The order depends only on ids and the seed: more annotations or higher counts add to an earlier sample and hardly
    change it.

    Raises:
        SampleError: a requested class has no items, or all counts are 0.
    """
    drawn: list[D] = []
    for label in PATH_CLASSES:
        own = [one for one in found if one.label == label]
        if counts.get(label, 0) > 0 and not own:
            sizes = ", ".join(f"{one}: {sum(1 for it in found if it.label == one)}" for one in PATH_CLASSES)
            raise SampleError(
                f"No question was annotated with class {label} ({sizes}). Annotate more questions, or leave the class "
                f"out with --count {label}=0."
            )
        drawn += sorted(own, key=lambda one: place_of(one.id, seed))[: counts.get(label, 0)]
    if not drawn:
        raise SampleError("The count of every class is 0: there is nothing to export.")
    return sorted(drawn, key=lambda one: place_of(f"mixed:{one.id}", seed))


def place_of(name: str, seed: int) -> str:
    """Return the sort key of a name in a pseudo-random order, deterministic for a seed."""
    return hashlib.sha256(f"{seed}:{name}".encode("utf-8", "surrogatepass")).hexdigest()
