"""List why a figure is not comparable with the published one, including what the paper does not say."""

from __future__ import annotations

from backtrail.evals.published.table import Row, Table
from backtrail.evals.reproduction.plan import Plan, PlannedRun
from backtrail.evals.runner import Evaluation
from backtrail.state.settings import Settings
from backtrail.tools.knowledge.open import recorded_extractor

SAMPLE = "sample"
"""Prefix of the names of corpora of made-up samples."""
EXTRACTOR = "extractor"
"""Role of the model that built the knowledge graph of a corpus; rows without ``knowledge`` do not read it."""


def reasons(plan: Plan, run: PlannedRun, evaluated: Evaluation) -> list[str]:
    """Return the differences between a run and the row of the paper."""
    return [*data_reasons(plan, run, evaluated), *model_reasons(plan.table, run.row, run.job.settings)]


def data_reasons(plan: Plan, run: PlannedRun, evaluated: Evaluation) -> list[str]:
    """Return the differences in questions and corpus."""
    benchmark = plan.table.benchmarks[run.benchmark]
    found: list[str] = []
    if run.job.settings.corpus.startswith(f"{SAMPLE}-"):
        found.append(f"a made-up sample instead of {benchmark.name}")
    elif run.job.task.name != (benchmark.task or run.benchmark):
        found.append(f"{run.job.task.name} instead of {benchmark.name}")
    asked = len(evaluated.pairs)
    if benchmark.questions and asked != benchmark.questions:
        found.append(f"{asked:,} questions, in the paper {benchmark.questions:,}")
    elif not benchmark.questions:
        found.append(f"{asked:,} questions, the paper does not say how many")
    if run.job.settings.corpus != run.job.task.corpus:
        found.append(f"the corpus {run.job.settings.corpus} instead of {run.job.task.corpus}")
    searched = f"the paper searches {benchmark.corpus}" if benchmark.corpus else "the paper does not name its corpus"
    return [*found, searched]


def model_reasons(table: Table, row: Row, settings: Settings) -> list[str]:
    """Return the roles whose model differs from the paper's."""
    wanted = {**table.models, **row.models}
    found: list[str] = []
    for role, there in wanted.items():
        if role == EXTRACTOR and not row.knowledge:
            continue
        here = _model_here(role, settings)
        if not same_model(there, here):
            found.append(f"{role} {'rules' if here == 'offline' else here}, in the paper {there}")
    if not wanted and settings.reader == "offline":
        found.append("rules instead of a model")
    return found


def _model_here(role: str, settings: Settings) -> str:
    """Return the model of a role: of the settings, else of the corpus's knowledge graph or vectors."""
    if role == EXTRACTOR:
        return recorded_extractor(settings.corpus) or "no knowledge graph"
    return str(getattr(settings, role, "")) or "the corpus's own"


def same_model(there: str, here: str) -> bool:
    """Return whether a setting names the model that a paper names: "openai:gpt-4o" is "GPT-4o"."""

    def plain(name: str) -> str:
        return "".join(character for character in name.lower() if character.isalnum())

    named = here.partition(":")[2].partition("@")[0].rpartition("/")[2] or here
    return plain(named) == plain(there)
