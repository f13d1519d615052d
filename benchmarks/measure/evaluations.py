"""Evaluations of the measurement: each method answers the questions of a task, without a model."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from backtrail.cli.commands.eval import EvalBar
from backtrail.evals.errors import TaskDataMissing
from backtrail.evals.oracle import NAME as ORACLE
from backtrail.evals.questions import Question, selected
from backtrail.evals.runner import Job, evaluate
from backtrail.tools.settings.file import load_settings
from backtrail.tools.toolbox import Toolbox
from measure.corpora import make_corpus
from measure.digests import code
from measure.measured import Table
from measure.plan import Part
from measure.scorers import evidence_ingested
from measure.skipped import Skipped

CONCURRENCY = 2


def measure_part(part: Part) -> Table:
    """Return scores of all methods of a part by question. A second start resumes a stopped one.

    Raises:
        Skipped: corpus or questions are not on this machine.
    """
    try:
        questions = selected(part.task.read(), limit=part.limit)
    except TaskDataMissing as error:
        raise Skipped(str(error)) from error
    make_corpus(part)
    return asyncio.run(_asked(part, questions))


async def _asked(part: Part, questions: list[Question]) -> Table:
    toolbox, table = Toolbox(), Table(ids=[question.id for question in questions])
    with EvalBar(shown=True) as bar:
        evaluated = [await evaluate(_job(part, method, questions), toolbox, bar) for method in part.ranked]
    for method, found in zip(part.ranked, evaluated, strict=True):
        for scorer in part.scorers(method):
            table.add(method, scorer.name, (scorer(question, outcome) for question, outcome in found.pairs))
    table.add(ORACLE, "Evidence ingested", (evidence_ingested(question) for question in evaluated[0].questions))
    return table


def _job(part: Part, method: str, questions: list[Question]) -> Job:
    """Return a job with results per state of the code, as the identity of an evaluation excludes the tools."""
    task = replace(part.task, name=f"{part.task.name}@{code()}")
    settings = load_settings({**part.task.settings, "corpus": part.task.corpus})
    return Job(task, method, settings, questions, CONCURRENCY)
