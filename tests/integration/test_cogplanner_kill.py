"""Kill CogPlanner after every super-step, within its two branches and within its searches: it resumes to the
same end, and neither an answered decision nor a finished search is made again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fixtures.forked_processes import exit_code
from fixtures.scripted_cogplanner import ANSWER, ARCHITECT, YEAR, calls, run_in_process, searched

from backtrail.state.cogplanner.settings import Paradigm

SUPER_STEPS: dict[Paradigm, int] = {"sequential": 20, "parallel": 17}


class Runner:
    """Runs the scripted run in processes that may be killed, on one thread with one call log."""

    def __init__(self, home: Path, folder: Path, paradigm: Paradigm) -> None:
        self._home = home
        self.log, self.result = folder / "calls.jsonl", folder / "result.json"
        self._thread = folder.name
        self._paradigm = paradigm

    def run(self, die_after: int | None = None, die_in: str | None = None) -> int | None:
        """Exit code of one process."""
        arguments = (str(self._home), str(self.log), str(self.result), self._thread, self._paradigm, die_after, die_in)
        return exit_code(run_in_process, *arguments)

    @property
    def outcome(self) -> dict[str, object]:
        return json.loads(self.result.read_text())


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cogplanner")
    return folder / "home"


@pytest.fixture(scope="module")
def undisturbed(home: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[Paradigm, Runner]:
    runners: dict[Paradigm, Runner] = {}
    for paradigm in SUPER_STEPS:
        runners[paradigm] = Runner(home, tmp_path_factory.mktemp(paradigm), paradigm)
        assert runners[paradigm].run() == 0
    return runners


@pytest.mark.parametrize("paradigm", SUPER_STEPS)
def test_the_run_has_as_many_super_steps_as_are_killed_below(
    undisturbed: dict[Paradigm, Runner], paradigm: Paradigm
) -> None:
    outcome = undisturbed[paradigm].outcome
    assert outcome["steps"] == SUPER_STEPS[paradigm]
    assert outcome["values"]["answer"]["text"] == ANSWER  # type: ignore[index]


@pytest.mark.parametrize(
    ("paradigm", "step"), [(name, step) for name in SUPER_STEPS for step in range(SUPER_STEPS[name])]
)
def test_killed_after_a_super_step(
    home: Path, undisturbed: dict[Paradigm, Runner], tmp_path: Path, paradigm: Paradigm, step: int
) -> None:
    runner = Runner(home, tmp_path, paradigm)
    assert runner.run(die_after=step) == -9
    assert runner.run() == 0
    expected = undisturbed[paradigm]
    assert runner.outcome["values"] == expected.outcome["values"]
    assert runner.outcome["steps"] == SUPER_STEPS[paradigm] - step
    assert sorted(calls(runner.log)) == sorted(calls(expected.log))
    assert sorted(searched(runner.log)) == sorted(searched(expected.log))


@pytest.mark.parametrize("paradigm", SUPER_STEPS)
def test_killed_among_searches_only_the_unfinished_one_is_made_again(
    home: Path, undisturbed: dict[Paradigm, Runner], tmp_path: Path, paradigm: Paradigm
) -> None:
    runner = Runner(home, tmp_path, paradigm)
    assert runner.run(die_in="search") == -9
    assert ARCHITECT in searched(runner.log)
    assert YEAR not in searched(runner.log)  # it died before it was answered
    assert runner.run() == 0
    assert searched(runner.log).count(ARCHITECT) == 1
    assert runner.outcome["values"] == undisturbed[paradigm].outcome["values"]


def test_killed_in_one_branch_the_other_is_kept(
    home: Path, undisturbed: dict[Paradigm, Runner], tmp_path: Path
) -> None:
    runner = Runner(home, tmp_path, "parallel")
    assert runner.run(die_in="route") == -9
    before = calls(runner.log)
    assert (before.count("cogplanner_reformulate"), before.count("cogplanner_route")) == (2, 2)
    assert runner.run() == 0
    after = calls(runner.log)
    assert after.count("cogplanner_reformulate") == 3  # one a round: the finished branch is not asked again
    assert after.count("cogplanner_route") == 4
    assert runner.outcome["values"] == undisturbed["parallel"].outcome["values"]
