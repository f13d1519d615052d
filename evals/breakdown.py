"""Group questions by a tag, such as their type, modality or number of sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from backtrail.evals.questions import Question

T = TypeVar("T")


def grouped(items: Sequence[T], tag: str, question_of: Callable[[T], Question]) -> dict[str, list[T]]:
    """Group items by the value of a tag: numbers first, in numeric order, then words, sorted.

    A question whose tag is a list counts under each of its values; one without the tag is left out.
    """
    groups: dict[str, list[T]] = {}
    for item in items:
        for value in _values(question_of(item).tag(tag)):
            groups.setdefault(value, []).append(item)
    ordered = sorted(groups, key=lambda value: (not value.isdigit(), int(value) if value.isdigit() else 0, value))
    return {value: groups[value] for value in ordered}


def _values(tagged: object) -> list[str]:
    if tagged is None or tagged == "":
        return []
    return [str(value) for value in tagged] if isinstance(tagged, list) else [str(tagged)]
