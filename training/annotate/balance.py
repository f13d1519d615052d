"""Draw a balanced set: so many questions of each class, the same ones whenever the seed is the same."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from backtrail.training.annotate.classes import PATH_CLASSES, PathClass
from backtrail.training.errors import SampleError

PAPER_COUNTS: Mapping[PathClass, int] = {"c1": 30_000, "c2": 30_000, "c3": 8_806, "c4": 30_000}
"""Table 1 of the paper; of class c3 (more visual information) there were no more."""


class Labelled(Protocol):
    """What can be drawn: an id that no other has, and a class."""

    @property
    def id(self) -> str:
        """The id."""
        ...

    @property
    def label(self) -> PathClass | None:
        """The class; None is never drawn."""
        ...


D = TypeVar("D", bound=Labelled)


def balanced(found: Sequence[D], counts: Mapping[PathClass, int], seed: int) -> list[D]:
    """At most so many of each class, mixed. A class with fewer gives all it has.

    Each one's place is decided by its id and the seed alone: more annotations or higher counts add to
    what was drawn before and hardly change it.

    Raises:
        SampleError: a class is asked for and has none, or nothing is asked for.
    """
    drawn: list[D] = []
    for label in PATH_CLASSES:
        held = [one for one in found if one.label == label]
        if counts.get(label, 0) > 0 and not held:
            having = ", ".join(f"{one}: {sum(1 for it in found if it.label == one)}" for one in PATH_CLASSES)
            raise SampleError(
                f"Class {label} is asked for and no question was annotated with it ({having}). Annotate more "
                f"questions, or leave it out with --count {label}=0."
            )
        drawn += sorted(held, key=lambda one: place_of(one.id, seed))[: counts.get(label, 0)]
    if not drawn:
        raise SampleError("All classes are asked for with 0 questions: there is nothing to export.")
    return sorted(drawn, key=lambda one: place_of(f"mixed:{one.id}", seed))


def place_of(name: str, seed: int) -> str:
    """A name's place in an order that looks drawn by lot and is the same each time."""
    return hashlib.sha256(f"{seed}:{name}".encode("utf-8", "surrogatepass")).hexdigest()
