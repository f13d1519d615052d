"""No regular expression that is searched begins with an unbounded repeat: on a run of it, that takes quadratic time."""

import importlib
import re
from pathlib import Path

import pytest
from fixtures.searched_patterns import searched_patterns
from fixtures.unbounded_starts import starts_unbounded

SOURCES = Path(__file__).parents[3] / "src"
IMPORTS_RE = re.compile(r"^import re$", re.MULTILINE)
LINEAR = {
    "backtrail.ingest.html.boilerplate _PART": "takes a run of capitals, its last letter perhaps excepted",
    "backtrail.language.questions _TOKEN": "takes a word, its last letter perhaps excepted",
}
"""Patterns that take the run with which they begin in any case, and how."""


def test_no_search_begins_with_an_unbounded_repeat() -> None:
    """Let a pattern begin where the run does, ``(?<!\\s)\\s+x``, or bound the repeat, ``\\s{1,40}x``."""
    paths = [path.relative_to(SOURCES) for path in _sources() if IMPORTS_RE.search(path.read_text(encoding="utf-8"))]
    names = sorted(".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths)
    found = {
        f"{name} {place}": pattern.pattern
        for name in names
        for place, pattern in searched_patterns(importlib.import_module(name))
        if starts_unbounded(pattern)
    }
    assert {place: pattern for place, pattern in found.items() if place not in LINEAR} == {}
    assert LINEAR.keys() <= found.keys(), "remove what is no longer found"


def _sources() -> list[Path]:
    rooms = [room for room in (SOURCES / "backtrail").iterdir() if room.is_dir()]  # links, which rglob does not follow
    return [path for room in rooms for path in room.rglob("*.py")]


@pytest.mark.parametrize(
    ("pattern", "unbounded"),
    [
        (r"\s+x", True),
        (r"a|b?\s{2,}x", True),
        (r"(?:ab)+c", True),
        (r"\s+", False),
        (r"(?<!\s)\s+x", False),
        (r"^\s+x", False),
        (r"\s{0,40}x", False),
    ],
)
def test_unbounded_repeats_at_the_start_are_found(pattern: str, unbounded: bool) -> None:
    assert starts_unbounded(re.compile(pattern)) is unbounded
