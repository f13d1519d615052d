"""Kill a run of HM-RAG at every task, inside the agents and between them: it resumes to the same end."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fixtures.forked_processes import exit_code
from fixtures.planning_corpus import FEW, make_planning_corpus
from fixtures.scripted_hm_rag import ANSWER, calls, run_in_process

TASKS = 35
AT_ONCE = 6
"""Agents side by side: two parts, three sources."""


class Runner:
    """Runs the scripted run in processes that may be killed, on one thread with one call log."""

    def __init__(self, home: Path, folder: Path) -> None:
        self._home = home
        self.log, self.result = folder / "calls.jsonl", folder / "result.json"
        self._thread = folder.name

    def run(self, die_after: int | None = None, *, hold_web: bool = False) -> int | None:
        """Exit code of one process."""
        arguments = (str(self._home), str(self.log), str(self.result), self._thread, die_after, hold_web)
        return exit_code(run_in_process, *arguments)

    def values(self) -> dict[str, Any]:
        """The state at the end."""
        return json.loads(self.result.read_text())["values"]

    def tasks(self) -> list[str]:
        """Names of the tasks that the last process started, in order."""
        return json.loads(self.result.read_text())["tasks"]

    def calls(self) -> Counter[str]:
        """How often each decision and search was asked for, over all processes."""
        return Counter(name for _, name in calls(self.log))


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
    assert {"retrieve", "keywords", "explore", "search", "read", "combine", "summarise", "merge"} < set(
        undisturbed.tasks()
    )


@pytest.mark.parametrize("task", range(TASKS))
def test_killed_when_a_task_starts(home: Path, undisturbed: Runner, tmp_path: Path, task: int) -> None:
    runner = Runner(home, tmp_path)
    assert runner.run(die_after=task) == -9
    assert runner.run() == 0
    assert runner.values() == undisturbed.values()
    again = runner.calls() - undisturbed.calls()
    # What was under way is made again: at most one call for each of the tasks side by side.
    assert again.total() <= AT_ONCE
    assert not undisturbed.calls() - runner.calls()


def test_killed_within_the_fan_out_only_the_unfinished_agents_run_again(
    home: Path, undisturbed: Runner, tmp_path: Path
) -> None:
    runner = Runner(home, tmp_path)
    assert runner.run(hold_web=True) == -9
    first = {process for process, _ in calls(runner.log)}
    assert runner.run() == 0
    assert runner.values() == undisturbed.values()
    resumed = Counter(name for process, name in calls(runner.log) if process not in first)
    # The web's two searches and readings; the graph and the vectors are asked nothing any more.
    assert resumed["search"] == 2
    assert resumed["hm_rag_keywords"] == 0
    assert resumed["hm_rag_read"] == 2 + 3  # and one combination for each source
    assert not {"retrieve", "keywords", "explore"} & set(runner.tasks())


def test_killed_again_and_again_the_run_still_ends(home: Path, undisturbed: Runner, tmp_path: Path) -> None:
    runner = Runner(home, tmp_path)
    deaths = 0
    while runner.run(die_after=14) == -9:
        deaths += 1
        assert deaths < TASKS
    assert deaths >= 2
    assert runner.values() == undisturbed.values()
