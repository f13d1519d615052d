"""The fidelity ledgers: what is said to be the same as in a paper is held by a test, everything else has a reason."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
LEDGERS = sorted(file for file in (ROOT / "docs" / "methods").glob("*.md") if file.name != "README.md")


@cache
def names_of_tests() -> frozenset[str]:
    """Names of all test functions."""
    files = (ROOT / "tests").rglob("test_*.py")
    return frozenset(
        name for file in files for name in re.findall(r"^\s*(?:async )?def (test_\w+)", file.read_text(), re.M)
    )


def lines(ledger: Path) -> list[tuple[str, str, str]]:
    """(what the paper says, status, why) of each line."""
    rows = (line.split("|") for line in ledger.read_text().split("\n") if line.startswith("|") and line.count("|") == 5)
    cells = ([cell.strip() for cell in row[1:5]] for row in rows)
    return [(said, status, why) for said, _, status, why in cells if re.match(r"same|ours|differs", status)]


@pytest.mark.parametrize("ledger", LEDGERS, ids=lambda file: file.stem)
def test_every_line_is_signed_by_a_test_that_exists_or_a_reason(ledger: Path) -> None:
    found = lines(ledger)
    assert len(found) > 10
    for said, status, why in found:
        assert why, f"{said!r} has neither a test nor a reason"
        named = re.findall(r"`(test_\w+)`", why)
        assert set(named) <= names_of_tests(), f"{said!r} names a test that is not there"
        assert named or not status.startswith("same"), f"{said!r} is the same, says who?"
