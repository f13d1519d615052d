"""A plugin of pytest that writes which tests run which lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

ROOMS = ("nodes", "state", "tools/corpus", "server")


class Covering:
    """Writes how many lines each test runs that passes, and by file and line the numbers of the tests that run it."""

    def __init__(self, into: Path) -> None:
        self._into = into
        self._tests: list[str] = []
        self._failed: set[str] = set()
        self._coverage = coverage.Coverage(data_file=None, config_file=False, source=list(ROOMS))
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Run a test within a context of its own."""
        self._coverage.switch_context(item.nodeid)
        self._tests.append(item.nodeid)
        result = yield
        self._coverage.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Leave out what fails or is skipped."""
        if not report.passed:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write the map."""
        self._coverage.stop()
        data = self._coverage.get_data()
        numbers = {test: number for number, test in enumerate(self._tests) if test not in self._failed}
        files = {
            str(Path(file).relative_to(Path.cwd())): {
                line: [numbers[test] for test in found if test in numbers]
                for line, found in sorted(data.contexts_by_lineno(file).items())
            }
            for file in data.measured_files()
        }
        self._into.parent.mkdir(parents=True, exist_ok=True)
        sizes = Counter(number for lines in files.values() for found in lines.values() for number in found)
        self._into.write_text(
            json.dumps({"tests": [(test, sizes[number]) for number, test in enumerate(self._tests)], "files": files})
        )
