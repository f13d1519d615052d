"""Run the tests of a mutated line until one fails. Only functions of a process are changed, no files."""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import signal
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from types import CodeType, FunctionType
from typing import Any

import pytest

from campaigns.mutants.covering import ROOMS, Covering
from campaigns.mutants.sampling import Mutant, statements

FIRST, MOST = 25, 200
"""Number of tests of one mutant that run first, and in total."""

CPU_SECONDS, WALL_SECONDS = 60, 240.0
"""Limits of the trial of one mutant; on a busy machine the first one applies."""

_REWRITTEN = "ignore::pytest.PytestAssertRewriteWarning"  # the rooms import plugins of pytest


def run(sample: Sequence[Mutant], covering: Covering, into: Path) -> None:
    """Try each mutant that is not in the file of results yet."""
    for file in (file for room in (*ROOMS, "graphs") for file in sorted(Path(room).rglob("*.py"))):
        with suppress(ImportError):  # a server that is not installed
            importlib.import_module(".".join(("backtrail", *file.with_suffix("").parts)).removesuffix(".__init__"))
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = tempfile.mkdtemp()
    done = results(into)
    for number, mutant in enumerate(sample):
        if number in done:
            continue
        begun = monotonic()
        outcome, by = _tried(mutant, covering)
        record = {"number": number, "outcome": outcome, "by": by, "seconds": round(monotonic() - begun, 1)}
        with into.open("a") as file:
            file.write(json.dumps(record | mutant._asdict()) + "\n")
        print(f"{number + 1} of {len(sample)}: {outcome} {mutant.file}:{mutant.line} {by}", flush=True)


def results(file: Path) -> dict[int, dict[str, Any]]:
    """Return the records of a run by the number of the mutant."""
    records = map(json.loads, file.read_text().splitlines()) if file.exists() else ()
    return {record["number"]: record for record in records}


def _tried(mutant: Mutant, covering: Covering) -> tuple[str, str]:
    """Try a mutant; return the outcome and the test that found it."""
    path = Path(mutant.file)
    changed = mutant.applied(path.read_text()) if path.exists() else None
    if changed is None:
        return "gone", ""
    line, text = changed
    head = statements(path.read_text()).get(line, range(line, line + 1))
    tests, until = covering.tests(mutant.file, head)[:MOST], monotonic() + WALL_SECONDS
    for part in (tests[:FIRST], tests[FIRST:]):
        outcome, by = _ended(f"/backtrail/{path}", text, part, until) if part else ("survived", "")
        if outcome != "survived":
            return outcome, by
    return "survived", ""


def _ended(file: str, text: str, tests: list[str], until: float) -> tuple[str, str]:
    fork = get_context("fork")
    here, there = fork.Pipe(duplex=False)
    process = fork.Process(target=_run, args=(there, file, text, tests))
    process.start()
    there.close()
    try:
        in_time = here.poll(max(until - monotonic(), 1.0))
        return here.recv() if in_time else ("timeout", "")
    except EOFError:
        process.join()
        return "timeout" if process.exitcode == -signal.SIGXCPU else "error", ""
    finally:
        if process.pid is not None and process.is_alive():
            os.killpg(process.pid, signal.SIGKILL)
        process.join()
        here.close()


def _run(answer: Connection, file: str, text: str, tests: list[str]) -> None:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, resource.RLIM_INFINITY))
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    _mutate(file, compile(text, file, "exec", dont_inherit=True))
    failure = _Failure()
    options = ["-x", "-p", "no:cacheprovider", "--hypothesis-seed=0", "-W", _REWRITTEN]
    status = pytest.main([*options, *tests], plugins=[failure])
    survived = status == pytest.ExitCode.OK and not failure.test
    answer.send(("survived", "") if survived else ("killed" if failure.test else "error", failure.test))
    os._exit(0)


def _mutate(file: str, module: CodeType) -> None:
    """Replace the code of each function of a file by that of the changed module."""
    codes, changed = [module], {}
    while codes:
        code = codes.pop()
        changed[code.co_qualname, code.co_firstlineno] = code
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    for function in (one for one in gc.get_objects() if isinstance(one, FunctionType)):
        if function.__code__.co_filename.endswith(file):
            function.__code__ = changed[function.__code__.co_qualname, function.__code__.co_firstlineno]


class _Failure:
    """The first test that failed, or file that cannot be collected."""

    test = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.test = self.test or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.test = self.test or report.nodeid
