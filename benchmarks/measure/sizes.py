"""Size of the checkout: lines of Python by room, words of the documentation."""

from __future__ import annotations

import subprocess
from collections import Counter

from measure.digests import ROOT
from measure.measured import Measured
from measure.skipped import Skipped

LINES = "lines of Python"
WORDS = "words"


def measure_sizes(found: Measured) -> None:
    """Count the files that git tracks or would track."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True,
    )  # fmt: skip
    if listed.returncode:
        raise Skipped("the checkout is no git repository, so which files belong to it is unknown")
    rooms = {link.name for link in (ROOT / "src" / "backtrail").iterdir()}
    lines: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for name in dict.fromkeys(listed.stdout.decode().split("\0")):
        path = ROOT / name
        top = name.partition("/")[0]
        if path.is_symlink() or not path.is_file():
            continue
        if path.suffix == ".py":
            count = path.read_bytes().count(b"\n")
            lines[top if "/" in name else "top level"] += count
            lines["product"] += count if top in rooms else 0
        elif path.suffix == ".md" and (top == "docs" or top == name) and name != "CHANGELOG.md":
            words["documentation"] += len(path.read_text(encoding="utf-8").split())
    found.numbers[LINES] = dict(sorted(lines.items()))
    found.numbers[WORDS] = dict(words)
