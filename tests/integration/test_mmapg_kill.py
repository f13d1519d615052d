"""Kill a run of MMAPG at every task, inside the retrieval and its fan-out too: it resumes to the same end."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.killed_runs import KilledRun
from fixtures.scripted_mmapg import ANSWER, run_in_process

TASKS = 45
SHORT = (0, 5, 14, 26, 40)
"""Tasks that are killed in a short run: among them a split, examinations side by side, and a compilation."""
DECISIONS = {"split": "mmapg_prepare", "compile_findings": "mmapg_compile"}
EXAMINATIONS = {"mmapg_examine_texts", "mmapg_examine_pictures"}


@pytest.fixture(scope="module")
def undisturbed(few_home: Path, tmp_path_factory: pytest.TempPathFactory) -> KilledRun:
    runner = KilledRun(run_in_process, few_home, tmp_path_factory.mktemp("undisturbed"))
    assert runner.run() == 0
    return runner


def test_the_run_has_as_many_tasks_as_are_killed_below(undisturbed: KilledRun) -> None:
    assert undisturbed.values["answer"]["text"] == ANSWER
    assert len(undisturbed.outcome["tasks"]) == TASKS
    assert {"split", "reach", "examine_texts", "examine_pictures", "next_round", "compile_findings"} < set(
        undisturbed.outcome["tasks"]
    )


@pytest.mark.parametrize(
    "task", [pytest.param(task, marks=() if task in SHORT else pytest.mark.long) for task in range(TASKS)]
)
def test_killed_when_a_task_starts(few_home: Path, undisturbed: KilledRun, tmp_path: Path, task: int) -> None:
    runner = KilledRun(run_in_process, few_home, tmp_path)
    assert runner.run(die_after=task) == -9
    assert runner.run() == 0
    assert runner.values == undisturbed.values
    again = runner.again(undisturbed)
    # What was under way is made again, side by side at most a chunk of each kind; nothing before it is.
    killed = undisturbed.outcome["tasks"][task]
    assert set(again) <= (EXAMINATIONS if "examine" in killed else {DECISIONS.get(killed)})
    assert again.total() <= (2 if "examine" in killed else 1)
    assert not undisturbed.again(runner)


def test_killed_again_and_again_the_run_still_ends(few_home: Path, undisturbed: KilledRun, tmp_path: Path) -> None:
    runner = KilledRun(run_in_process, few_home, tmp_path)
    deaths = 0
    while runner.run(die_after=8) == -9:
        deaths += 1
    assert deaths >= 5
    assert runner.values == undisturbed.values
