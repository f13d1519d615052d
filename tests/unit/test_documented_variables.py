"""Every variable of the environment that the product reads is described in the docs."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
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
