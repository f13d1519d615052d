"""Plan of a reproduction: for each row, variant and benchmark an evaluation job, or what is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from backtrail.evals.allowance import Allowance
from backtrail.evals.errors import EvalError, TaskUnknown
from backtrail.evals.published.table import Benchmark, Row, Table
from backtrail.evals.questions import Question
from backtrail.evals.runner import Job
from backtrail.evals.sampling import drawn
from backtrail.evals.scorers.judged import judged_scorers
from backtrail.evals.task import Task
from backtrail.evals.tasks.table import TASKS, find_task
from backtrail.graphs.methods import find_method
from backtrail.state.settings import Settings
from backtrail.state.variant import OURS, VARIANTS, VariantName
from backtrail.tools.corpus.described_pictures import require_described_pictures
from backtrail.tools.corpus.errors import PagesMissing, PicturesUndescribed
from backtrail.tools.corpus.listing import list_corpora
from backtrail.tools.corpus.pages.open import open_pages
from backtrail.tools.knowledge.errors import KnowledgeMissing
from backtrail.tools.knowledge.open import open_knowledge

SettingsOf = Callable[[Mapping[str, Any], Mapping[str, Any]], Settings]
"""Function from the settings of the paper, which the user may override, and those of the row, which are fixed."""


@dataclass(frozen=True)
class Choice:
    """Selection of the part of a table to run.

    Args:
        rows: parts of the names of rows; none means all.
        substitutes: by benchmark the task to use instead.
        limit: questions of each benchmark at most; sampled by ``seed``, else the first ones.
        stratify: tag whose values keep their shares in a sample; by default the task's first breakdown tag.
    """

    variants: tuple[VariantName, ...] = VARIANTS
    rows: tuple[str, ...] = ()
    substitutes: Mapping[str, str] = field(default_factory=dict[str, str])
    limit: int | None = None
    seed: int | None = None
    stratify: str | None = None
    concurrency: int = 1
    retry_failed: bool = False
    command: str = ""


@dataclass(frozen=True)
class PlannedRun:
    """A row of the table in one variant on one benchmark."""

    row: Row
    variant: VariantName
    benchmark: str
    job: Job

    @property
    def key(self) -> tuple[str, ...]:
        """Key of the run; rows with the same key, such as those differing in an unnamed model, share a run."""
        settings = self.job.settings.model_dump_json()
        return (self.job.task.name, self.job.method, settings, *(question.id for question in self.job.questions))


@dataclass(frozen=True)
class MissingBenchmark:
    """Why a benchmark cannot be run, and how to fix it."""

    benchmark: str
    reason: str
    remedy: str


@dataclass(frozen=True)
class Plan:
    """All runs of a table that are possible, and what the others lack."""

    table: Table
    runs: tuple[PlannedRun, ...]
    missing: tuple[MissingBenchmark, ...]

    def jobs(self) -> dict[tuple[str, ...], Job]:
        """Return each job once, by key."""
        return {run.key: run.job for run in self.runs}


TaskOf = Callable[[Task], Task]


def plan(
    table: Table, choice: Choice, settings_of: SettingsOf, task_of: TaskOf = lambda task: task,
    allowance: Allowance | None = None,
) -> Plan:  # fmt: skip
    """Plan a table.

    Args:
        task_of: replaces a task, for instance by its made-up sample.

    Raises:
        TaskUnknown: the task of a stand-in does not exist.
        SettingsError: a setting is unknown or out of bounds.
    """
    runs: list[PlannedRun] = []
    lacks: dict[str, MissingBenchmark] = {}
    for name in dict.fromkeys(column.benchmark for column in table.columns if column.benchmark):
        benchmark = table.benchmarks[name]
        try:
            task, questions = _asked(name, benchmark, choice, task_of)
        except _Lacking as lacking:
            lacks[name] = MissingBenchmark(name, lacking.why, lacking.how)
            continue
        task = replace(task, scorers=(*task.scorers, *judged_scorers())) if table.judgings else task
        for row, variant in _rows(table, choice):
            settings = _settings(table, row, variant, task, settings_of)
            if find_method(row.method).needs_corpus(settings) and settings.corpus not in list_corpora():
                why = f"the corpus {settings.corpus!r} is not ingested"
                lacks.setdefault(name, MissingBenchmark(name, why, task.setup))
                continue
            if row.pages and (how := _without_pages(settings)):
                why = f"{row.name} and others are not run: the corpus has no embedded pages"
                lacks.setdefault(f"{name}, {settings.page_images.model} pages", MissingBenchmark(name, why, how))
                continue
            if row.knowledge and (how := _without_knowledge(settings.corpus)):
                why = f"{row.name} and others do without the knowledge graph"
                lacks.setdefault(f"{name}, knowledge", MissingBenchmark(name, why, how))
            if row.pictures_in_words and (why := _without_words(settings.corpus)):
                lacks.setdefault(
                    f"{name}, pictures", MissingBenchmark(name, f"{row.name} and others do without T_v", why)
                )
            job = Job(
                task, row.method, settings, questions, choice.concurrency, retry_failed=choice.retry_failed,
                judgings=table.judgings, command=choice.command, allowance=allowance,
            )  # fmt: skip
            runs.append(PlannedRun(row, variant, name, job))
    return Plan(table, tuple(runs), tuple(lacks.values()))


def _without_pages(settings: Settings) -> str:
    """Return the message for a corpus whose pages are not embedded by the model of the settings; "" where they are."""
    try:
        open_pages(settings.corpus, settings.page_images.model)
    except PagesMissing as error:
        return str(error)
    return ""


def _without_knowledge(corpus: str) -> str:
    """Return the message for a corpus without a knowledge graph; "" where it has one."""
    try:
        open_knowledge(corpus)
    except KnowledgeMissing as error:
        return str(error)
    return ""


def _without_words(corpus: str) -> str:
    """Return the message for a corpus with undescribed pictures; "" where there are none."""
    try:
        require_described_pictures(corpus)
    except PicturesUndescribed as error:
        return str(error)
    return ""


class _Lacking(Exception):
    def __init__(self, why: str, how: str) -> None:
        self.why, self.how = why, how


def _asked(name: str, benchmark: Benchmark, choice: Choice, task_of: TaskOf) -> tuple[Task, list[Question]]:
    """Return the task of a benchmark and its selected questions."""
    stand_in = choice.substitutes.get(name)
    asked = stand_in or benchmark.task or name
    if benchmark.private and asked not in TASKS:
        raise _Lacking(benchmark.private, f"use another task instead: --on {name}=TASK")
    try:
        task = task_of(find_task(asked))
        questions = task.read()
    except TaskUnknown:
        raise
    except EvalError as error:
        raise _Lacking(benchmark.private or "its questions cannot be read", f"{error}") from error
    if stand_in is None:
        questions = [one for one in questions if has_tags(one, benchmark.where)]
    if not questions:
        raise _Lacking(f"no question has the tags {benchmark.where}", task.setup)
    if choice.limit is None:
        return task, questions
    if choice.seed is None:
        return task, questions[: choice.limit]
    tag = choice.stratify if choice.stratify is not None else next(iter(task.by), "")
    return task, drawn(questions, choice.limit, choice.seed, tag)


def has_tags(question: Question, where: Mapping[str, str]) -> bool:
    """Return whether each tag has the given value, or contains it if it is a list."""

    def values(tag: str) -> Sequence[str]:
        value = question.tag(tag)
        return [str(one) for one in value] if isinstance(value, list) else [str(value)]

    return all(value in values(tag) for tag, value in where.items())


def _rows(table: Table, choice: Choice) -> list[tuple[Row, VariantName]]:
    """Return the rows to run, each in the variants of its method."""
    parts = [part.lower() for part in choice.rows]
    asked = [row for row in table.rows if row.method and (not parts or any(part in row.name.lower() for part in parts))]
    if parts and not asked:
        runnable = ", ".join(row.name for row in table.rows if row.method)
        raise EvalError(f"No row of {table.name} that can be run is called {', '.join(choice.rows)}. Rows: {runnable}.")
    return [
        (row, variant)
        for row in asked
        for variant in (choice.variants if find_method(row.method).variants is not None else (OURS,))
    ]


def _settings(table: Table, row: Row, variant: VariantName, task: Task, settings_of: SettingsOf) -> Settings:
    return settings_of({**task.settings, **table.settings, "corpus": task.corpus}, {**row.settings, "variant": variant})
