"""Kill the VQA planner and OmniSearch after every super-step: they resume to the same end, and nothing that was
decided or searched is done again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fixtures.forked_processes import exit_code
from fixtures.scripted_cogplanner import calls, searched
from fixtures.scripted_vqa import ANSWER, run_in_process

SUPER_STEPS = {"vqa_planner": 8, "omnisearch": 11}


class Runner:
    """Runs the scripted run of a method in processes that may be killed, on one thread with one call log."""

    def __init__(self, method: str, home: Path, folder: Path) -> None:
        self._method, self._home, self._thread = method, home, folder.name
        self.log, self.result = folder / "calls.jsonl", folder / "result.json"

    def run(self, die_after: int | None = None) -> int | None:
        """Exit code of one process."""
        arguments = (self._method, str(self._home), str(self.log), str(self.result), self._thread, die_after)
        return exit_code(run_in_process, *arguments)

    def same_as(self, other: Runner) -> bool:
        """Whether both ended alike, with the same decisions and searches, each made once."""
        ends = [json.loads(one.result.read_text())["values"] for one in (self, other)]
        return ends[0] == ends[1] and calls(self.log) == calls(other.log) and searched(self.log) == searched(other.log)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("vqa") / "home"


@pytest.fixture(scope="module")
def undisturbed(home: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Runner]:
    runners = {method: Runner(method, home, tmp_path_factory.mktemp(method)) for method in SUPER_STEPS}
    assert [runner.run() for runner in runners.values()] == [0] * len(runners)
    return runners


@pytest.mark.parametrize("method", SUPER_STEPS)
def test_the_run_has_as_many_super_steps_as_are_killed_below(undisturbed: dict[str, Runner], method: str) -> None:
    outcome = json.loads(undisturbed[method].result.read_text())
    assert outcome["steps"] == SUPER_STEPS[method]
    assert outcome["values"]["answer"]["text"] == ANSWER


@pytest.mark.parametrize(
    ("method", "step"), [(one, step) for one, steps in SUPER_STEPS.items() for step in range(steps)]
)
def test_killed_after_a_super_step(
    home: Path, undisturbed: dict[str, Runner], tmp_path: Path, method: str, step: int
) -> None:
    runner = Runner(method, home, tmp_path)
    assert runner.run(die_after=step) == -9
    assert runner.run() == 0
    assert runner.same_as(undisturbed[method])
    assert json.loads(runner.result.read_text())["steps"] == SUPER_STEPS[method] - step


@pytest.mark.parametrize("method", SUPER_STEPS)
def test_killed_after_each_super_step_of_one_run(
    home: Path, undisturbed: dict[str, Runner], tmp_path: Path, method: str
) -> None:
    runner = Runner(method, home, tmp_path)
    deaths = 0
    while runner.run(die_after=1) == -9:
        deaths += 1
    assert deaths == SUPER_STEPS[method] - 1
    assert runner.same_as(undisturbed[method])
