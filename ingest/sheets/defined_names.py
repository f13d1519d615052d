"""Names that a workbook gives to cells ("Prices" for Sheet1!$A$3), so that links to a name lead to its cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import NamedTuple

MAX_NAMES = 50_000
"""Names of one workbook that are read; ours."""

LONGEST = 2_000
"""Characters that are read of what a name stands for; ours."""

_PLACE = re.compile(r"""((?:'(?:[^'\[\]]|'')+'|[^'\[\]!(),;"#]+)![$A-Z0-9:]+)\s*(?:[,;]|$)""", re.I)


class DefinedName(NamedTuple):
    """A name, what it stands for as the workbook writes it, and the number of the only sheet that knows it."""

    name: str
    stands_for: str
    sheet: int | None = None


class DefinedNames:
    """The names of one workbook that stand for cells of it; those of formulas and of other files are left out."""

    def __init__(self, names: Iterable[DefinedName]) -> None:
        self._places: dict[tuple[str, int | None], str] = {}
        for one in islice(names, MAX_NAMES):
            # no white space before it: the pattern would look through it in all ways
            if place := _PLACE.match(one.stands_for[:LONGEST].strip().removeprefix("=").lstrip()):
                self._places[one.name.casefold(), one.sheet] = place.group(1)

    def placed(self, links: Mapping[tuple[int, int], str], sheet: int) -> dict[tuple[int, int], str]:
        """The links of a sheet, with cells for names; a name of the sheet's own comes before one of the workbook.

        Args:
            links: addresses by row and column; those within the workbook start with "#".
            sheet: its number, from 0.
        """
        return {cell: self._placed(href, sheet) for cell, href in links.items()}

    def _placed(self, href: str, sheet: int) -> str:
        if not href.startswith("#"):
            return href
        name = href[1:].casefold()
        place = self._places.get((name, sheet)) or self._places.get((name, None))
        return f"#{place}" if place else href
