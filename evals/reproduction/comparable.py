"""Why a figure of ours cannot be held against a published one. What cannot be known is said as well."""

from __future__ import annotations

from backtrail.evals.published.table import Row, Table
from backtrail.evals.reproduction.plan import Plan, PlannedRun
from backtrail.evals.runner import Evaluated
from backtrail.state.settings import Settings

SAMPLE = "sample"
"""What the corpora of made-up samples are called by."""


def reasons(plan: Plan, run: PlannedRun, evaluated: Evaluated) -> list[str]:
    """What differs between a run and the row of the paper; none when nothing is known to."""
    return [*data_reasons(plan, run, evaluated), *model_reasons(plan.table, run.row, run.job.settings)]


def data_reasons(plan: Plan, run: PlannedRun, evaluated: Evaluated) -> list[str]:
    """Other questions, or another corpus."""
    benchmark = plan.table.benchmarks[run.benchmark]
    told: list[str] = []
    if run.job.settings.corpus.startswith(f"{SAMPLE}-"):
        told.append(f"a made-up sample in place of {benchmark.said}")
    elif run.job.task.name != (benchmark.task or run.benchmark):
        told.append(f"{run.job.task.name} in place of {benchmark.said}")
    asked = len(evaluated.pairs)
    if benchmark.questions and asked != benchmark.questions:
        told.append(f"{asked:,} questions, there {benchmark.questions:,}")
    elif not benchmark.questions:
        told.append(f"{asked:,} questions, there not said how many")
    if run.job.settings.corpus != run.job.task.corpus:
        told.append(f"the corpus {run.job.settings.corpus} in place of {run.job.task.corpus}")
    told.append(f"searched there: {benchmark.corpus}" if benchmark.corpus else "what was searched there is not said")
    return told


def model_reasons(table: Table, row: Row, settings: Settings) -> list[str]:
    """Roles whose model is another one, or unknown in the paper."""
    wanted = {**table.models, **row.models}
    told: list[str] = []
    for role, there in wanted.items():
        here = str(getattr(settings, role, "")) or "the corpus's own"
        if not same_model(there, here):
            told.append(f"{role} {'rules' if here == 'offline' else here}, there {there}")
    if not wanted and settings.reader == "offline":
        told.append("rules in place of a model")
    return told


def same_model(there: str, here: str) -> bool:
    """Whether the name of a setting is that of a model as a paper writes it: "GPT-4o" is "openai:gpt-4o"."""

    def plain(name: str) -> str:
        return "".join(character for character in name.lower() if character.isalnum())

    named = here.partition(":")[2].partition("@")[0].rpartition("/")[2] or here
    return plain(named) == plain(there)
