"""Kill CogPlanner after every super-step, within its two branches and within its searches: it resumes to the
same end, and neither an answered decision nor a finished search is made again."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.killed_runs import KilledRun
from fixtures.scripted_cogplanner import ANSWER, ARCHITECT, YEAR, run_in_process

from backtrail.state.cogplanner.settings import Paradigm

SUPER_STEPS: dict[Paradigm, int] = {"sequential": 20, "parallel": 17}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cogplanner")
    return folder / "home"


@pytest.fixture(scope="module")
def undisturbed(home: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[Paradigm, KilledRun]:
    runners: dict[Paradigm, KilledRun] = {}
    for paradigm in SUPER_STEPS:
        runners[paradigm] = KilledRun(run_in_process, home, tmp_path_factory.mktemp(paradigm), paradigm)
        assert runners[paradigm].run() == 0
    return runners


@pytest.mark.parametrize("paradigm", SUPER_STEPS)
def test_the_run_has_as_many_super_steps_as_are_killed_below(
    undisturbed: dict[Paradigm, KilledRun], paradigm: Paradigm
) -> None:
    outcome = undisturbed[paradigm].outcome
    assert outcome["steps"] == SUPER_STEPS[paradigm]
    assert outcome["values"]["answer"]["text"] == ANSWER


@pytest.mark.parametrize(
    ("paradigm", "step"), [(name, step) for name in SUPER_STEPS for step in range(SUPER_STEPS[name])]
)
def test_killed_after_a_super_step(
    home: Path, undisturbed: dict[Paradigm, KilledRun], tmp_path: Path, paradigm: Paradigm, step: int
) -> None:
    runner = KilledRun(run_in_process, home, tmp_path, paradigm)
    assert runner.run(die_after=step) == -9
    assert runner.run() == 0
    expected = undisturbed[paradigm]
    assert runner.outcome["values"] == expected.outcome["values"]
    assert runner.outcome["steps"] == SUPER_STEPS[paradigm] - step
    assert sorted(runner.calls()) == sorted(expected.calls())
    assert sorted(runner.searched()) == sorted(expected.searched())


@pytest.mark.parametrize("paradigm", SUPER_STEPS)
def test_killed_among_searches_only_the_unfinished_one_is_made_again(
    home: Path, undisturbed: dict[Paradigm, KilledRun], tmp_path: Path, paradigm: Paradigm
) -> None:
    runner = KilledRun(run_in_process, home, tmp_path, paradigm)
    assert runner.run(die_in="search") == -9
    assert ARCHITECT in runner.searched()
    assert YEAR not in runner.searched()  # it died before it was answered
    assert runner.run() == 0
    assert runner.searched().count(ARCHITECT) == 1
    assert runner.outcome["values"] == undisturbed[paradigm].outcome["values"]


def test_killed_in_one_branch_the_other_is_kept(
    home: Path, undisturbed: dict[Paradigm, KilledRun], tmp_path: Path
) -> None:
    runner = KilledRun(run_in_process, home, tmp_path, "parallel")
    assert runner.run(die_in="route") == -9
    before = runner.calls()
    assert (before.count("cogplanner_reformulate"), before.count("cogplanner_route")) == (2, 2)
    assert runner.run() == 0
    after = runner.calls()
    assert after.count("cogplanner_reformulate") == 3  # one a round: the finished branch is not asked again
    assert after.count("cogplanner_route") == 4
    assert runner.outcome["values"] == undisturbed["parallel"].outcome["values"]
