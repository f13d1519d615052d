"""Benchmarks over tables from end to end: FiF with a scripted model computes, and scores say what it cites."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backtrail.evals.reproduction.sample import sampled
from backtrail.evals.runner import Evaluation, Job, evaluate
from backtrail.evals.tasks.table import find_task
from backtrail.state.fif.settings import FifSettings
from backtrail.state.settings import Settings
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path))
    return tmp_path


def advance(inputs: Any) -> dict[str, Any]:
    """Compute where that is offered, then answer with the result; else answer from memory."""
    done = [one for one in inputs.evidence if one.modality == "computation"]
    if inputs.may_compute and not done:
        tables = [one.id for one in inputs.evidence if one.modality == "table"]
        return {
            "success": True,
            "action": {"kind": "compute", "subtask": inputs.question, "targets": tables},
            "why": "It is counted.",
        }
    said = done[0].sentences[0].removeprefix("count: ") if done else "3"
    source = done[0] if done else inputs.evidence[0]
    citation = {"component": source.id, "sentence" if done else "row": 0}
    reading = {"short": said, "text": f"{said} ferries.", "citations": [citation], "supported": True, "confidence": 0.9}
    return {"success": True, "relevant": [source.id], "answer": reading, "why": "read"}


def count(inputs: Any) -> dict[str, Any]:
    (table,) = [one.name for one in inputs.tables if one.document == "Ferries of Ostrel"]
    return {"query": f"SELECT row_id, ship AS label FROM {table} WHERE since_num < 2000", "operation": "count"}


async def run(*, compute: bool) -> tuple[Evaluation, dict[str, float | None]]:
    task = sampled(find_task("wikitablequestions"))
    (question,) = [one for one in task.read() if one.id == "nt-1"]
    decider = ScriptedDecider({"fif_advance": advance, "compute": count})
    settings = Settings(
        corpus=task.corpus, planner="scripted", reader="scripted", fif=FifSettings(opening=1, compute=compute)
    )
    evaluation = await evaluate(
        Job(task, "fif", settings, [question]), Toolbox(open_decider=lambda model, settings: decider)
    )
    return evaluation, {scorer.name: scorer(*evaluation.pairs[0]) for scorer in task.scorers}


async def test_a_computed_answer_is_right_and_cites_the_rows_of_the_gold_table(home: Path) -> None:
    evaluation, scores = await run(compute=True)
    ((_, outcome),) = evaluation.pairs
    assert (outcome.answer, dict(outcome.cited_rows)) == ("2 ferries.", {"table:200-1": ((0, 1),)})
    assert [scores[name] for name in ("Denotation", "Wrong", "Exact sources", "Computed", "Calls")] == [1, 0, 1, 1, 3]
    again, _ = await run(compute=True)
    assert again.questions_run == 0, "the outcome was kept"
    assert again.pairs[0][1].cited_rows == outcome.cited_rows


async def test_without_computing_results_are_kept_apart(home: Path) -> None:
    on, _ = await run(compute=True)
    off, scores = await run(compute=False)
    assert off.folder != on.folder
    assert [scores[name] for name in ("Denotation", "Wrong", "Exact sources", "Computed")] == [0, 1, None, 0]
