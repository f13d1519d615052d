"""Kill a run after every super-step: it resumes to the same end, and no answered call is made again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fixtures.forked_processes import exit_code
from fixtures.scripted_fif import ANSWER, calls, make_corpus, run_in_process

SUPER_STEPS = 28


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


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kill")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        make_corpus(folder)
    return folder / "home"


@pytest.fixture(scope="module")
def undisturbed(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    runner = Runner(home, tmp_path_factory.mktemp("undisturbed"))
    assert runner.run() == 0
    return runner


def test_the_run_has_as_many_super_steps_as_are_killed_below(undisturbed: Runner) -> None:
    outcome = json.loads(undisturbed.result.read_text())
    assert outcome["steps"] == SUPER_STEPS
    assert outcome["values"]["answer"]["text"] == ANSWER


@pytest.mark.parametrize("step", range(SUPER_STEPS))
def test_killed_after_a_super_step(home: Path, undisturbed: Runner, tmp_path: Path, step: int) -> None:
    runner = Runner(home, tmp_path)
    assert runner.run(die_after=step) == -9
    assert runner.run() == 0
    outcome, expected = (json.loads(one.result.read_text()) for one in (runner, undisturbed))
    assert outcome["values"] == expected["values"]
    assert outcome["steps"] == SUPER_STEPS - step
    assert calls(runner.log) == calls(undisturbed.log)


def test_killed_after_each_super_step_of_one_run(home: Path, undisturbed: Runner, tmp_path: Path) -> None:
    runner = Runner(home, tmp_path)
    deaths = 0
    while runner.run(die_after=1) == -9:
        deaths += 1
    assert deaths == SUPER_STEPS - 1
    expected = json.loads(undisturbed.result.read_text())
    assert json.loads(runner.result.read_text())["values"] == expected["values"]
    assert calls(runner.log) == calls(undisturbed.log)
