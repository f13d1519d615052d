"""What the documentation signs with a test and says of settings is so, and it has every variable."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backtrail.state.settings import Settings

ROOT = Path(__file__).parents[2]


def _lines(folder: str) -> Iterator[tuple[str, str]]:
    for page in sorted((ROOT / folder).rglob("*.md")):
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
            yield f"{page.relative_to(ROOT)}:{number}", line


def test_every_test_that_a_page_names_exists() -> None:
    files = (ROOT / "tests").rglob("test_*.py")
    known = {name for file in files for name in re.findall(r"def (test_\w+)", file.read_text(encoding="utf-8"))}
    named = [(place, name) for place, line in _lines("docs") for name in re.findall(r"`(test_\w+)`", line)]
    assert len(named) > 50
    assert [(place, name) for place, name in named if name not in known] == []


def test_every_line_of_a_ledger_has_a_reason_and_one_that_is_the_same_names_a_test() -> None:
    rows = [(place, line.split("|")) for place, line in _lines("docs/methods") if line.count("|") == 5]
    rows = [(place, row) for place, row in rows if re.match(r"same|ours|differs", row[3].strip())]
    assert len(rows) > 100
    assert [place for place, row in rows if not row[4].strip()] == []
    same = [(place, row[4]) for place, row in rows if row[3].strip().startswith("same")]
    assert [place for place, why in same if not re.search(r"`test_\w+`", why)] == []


def test_settings_have_the_values_that_the_pages_of_methods_give_them() -> None:
    given = [
        (place, name, value)
        for place, line in _lines("docs/methods")
        for name, value in re.findall(r"`([a-z_]+(?:\.[a-z_0-9]+)+)`(?: = | \()(\d[\d.]*\d|\d)\b", line)
    ]
    assert len(given) > 20
    assert [one for one in given if float(_value(one[1])) != float(one[2])] == []


def _value(path: str) -> Any:
    held: Any = Settings()
    for part in path.split("."):
        held = getattr(held, part)
    return held


SET_BY_BACKTRAIL = {"BACKTRAIL_HOME_OF_THE_USER", "BACKTRAIL_SAYS_READY"}
"""Variables that a process of Backtrail sets for another one."""
ROOMS = [path for path in (ROOT / "src" / "backtrail").iterdir() if path.is_dir()]
READ = re.compile(r'"(BACKTRAIL_[A-Z]+(?:_[A-Z]+)*)"')


def test_every_variable_that_the_product_reads_is_documented() -> None:
    sources = [file.read_text(encoding="utf-8") for room in ROOMS for file in room.resolve().rglob("*.py")]
    read = {name for text in sources for name in READ.findall(text)} - SET_BY_BACKTRAIL
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    assert len(read) > 30
    assert sorted(name for name in read if name not in pages) == []
