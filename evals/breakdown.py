"""Scores of a method by a tag of the questions: by type, by modality, by how many sources are needed."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.summary import Summary, summarise

Pairs = Sequence[tuple[Question, Outcome]]


def broken_down(method: str, scorers: Sequence[Scorer], pairs: Pairs, tag: str) -> dict[str, Summary]:
    """A summary for each value of the tag, numbers in their order and then words in theirs.

    A question whose tag is a list counts under each of its values; one without the tag is left out.
    """
    groups: dict[str, list[tuple[Question, Outcome]]] = {}
    for question, outcome in pairs:
        for value in _values(question.tags.get(tag)):
            groups.setdefault(value, []).append((question, outcome))
    ordered = sorted(groups, key=lambda value: (not value.isdigit(), int(value) if value.isdigit() else 0, value))
    return {value: summarise(method, scorers, groups[value]) for value in ordered}


def _values(tagged: object) -> list[str]:
    if tagged is None or tagged == "":
        return []
    return [str(value) for value in tagged] if isinstance(tagged, list) else [str(tagged)]
