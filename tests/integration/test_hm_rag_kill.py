"""Kill a run of HM-RAG at every task, inside the agents and between them: it resumes to the same end."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from fixtures.killed_runs import KilledRun, corpus_home, undisturbed_run
from fixtures.planning_corpus import FEW, make_planning_corpus
from fixtures.scripted_hm_rag import ANSWER, run_in_process

TASKS = 35
AT_ONCE = 6
"""Agents side by side: two parts, three sources."""


home = corpus_home(lambda folder: make_planning_corpus(rows=FEW))
undisturbed = undisturbed_run(run_in_process)


def test_the_run_has_as_many_tasks_as_are_killed_below(undisturbed: KilledRun) -> None:
    assert undisturbed.values["answer"]["text"] == ANSWER
    assert len(undisturbed.outcome["tasks"]) == TASKS
    assert {"retrieve", "keywords", "explore", "search", "read", "combine", "summarise", "merge"} < set(
        undisturbed.outcome["tasks"]
    )


@pytest.mark.parametrize("task", range(TASKS))
def test_killed_when_a_task_starts(home: Path, undisturbed: KilledRun, tmp_path: Path, task: int) -> None:
    runner = KilledRun(run_in_process, home, tmp_path)
    assert runner.run(die_after=task) == -9
    assert runner.run() == 0
    assert runner.values == undisturbed.values
    again = runner.again(undisturbed)
    # What was under way is made again: at most one call for each of the tasks side by side.
    assert again.total() <= AT_ONCE
    assert not undisturbed.again(runner)


def test_killed_within_the_fan_out_only_the_unfinished_agents_run_again(
    home: Path, undisturbed: KilledRun, tmp_path: Path
) -> None:
    runner = KilledRun(run_in_process, home, tmp_path)
    assert runner.run(hold_web=True) == -9
    first = {process for process, _ in runner.calls_by_process()}
    assert runner.run() == 0
    assert runner.values == undisturbed.values
    resumed = Counter(name for process, name in runner.calls_by_process() if process not in first)
    # The web's two searches and readings; the graph and the vectors are asked nothing any more.
    assert resumed["search"] == 2
    assert resumed["hm_rag_keywords"] == 0
    assert resumed["hm_rag_read"] == 2 + 3  # and one combination for each source
    assert not {"retrieve", "keywords", "explore"} & set(runner.outcome["tasks"])


def test_killed_again_and_again_the_run_still_ends(home: Path, undisturbed: KilledRun, tmp_path: Path) -> None:
    runner = KilledRun(run_in_process, home, tmp_path)
    deaths = 0
    while runner.run(die_after=14) == -9:
        deaths += 1
        assert deaths < TASKS
    assert deaths >= 2
    assert runner.values == undisturbed.values
