"""Edges within a document, by numbered references: "Table 3", "Fig. 2", "section 4.2".

Captions and headings define the words for their kinds, so any language works that writes a word before a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from backtrail.tools.corpus.edges.component_text import ComponentText
from backtrail.tools.corpus.edges.edge import Edge

_NUMBER = r"(\d{1,3}(?:\.\d{1,3}){0,4})(?![\w])"
_POINTER = re.compile(rf"(?<![^\W\d_])([^\W\d_]{{1,20}}\.?\s{{1,2}}|§\s?){_NUMBER}")
_CAPTION = re.compile(rf"\W{{0,3}}([^\W\d_]{{1,20}})\.?\s{{1,2}}{_NUMBER}")
_HEADING = re.compile(rf"\s?(?:([^\W\d_]{{1,20}})\.?\s{{1,2}})?{_NUMBER}")
_SECTIONS = frozenset(
    {
        "section", "sections", "sect", "sec", "chapter", "clause", "§", "abschnitt", "kapitel", "ziffer", "chapitre",
        "sección", "capítulo", "sezione", "capitolo", "seção", "hoofdstuk", "paragraaf", "avsnitt", "rozdział",
        "раздел",
    }
)  # fmt: skip
_KINDS = frozenset(
    {
        "§", "table", "tab", "figure", "fig", "listing", "box", "exhibit", "chart", "plate", "map", "appendix", "annex",
        "tabelle", "abbildung", "abb", "bild", "tableau", "tabla", "cuadro", "figura", "tabella", "tabela", "quadro",
        "tabel", "figuur", "tabell", "figur", "tabulka", "rysunek", "таблица", "рисунок",
    }
)  # fmt: skip
MOST_OF_COMPONENT = 6
"""References kept of one component: a longer list is a table of contents."""

MOST_CALLED = 8
"""Parts kept with one number: Table 1, Figure 1, Listing 1 …"""

_Parts = dict[str, dict[str, int]]
"""Row of a part's first component, by number, then by word ("§" for sections)."""


def parts(components: Iterable[ComponentText]) -> Iterator[Edge]:
    """Edges from components to tables, pictures and sections of their own document, each pair once."""
    for document, members in groupby(components, key=lambda said: said.document):
        texts = list(members)
        numbered = _numbered(texts)
        if numbered:
            for said in texts:
                yield from _pointing(said, document, numbered)


def _numbered(members: list[ComponentText]) -> _Parts:
    found: _Parts = {}
    for said in members:
        caption = _CAPTION.match(said.caption)
        if caption and said.modality != "text":
            _keep(found, caption[2], caption[1].casefold(), said.row)
        heading = _HEADING.match(said.section.rpartition(" > ")[2])
        if heading:
            _keep(found, heading[2], "§", said.row)
    return {number: kept for number, held in found.items() if (kept := _named_kinds(held, found))}


def _named_kinds(held: dict[str, int], found: _Parts) -> dict[str, int]:
    """The parts of a number, without look-alikes: "Windows 8", "August 23".

    A word counts if it is a known kind, or if a part with number 1 has it.
    """
    first = found.get("1", {})
    return {called: row for called, row in held.items() if called in _KINDS or called in first}


def _keep(found: _Parts, number: str, called: str, row: int) -> None:
    held = found.setdefault(number, {})
    if len(held) < MOST_CALLED:
        held.setdefault(called, row)


def _pointing(said: ComponentText, document: int, numbered: _Parts) -> Iterator[Edge]:
    seen = {said.row}
    for found in _POINTER.finditer(said.text):
        target = _target(found[1].strip(" .\n\t").casefold(), numbered.get(found[2], {}))
        if target is not None and target not in seen and len(seen) <= MOST_OF_COMPONENT:
            seen.add(target)
            row = next((n for n, cells in enumerate(said.cells) if any(found[0] in cell for cell in cells)), -1)
            yield Edge(said.row, document, target, row, "reference", found[0])


def _target(called: str, held: dict[str, int]) -> int | None:
    """The part that a reference means: by its word or a prefix of it ("Fig." is Figure), or a section."""
    if called in _SECTIONS:
        return held.get("§")
    if called in held:
        return held[called]
    alike = (row for name, row in held.items() if name != "§" and _short_for(called, name))
    return next(alike, None)


def _short_for(called: str, name: str) -> bool:
    return min(len(called), len(name)) > 1 and (name.startswith(called) or called.startswith(name))
