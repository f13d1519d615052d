"""Kill a run of MMAPG at every task, inside the retrieval and its fan-out too: it resumes to the same end."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fixtures.forked_processes import exit_code
from fixtures.planning_corpus import FEW, make_planning_corpus
from fixtures.scripted_mmapg import ANSWER, SETTINGS, calls, run_in_process

TASKS = 51
DECISIONS = {
    "split": "mmapg_split",
    "write_text_queries": "mmapg_text_queries",
    "write_image_queries": "mmapg_image_queries",
    "compile_findings": "mmapg_compile",
}
EXAMINATIONS = {"mmapg_examine_text", "mmapg_examine_picture"}


class Runner:
    """Runs the scripted run in processes that may be killed, on one thread with one call log."""

    def __init__(self, home: Path, folder: Path) -> None:
        self._home = home
        self.log, self.result = folder / "calls.jsonl", folder / "result.json"
        self._thread = folder.name

    def run(self, die_after: int | None = None) -> int | None:
        """Exit code of one process."""
        arguments = (str(self._home), str(self.log), str(self.result), self._thread, die_after)
        return exit_code(run_in_process, *arguments)

    def values(self) -> dict[str, Any]:
        """The state at the end."""
        return json.loads(self.result.read_text())["values"]

    def tasks(self) -> list[str]:
        """Names of the tasks that the last process started, in order."""
        return json.loads(self.result.read_text())["tasks"]

    def calls(self) -> Counter[str]:
        """How often each decision was asked for, over all processes."""
        return Counter(calls(self.log))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kill")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        make_planning_corpus(rows=FEW)
    return folder / "home"


@pytest.fixture(scope="module")
def undisturbed(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    runner = Runner(home, tmp_path_factory.mktemp("undisturbed"))
    assert runner.run() == 0
    return runner


def test_the_run_has_as_many_tasks_as_are_killed_below(undisturbed: Runner) -> None:
    assert undisturbed.values()["answer"]["text"] == ANSWER
    assert len(undisturbed.tasks()) == TASKS
    assert {"split", "write_text_queries", "write_image_queries", "reach", "compile_findings"} < set(
        undisturbed.tasks()
    )


@pytest.mark.parametrize("task", range(TASKS))
def test_killed_when_a_task_starts(home: Path, undisturbed: Runner, tmp_path: Path, task: int) -> None:
    runner = Runner(home, tmp_path)
    assert runner.run(die_after=task) == -9
    assert runner.run() == 0
    assert runner.values() == undisturbed.values()
    again = runner.calls() - undisturbed.calls()
    # What was under way is made again, side by side at most the examinations of one retrieval; nothing before it is.
    killed = undisturbed.tasks()[task]
    assert set(again) <= (EXAMINATIONS if "examine" in killed else {DECISIONS.get(killed)})
    assert again.total() <= (SETTINGS.mmapg.candidates if "examine" in killed else 1)
    assert not undisturbed.calls() - runner.calls()


def test_killed_again_and_again_the_run_still_ends(home: Path, undisturbed: Runner, tmp_path: Path) -> None:
    runner = Runner(home, tmp_path)
    deaths = 0
    while runner.run(die_after=8) == -9:
        deaths += 1
    assert deaths >= 5
    assert runner.values() == undisturbed.values()
