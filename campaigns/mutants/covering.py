"""Coverage map: which tests run which lines of the mutated rooms."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest
from coverage import CoverageData

ROOMS = ("nodes", "state", "tools/corpus", "server")
_MAP = ".measure/mutants/coverage"
_APART = re.compile(r"subprocess|Process|kill|loopback|mark\.server|postgres|torch|transformers|gguf|\bray|aegra")


def write_map(paths: list[str]) -> None:
    """Run the named tests, by default all suitable ones, and write which lines each of them runs."""
    files = sorted(Path("tests/integration").glob("test_*.py"))
    together = [str(file) for file in files if not _APART.search(file.read_text())]
    Path(_MAP).parent.mkdir(parents=True, exist_ok=True)
    os.environ["COVERAGE_FILE"] = _MAP
    options = [*(f"--cov={room}" for room in ROOMS), "--cov-context=test", "--cov-report="]
    pytest.main(["-p", "no:cacheprovider", *options, *(paths or ["tests/unit", *together])])


class Covering:
    """The coverage map."""

    def __init__(self) -> None:
        data = CoverageData(_MAP)
        data.read()
        self._lines: dict[str, dict[int, set[str]]] = {}
        for file in data.measured_files():
            lines = data.contexts_by_lineno(file).items()
            name = str(Path(file).relative_to(Path.cwd()))
            self._lines[name] = {line: {test.rpartition("|")[0] for test in tests if test} for line, tests in lines}
        self._sizes = Counter(test for lines in self._lines.values() for tests in lines.values() for test in tests)

    def tests(self, file: str, lines: range) -> list[str]:
        """Return the tests that run any of these lines: unit tests first, then by fewer other lines."""
        found = {test for line in lines for test in self._lines.get(file, {}).get(line, ())}
        return sorted(found, key=lambda test: (test.startswith("tests/integration/"), self._sizes[test], test))
