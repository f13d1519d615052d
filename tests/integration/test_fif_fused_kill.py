"""Kill a run of FiF's fused decision at every super-step: it resumes to the same end, and asks for nothing twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.killed_runs import KilledRun
from fixtures.scripted_fif import ANSWER, make_corpus
from fixtures.scripted_fused_fif import DECISIONS, ROUTES, run_in_process

SUPER_STEPS = 28


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fused-kill")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        make_corpus(folder)
    return folder / "home"


@pytest.fixture(scope="module")
def undisturbed(home: Path, tmp_path_factory: pytest.TempPathFactory) -> KilledRun:
    runner = KilledRun(run_in_process, home, tmp_path_factory.mktemp("undisturbed"))
    assert runner.run() == 0
    return runner


def test_the_run_takes_every_turn_that_is_killed_below(undisturbed: KilledRun) -> None:
    assert undisturbed.outcome["steps"] == SUPER_STEPS
    assert undisturbed.calls() == DECISIONS
    hops = undisturbed.values["hops"]
    assert [(hop["kind"], (hop["strategy"] or {}).get("scope"), hop["outcome"]) for hop in hops] == ROUTES
    assert undisturbed.values["draft"]["unverified"] == []
    assert undisturbed.values["answer"]["text"] == ANSWER


@pytest.mark.parametrize("step", range(SUPER_STEPS))
def test_killed_after_a_super_step(home: Path, undisturbed: KilledRun, tmp_path: Path, step: int) -> None:
    runner = KilledRun(run_in_process, home, tmp_path)
    assert runner.run(die_after=step) == -9
    assert runner.run() == 0
    assert runner.values == undisturbed.values
    assert runner.outcome["steps"] == SUPER_STEPS - step
    assert runner.calls() == undisturbed.calls()


def test_killed_after_each_super_step_of_one_run(home: Path, undisturbed: KilledRun, tmp_path: Path) -> None:
    runner = KilledRun(run_in_process, home, tmp_path)
    deaths = 0
    while runner.run(die_after=1) == -9:
        deaths += 1
    assert deaths == SUPER_STEPS - 1
    assert runner.values == undisturbed.values
    assert runner.calls() == undisturbed.calls()
