"""Summarise documents by map and reduce: the points of each part, then one answer from the points of all parts (ours).

A point cites rows and sentences; the answer names points, so that nothing is cited that no part says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from backtrail.nodes.reading.build_answer import build_answer
from backtrail.nodes.reading.component_views import only_shown, whole_text
from backtrail.nodes.take_decision import Taken, take
from backtrail.rules.summarise import points_as_list
from backtrail.state.answer import Answer
from backtrail.state.answer_decisions import EvidenceText, StructuredReading
from backtrail.state.budget import allowance, may_spend
from backtrail.state.computation import numbers_of
from backtrail.state.failure import Failure
from backtrail.state.settings import Budget, Settings
from backtrail.state.structured_reading import AnswerPart, CitedPiece
from backtrail.state.summary import PartPoints, PartTask, Point, SummaryPart
from backtrail.state.summary_decisions import (
    MERGE_POINTS,
    SUMMARISE_PART,
    MergedSummary,
    MergeInputs,
    NumberedPoint,
    PartInputs,
    PointsOfPart,
)
from backtrail.state.usage import Charge, total_usage
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox

MOST_PARTS = 24
"""Parts that one summary reads (ours): about 190,000 characters."""


def affordable_parts(spent: dict[str, Charge], budget: Budget) -> int:
    """Return how many parts fit under every ceiling, with one call left to merge them.

    A part is taken to cost what a call of this run cost so far on average.
    """
    left, used = allowance(spent, budget), total_usage(spent)
    calls = max(used["calls"], 1)
    ceilings = [
        (left.calls, calls),
        (left.input_tokens, used["input_tokens"]),
        (left.output_tokens, used["output_tokens"]),
        (left.usd, used["cost_usd"]),
        (left.seconds, sum(used["seconds"].values())),
    ]
    fits = [int(rest * calls / cost) - 1 for rest, cost in ceilings if rest is not None and cost]
    return max(0, min([MOST_PARTS, *fits]))


class PartRead(NamedTuple):
    """The points of a part, with the charge and failures of their decision."""

    points: PartPoints
    usage: dict[str, Charge]
    failures: list[Failure]


async def read_part(toolbox: Toolbox, settings: Settings, corpus: CorpusReader, task: PartTask, node: str) -> PartRead:
    """Take the decision on one part (map). Without budget or a valid reply the part counts as not read."""
    part, unread = task["part"], PartPoints(step=task["step"], part=task["part"]["number"], read=False, points=[])
    if not may_spend(task["spent"], settings.budget):
        return PartRead(unread, {}, [])
    evidence = await asyncio.to_thread(_texts, corpus, part)
    inputs = PartInputs(
        question=task["question"], subtask=task["subtask"], part=part["number"], of=task["of"], evidence=evidence
    )
    taken = await take(toolbox, settings, SUMMARISE_PART, inputs, node=node, step=task["step"], spent=task["spent"])
    place = f".{part['number']}"  # parts share a step
    usage = {key + place: charge for key, charge in taken.usage.items()}
    failures: list[Failure] = [{**one, "id": one["id"] + place} for one in taken.failures]
    if taken.output is None or taken.failures:
        return PartRead(unread, usage, failures)
    return PartRead({**unread, "read": True, "points": _points(taken.output)}, usage, failures)


def _points(output: PointsOfPart) -> list[Point]:
    return [
        {
            "text": one.text,
            "citations": [{"component": c.component, "row": c.row, "sentence": c.sentence} for c in one.citations],
        }
        for one in output.points
    ]


def _texts(corpus: CorpusReader, part: SummaryPart) -> list[EvidenceText]:
    """Return the pieces of a part as a reader sees them. Reads the corpus (blocking)."""
    components = corpus.components([one["component"] for one in part["pieces"]])
    documents = corpus.documents([one.document for one in components.values()])
    return [
        only_shown(whole_text(components[key], documents.get(components[key].document), 1.0), numbers_of(one))
        for one in part["pieces"]
        if (key := one["component"]) in components
    ]


class Merged(NamedTuple):
    """The summary as an answer, with the decision that merged the points."""

    answer: Answer
    taken: Taken[MergedSummary]


async def merge_points(
    toolbox: Toolbox,
    settings: Settings,
    corpus: CorpusReader,
    *,
    question: str,
    subtask: str,
    points: Sequence[tuple[str, Point]],
    not_read: Sequence[str],
    node: str,
    step: int,
    spent: dict[str, Charge],
) -> Merged:
    """Take the decision on all points (reduce). If it fails, the points are the answer as they are.

    Args:
        points: at least one, each with the name of its part.
        not_read: names of the parts that were not read.
    """
    inputs = MergeInputs(
        question=question,
        subtask=subtask,
        points=[NumberedPoint(number=n, part=name, text=one["text"]) for n, (name, one) in enumerate(points, 1)],
        not_read=list(not_read),
    )
    taken = await take(toolbox, settings, MERGE_POINTS, inputs, node=node, step=step, spent=spent)
    reading = _reading(taken.output or points_as_list(inputs), [one for _, one in points])
    return Merged(await asyncio.to_thread(_answer, corpus, reading, question), taken)


def _reading(merged: MergedSummary, points: Sequence[Point]) -> StructuredReading:
    """Return the summary with the citations of the points in place of their numbers."""

    def pieces(numbers: Sequence[int]) -> list[CitedPiece]:
        cited = [CitedPiece(**place) for number in numbers for place in points[number - 1]["citations"]]
        return [piece for place, piece in enumerate(cited) if piece not in cited[:place]]

    return StructuredReading(
        text=merged.text,
        parts=[AnswerPart(heading=one.heading, text=one.text, citations=pieces(one.points)) for one in merged.parts],
        supported=True,
        confidence=merged.confidence,
    )


def _answer(corpus: CorpusReader, reading: StructuredReading, question: str) -> Answer:
    """Return the answer; citations of components that are gone are dropped. Reads the corpus (blocking)."""
    components = corpus.components(list(dict.fromkeys(piece.component for piece in reading.pieces)))
    documents = corpus.documents([one.document for one in components.values()])
    for one in reading.parts:
        one.citations = [piece for piece in one.citations if piece.component in components]
    texts = [whole_text(one, documents.get(one.document), 1.0) for one in components.values()]
    return build_answer(reading, texts, components, documents, question=question)
