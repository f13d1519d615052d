"""Numbers that Word computes for headings and list items: "2.1", "b)", "•"."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from backtrail.ingest.word.names import W, value

_PLACE = re.compile(r"%(\d)")
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_MOST = 3999
_SHOWN = ("decimal", "lowerletter", "upperletter", "lowerroman", "upperroman", "decimalzero")


class Numbering:
    """Counts the items of a document's lists; ask in the order of the text."""

    def __init__(self, root: Any | None) -> None:
        self._lists: dict[str, str] = {}
        self._levels: dict[str, dict[int, Any]] = {}
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        if root is None:
            return
        for abstract in root.iter(f"{W}abstractNum"):
            levels = {_number(value(level, "ilvl")): level for level in abstract.iter(f"{W}lvl")}
            self._levels[value(abstract, "abstractNumId")] = levels
        for one in root.iter(f"{W}num"):
            self._lists[value(one, "numId")] = value(one.find(f"{W}abstractNumId"))

    def next_label(self, list_: str, level: int) -> str | None:
        """The label of a list's next item; empty for bullets, None where the list is not defined."""
        abstract = self._lists.get(list_, "")
        levels = self._levels.get(abstract)
        if levels is None or level not in levels:
            return None
        counts = self._counts[abstract]
        start = _number(value(levels[level].find(f"{W}start")) or "1")
        counts[level] = counts.get(level, start - 1) + 1
        for deeper in [other for other in counts if other > level]:
            del counts[deeper]
        if value(levels[level].find(f"{W}numFmt")).lower() not in _SHOWN:
            return ""
        text = value(levels[level].find(f"{W}lvlText"))
        return _PLACE.sub(lambda place: self._written(levels, counts, int(place.group(1)) - 1), text)

    def _written(self, levels: dict[int, Any], counts: dict[int, int], level: int) -> str:
        kind = value(levels[level].find(f"{W}numFmt")).lower() if level in levels else "decimal"
        return written(counts.get(level, 1), kind)


def written(number: int, kind: str) -> str:
    """A number in one of Word's formats: "decimal", "lowerletter", "upperroman" …"""
    number = max(0, min(number, _MOST))
    if kind.endswith("roman"):
        text = ""
        for size, sign in _ROMAN:
            count, number = divmod(number, size)
            text += sign * count
        return text.upper() if kind.startswith("upper") else text
    if kind.endswith("letter") and number:
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter.upper() if kind.startswith("upper") else letter
    return f"{number:02d}" if kind == "decimalzero" else str(number)


def _number(text: str) -> int:
    return int(text) if text.isdigit() and len(text) < 6 else 0
