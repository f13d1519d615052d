"""Measurements of each system, and the table of both."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from side_by_side.pages import Chosen
from side_by_side.server import Tally
from side_by_side.systems import Run

Row = tuple[str, float, float]


@dataclass(frozen=True)
class Step:
    """One process and its requests to the server."""

    run: Run
    tally: Tally

    @property
    def calls(self) -> int:
        """Model calls."""
        return self.tally.calls.total()


@dataclass(frozen=True)
class Measured:
    """Measurements of one system. ``undivided`` are questions without the decision whether to split them."""

    whole: Step
    added: Step
    deleted: Step
    killed: Step
    resumed: Step
    asked: Step
    undivided: Step
    size: Mapping[str, int]


def answers_shown(prompts: Mapping[str, str], questions: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the ids of questions whose answer occurs literally in the prompts of their answers."""
    return [
        question["id"]
        for question in questions
        if any(answer.casefold() in prompts.get(question["id"], "").casefold() for answer in question["answers"])
    ]


def report(chosen: Chosen, peer: Measured, ours: Measured, vectors: Step, cut_off: int) -> str:
    """Return the table with notes."""
    rows: list[Row] = []

    def add(label: str, value: Callable[[Measured], float]) -> None:
        rows.append((label, value(peer), value(ours)))

    pages, questions = len(chosen.first), len(chosen.questions)
    changed = (len(chosen.added), len(chosen.deleted))
    for kind in ("extract", "glean", "summarise"):
        add(f"index {pages} pages: calls, {kind}", lambda one, kind=kind: one.whole.tally.calls[kind])
    add("calls, all", lambda one: one.whole.calls)
    add("tokens read by the model", lambda one: one.whole.tally.read.total())
    add("tokens written", lambda one: one.whole.tally.written.total())
    add("texts embedded", lambda one: one.whole.tally.embedded)
    add("seconds of the embedder", lambda one: one.whole.tally.embedding_seconds)
    add("processor seconds, without the embedder", lambda one: one.whole.run.processor)
    add("**seconds**", lambda one: one.whole.run.seconds)
    add("seconds without the start of the process", lambda one: one.whole.run.printed["seconds"])
    for label, step in ((f"add {changed[0]}", "added"), (f"delete {changed[1]}", "deleted")):
        add(f"{label} pages: calls", lambda one, step=step: getattr(one, step).calls)
        add("tokens", lambda one, step=step: _tokens(getattr(one, step).tally))
        add("**seconds**", lambda one, step=step: getattr(one, step).run.seconds)
        add("seconds without start", lambda one, step=step: getattr(one, step).run.printed["seconds"])
        add("processor seconds, without the embedder", lambda one, step=step: getattr(one, step).run.processor)
    add("killed half-way, restarted: calls, both runs", lambda one: one.killed.calls + one.resumed.calls)
    add("repeated calls", _twice)
    add("**seconds of the second run**", lambda one: one.resumed.run.seconds)
    for label, way in ((f"{questions} questions", "asked"), (f"{questions} questions, not split", "undivided")):
        add(f"{label}: calls", lambda one, way=way: getattr(one, way).calls)
        add("tokens read", lambda one, way=way: getattr(one, way).tally.read.total())
        add(
            "seconds per question, median",
            lambda one, way=way: statistics.median(getattr(one, way).run.printed["seconds"]),
        )
        add("answer in the prompt", lambda one, way=way: len(_shown(getattr(one, way), chosen)))
    add("entities", lambda one: one.size["entities"])
    add("relations", lambda one: one.size["relations"])
    table = ["| | LightRAG | Backtrail | ratio |", "|---|--:|--:|--:|", *(_line(*row) for row in rows)]
    notes = [
        f"Without a graph Backtrail ingests the same pages in {vectors.run.seconds:.1f} s "
        f"({vectors.tally.embedded} texts embedded).",
        f"LightRAG's limits on one reply left out {cut_off} records.",
        f"Answers not in a prompt: {_missed(peer, chosen)}; {_missed(ours, chosen)}.",
        f"Query calls by kind: {_kinds(peer.asked.tally.calls)}; {_kinds(ours.asked.tally.calls)}.",
        f"At most {peer.whole.tally.most_at_once} and {ours.whole.tally.most_at_once} calls in parallel.",
    ]
    return "\n".join([*table, "", *notes])


def _twice(one: Measured) -> int:
    """Return the number of requests of both runs that repeat an earlier one literally."""
    return one.killed.tally.again.total() + one.resumed.tally.again.total()


def _asked(one: Measured) -> Step:
    return one.asked


def _undivided(one: Measured) -> Step:
    return one.undivided


def _shown(asked: Step, chosen: Chosen) -> list[str]:
    return answers_shown(asked.tally.answered_from, chosen.questions)


def _missed(one: Measured, chosen: Chosen) -> str:
    shown = _shown(one.asked, chosen)
    missed = [question["question"] for question in chosen.questions if question["id"] not in shown]
    return " / ".join(missed) or "none"


def _tokens(tally: Tally) -> int:
    return tally.read.total() + tally.written.total()


def _kinds(calls: Counter[str]) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in calls.items())


def _line(label: str, peer: float, ours: float) -> str:
    ratio = f"{ours / peer:.2f}" if peer else "–"
    return f"| {label} | {_number(peer)} | {_number(ours)} | {ratio} |"


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.1f}"
