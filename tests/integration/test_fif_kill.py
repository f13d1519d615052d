"""Kill a run of FiF after every super-step, with a decision for each judgement (the paper's) and with fused ones: it
resumes to the same end, and no answered call is made again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fixtures import scripted_fif, scripted_fused_fif
from fixtures.killed_runs import KilledRun, corpus_home

SUPER_STEPS = 28
RUNS = {"apart": scripted_fif.run_in_process, "fused": scripted_fused_fif.run_in_process}

home = corpus_home(scripted_fif.make_corpus)


@pytest.fixture(scope="module", params=RUNS)
def run_in_process(request: pytest.FixtureRequest) -> Callable[..., None]:
    return RUNS[request.param]


@pytest.fixture(scope="module")
def undisturbed(run_in_process: Callable[..., None], home: Path, tmp_path_factory: pytest.TempPathFactory) -> KilledRun:
    runner = KilledRun(run_in_process, home, tmp_path_factory.mktemp("undisturbed"))
    assert runner.run() == 0
    return runner


def test_the_run_has_as_many_super_steps_as_are_killed_below(undisturbed: KilledRun) -> None:
    assert undisturbed.outcome["steps"] == SUPER_STEPS
    assert undisturbed.values["answer"]["text"] == scripted_fif.ANSWER


@pytest.mark.parametrize("run_in_process", ["fused"], indirect=True)
def test_the_fused_run_takes_every_turn_that_is_killed_below(undisturbed: KilledRun) -> None:
    assert undisturbed.calls() == scripted_fused_fif.DECISIONS
    hops = undisturbed.values["hops"]
    turns = [(hop["kind"], (hop["strategy"] or {}).get("scope"), hop["outcome"]) for hop in hops]
    assert turns == scripted_fused_fif.ROUTES
    assert undisturbed.values["draft"]["unverified"] == []


@pytest.mark.parametrize("step", range(SUPER_STEPS))
def test_killed_after_a_super_step(
    run_in_process: Callable[..., None], home: Path, undisturbed: KilledRun, tmp_path: Path, step: int
) -> None:
    runner = KilledRun(run_in_process, home, tmp_path)
    assert runner.run(die_after=step) == -9
    assert runner.run() == 0
    assert runner.values == undisturbed.values
    assert runner.outcome["steps"] == SUPER_STEPS - step
    assert runner.calls() == undisturbed.calls()


def test_killed_after_each_super_step_of_one_run(
    run_in_process: Callable[..., None], home: Path, undisturbed: KilledRun, tmp_path: Path
) -> None:
    runner = KilledRun(run_in_process, home, tmp_path)
    deaths = 0
    while runner.run(die_after=1) == -9:
        deaths += 1
    assert deaths == SUPER_STEPS - 1
    assert runner.values == undisturbed.values
    assert runner.calls() == undisturbed.calls()
