"""Kill the VQA planner and OmniSearch after every super-step: they resume to the same end, and nothing that was
decided or searched is done again."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.killed_runs import KilledRun
from fixtures.scripted_vqa import ANSWER, run_in_process

SUPER_STEPS = {"vqa_planner": 8, "omnisearch": 11}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("vqa") / "home"


@pytest.fixture(scope="module")
def undisturbed(home: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, KilledRun]:
    runners = {
        method: KilledRun(run_in_process, home, tmp_path_factory.mktemp(method), method) for method in SUPER_STEPS
    }
    assert [runner.run() for runner in runners.values()] == [0] * len(runners)
    return runners


def assert_same(run: KilledRun, other: KilledRun) -> None:
    """Both ended alike, with the same decisions and searches, each made once."""
    assert run.values == other.values
    assert (run.calls(), run.searched()) == (other.calls(), other.searched())


@pytest.mark.parametrize("method", SUPER_STEPS)
def test_the_run_has_as_many_super_steps_as_are_killed_below(undisturbed: dict[str, KilledRun], method: str) -> None:
    outcome = undisturbed[method].outcome
    assert outcome["steps"] == SUPER_STEPS[method]
    assert outcome["values"]["answer"]["text"] == ANSWER


@pytest.mark.parametrize(
    ("method", "step"), [(one, step) for one, steps in SUPER_STEPS.items() for step in range(steps)]
)
def test_killed_after_a_super_step(
    home: Path, undisturbed: dict[str, KilledRun], tmp_path: Path, method: str, step: int
) -> None:
    runner = KilledRun(run_in_process, home, tmp_path, method)
    assert runner.run(die_after=step) == -9
    assert runner.run() == 0
    assert_same(runner, undisturbed[method])
    assert runner.outcome["steps"] == SUPER_STEPS[method] - step


@pytest.mark.parametrize("method", SUPER_STEPS)
def test_killed_after_each_super_step_of_one_run(
    home: Path, undisturbed: dict[str, KilledRun], tmp_path: Path, method: str
) -> None:
    runner = KilledRun(run_in_process, home, tmp_path, method)
    deaths = 0
    while runner.run(die_after=1) == -9:
        deaths += 1
    assert deaths == SUPER_STEPS[method] - 1
    assert_same(runner, undisturbed[method])
