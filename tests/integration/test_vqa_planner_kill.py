"""Kill the VQA planner and OmniSearch after every super-step: they resume to the same end, and nothing that was
decided or searched is done again."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.killed_runs import KilledRun
from fixtures.scripted_vqa import ANSWER, run_in_process


@pytest.mark.parametrize("method", ["vqa_planner", "omnisearch"])
def test_killed_after_each_super_step_of_one_run(tmp_path: Path, method: str) -> None:
    undisturbed, runner = (
        KilledRun(run_in_process, tmp_path / "home", tmp_path / name, method) for name in ("whole", "killed")
    )
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
    assert undisturbed.run() == 0
    assert undisturbed.values["answer"]["text"] == ANSWER
    deaths = 0
    while runner.run(die_after=1) == -9:
        deaths += 1
    assert deaths == undisturbed.outcome["steps"] - 1 >= 7
    assert runner.values == undisturbed.values
    assert (runner.calls(), runner.searched()) == (undisturbed.calls(), undisturbed.searched())
