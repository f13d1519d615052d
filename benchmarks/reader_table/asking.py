"""Run the questions of a plan; those with an outcome are skipped."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backtrail.evals.ask_question import ask
from backtrail.evals.gold import with_gold
from backtrail.evals.identity import identity
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.graphs.methods import find_method
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox
from reader_table.kept import READER, Kept, append, lines_of
from reader_table.plan import Row, chosen, corpus_of

ROLES = dict.fromkeys(("planner", "reader", "vlm", "expert"), READER)


@dataclass(frozen=True)
class Asked:
    """A question of a row with its outcome and the hash of the code that produced it."""

    row: Row
    question: Question
    outcome: Outcome
    code: str


def held(folder: Path, plan: Sequence[Row], questions: dict[str, list[Question]]) -> list[Asked]:
    """Return the last outcome of each question in a folder, in the order of the plan."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for name in ("outcomes.jsonl.gz", "outcomes.jsonl"):
        found |= {(one["row"], one["set"], one["outcome"]["id"]): one for one in lines_of(folder / name)}
    return [
        Asked(row, question, Outcome.model_validate(line["outcome"]), line["code"])
        for row in plan
        for question in questions[row.asked][: row.count]
        if (line := found.get((row.label, row.asked, question.id)))
    ]


def questions_of(plan: Sequence[Row]) -> dict[str, list[Question]]:
    """Return the questions of each set with their gold in the ingested corpora."""
    toolbox = Toolbox()
    sets: dict[str, list[Question]] = {}
    for asked in dict.fromkeys(row.asked for row in plan):
        questions = chosen(asked)
        corpora = dict.fromkeys(corpus_of(asked, question) for question in questions)
        gold = {
            question.id: question
            for name in corpora
            for question in with_gold(
                [one for one in questions if corpus_of(asked, one) == name], toolbox.corpus(Settings(corpus=name))
            )
        }
        sets[asked] = [gold[question.id] for question in questions]
    return sets


async def ask_all(
    plan: Sequence[Row], kept: Kept, folder: Path, questions: dict[str, list[Question]], together: int
) -> None:
    """Run questions in parallel, rows in order; each outcome is written as soon as it is finished.

    A question that ended with an error (such as a server that is down) is unfinished: the next call runs it again.
    """
    finished = {(one.row, one.question.id) for one in held(folder, plan, questions) if one.outcome.error is None}
    waiting = iter(_waiting(plan, questions, finished))
    toolbox = Toolbox(open_decider=lambda model, settings: kept)

    async def work() -> None:
        for row, question in waiting:
            line = await ask_one(toolbox, row, question)
            append(folder / "outcomes.jsonl", line)
            outcome = line["outcome"]
            answer = outcome["error"] or (
                "abstained" if outcome["abstained"] else outcome["short"] or outcome["answer"]
            )
            print(
                f"{row.label:16} {row.asked:8} {question.id:18} {outcome['calls']:3} calls  {answer[:70]}", flush=True
            )

    async with asyncio.TaskGroup() as workers:
        for _ in range(together):
            workers.create_task(work())


def _waiting(
    plan: Sequence[Row], questions: dict[str, list[Question]], finished: set[tuple[Row, str]]
) -> Iterator[tuple[Row, Question]]:
    return (
        (row, question)
        for row in plan
        for question in questions[row.asked][: row.count]
        if (row, question.id) not in finished
    )


async def ask_one(toolbox: Toolbox, row: Row, question: Question) -> dict[str, Any]:
    """Run one question of a row and return the line for the results."""
    method = find_method(row.method)
    settings = Settings(corpus=corpus_of(row.asked, question), variant=row.variant, **ROLES)
    graph = method.build(toolbox).compile(name=method.name)
    outcome = await ask(method, graph, settings, question)
    code = identity(row.asked, row.method, settings, "").code
    return {"row": row.label, "set": row.asked, "code": code, "outcome": outcome.model_dump(mode="json")}
