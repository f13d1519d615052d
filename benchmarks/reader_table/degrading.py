"""Measure the effect on each method of a reader that is wrong in one reply of ten."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.tools.toolbox import Toolbox
from reader_table.asking import Asked, ask_one
from reader_table.kept import Kept, append, lines_of
from reader_table.mistaken import AILMENTS, Mistaken
from reader_table.plan import Row
from reader_table.report import verdict

MIXED = "all four"
METHODS = ("bm25", "ircot", "lilac", "fif")
SEEDS = 3
FILE = "mistaken.jsonl"


def rows(plan: Sequence[Row]) -> list[tuple[Row, str, int]]:
    """Return the rows of OTT-QA with every kind of error and seed, the mixture first."""
    rows = [row for method in METHODS for row in plan if row.label == method and row.asked == "ottqa"]
    return [(row, ailment, seed) for ailment in (MIXED, *AILMENTS) for seed in range(SEEDS) for row in rows]


async def degrade(
    plan: Sequence[Row], kept: Kept, folder: Path, questions: dict[str, list[Question]], together: int
) -> None:
    """Ask the unfinished questions of every row, and write a line for each."""
    finished = {_key(line) for line in lines_of(folder / FILE) if not line["outcome"]["error"]}
    readers = {(ailment, seed): Mistaken(kept, ailment, seed) for _, ailment, seed in rows(plan)}
    waiting = iter(
        [
            (row, ailment, seed, question)
            for row, ailment, seed in rows(plan)
            for question in questions[row.asked][: row.count]
            if (row.label, ailment, seed, question.id) not in finished
        ]
    )

    async def work() -> None:
        for row, ailment, seed, question in waiting:
            reader = readers[ailment, seed]
            toolbox = Toolbox(open_decider=lambda model, settings, reader=reader: reader)
            line = await ask_one(toolbox, row, question)
            append(folder / FILE, {**line, "ailment": ailment, "seed": seed})

    async with asyncio.TaskGroup() as workers:
        for _ in range(together):
            workers.create_task(work())


def _key(line: dict[str, object]) -> tuple[object, ...]:
    outcome = line["outcome"]
    return line["row"], line["ailment"], line["seed"], outcome["id"] if isinstance(outcome, dict) else ""


def degraded_table(
    folder: Path, plan: Sequence[Row], questions: dict[str, list[Question]], sound: Sequence[Asked]
) -> Iterator[str]:
    """Yield Markdown lines: outcomes of each method in percent, first with the correct reader."""
    yield f"| method | {' | '.join(('unchanged', MIXED, *AILMENTS))} |"
    yield f"|---|{'--:|' * (2 + len(AILMENTS))}"
    by_id = {question.id: question for held in questions.values() for question in held}
    found: dict[tuple[str, str], list[Asked]] = {}
    for one in sound:
        if one.row.label in METHODS and one.row.asked == "ottqa":
            found.setdefault((one.row.label, "unchanged"), []).append(one)
    lines = {_key(line): line for name in (f"{FILE}.gz", FILE) for line in lines_of(folder / name)}
    for line in lines.values():
        row = next((row for row in plan if (row.label, row.asked) == (line["row"], line["set"])), None)
        outcome = Outcome.model_validate(line["outcome"])
        if row is not None and outcome.error is None:
            asked = Asked(row, by_id[outcome.id], outcome, line["code"])
            found.setdefault((row.label, line["ailment"]), []).append(asked)
    for method in METHODS:
        if cells := [_shares(held) for one in ("unchanged", MIXED, *AILMENTS) if (held := found.get((method, one)))]:
            yield f"| `{method}` | {' | '.join(cells)} |"


def _shares(held: Sequence[Asked]) -> str:
    quotes = [one for one in held if one.outcome.stop_reason.startswith("failed:") and not one.outcome.abstained]
    said = [verdict(one) for one in held if one not in quotes]
    shares = [said.count("right"), said.count("wrong"), said.count("abstained"), len(quotes)]
    return (
        "/".join(f"{100 * share / len(held):.0f}" for share in shares)
        + f", {mean(one.outcome.calls for one in held):.2f}"
    )
