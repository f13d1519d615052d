"""Drawing a balanced set: never more than asked for, the same each time, and little changed by more of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.training.annotate.balance import PAPER_COUNTS, balanced
from backtrail.training.annotate.classes import PATH_CLASSES, PathClass
from backtrail.training.errors import SampleError


@dataclass(frozen=True)
class Found:
    id: str
    label: PathClass | None


FOUND = st.lists(
    st.builds(Found, st.text(max_size=6), st.sampled_from([*PATH_CLASSES, None])), unique_by=lambda one: one.id
)
COUNTS = st.fixed_dictionaries({label: st.integers(0, 4) for label in PATH_CLASSES})


def draw(found: list[Found], counts: dict[PathClass, int], seed: int) -> list[Found]:
    """What is drawn; nothing where a class is empty."""
    try:
        return balanced(found, counts, seed)
    except SampleError:
        held = {one.label for one in found}
        assert not any(counts.values()) or any(counts[label] and label not in held for label in PATH_CLASSES)
        return []


@given(FOUND, COUNTS, COUNTS, st.integers(0, 9), st.data())
def test_as_many_of_each_class_as_there_are(found: list[Found], counts: Any, more: Any, seed: int, data: Any) -> None:
    drawn = draw(found, counts, seed)
    assert len({one.id for one in drawn}) == len(drawn)
    assert set(drawn) <= {one for one in found if one.label}
    for label in PATH_CLASSES if drawn else ():
        held = sum(one.label == label for one in found)
        assert sum(one.label == label for one in drawn) == min(held, counts[label])
    assert draw(data.draw(st.permutations(found)), counts, seed) == drawn
    most = draw(found, {label: counts[label] + more[label] for label in PATH_CLASSES}, seed)
    assert not most or set(drawn) <= set(most)


def test_an_empty_class_is_named() -> None:
    with pytest.raises(SampleError, match=r"class c2 .*c1: 1, c2: 0.*--count c2=0"):
        balanced([Found("a", "c1")], PAPER_COUNTS, 1)
    with pytest.raises(SampleError, match="nothing to export"):
        balanced([Found("a", "c1")], dict.fromkeys(PATH_CLASSES, 0), 1)
