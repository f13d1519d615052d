"""Clues: pieces of the evidence that name a thing and say something about it.

A question often describes a thing in one place ("the craft that saw the bright spots") and asks about it in
another (its table of dates). The name of the thing joins the two.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from backtrail.language.terms import content_terms
from backtrail.rules.reader.support import covered
from backtrail.state.answer_decisions import EvidenceText

# Text longer than this speaks of many things; its sentences are clues one by one.
PARAGRAPH_SENTENCES = 4
_JOINTS = re.compile(r"\s+and\s+|\s*[,;/]\s*|(?<=[a-z])-(?=[A-Z])")
_SHORTEST_PART = 3
NAME_CHARACTERS = 40


@dataclass(frozen=True)
class Clue:
    """A paragraph or row: its folded text with the title over it, and its terms."""

    item: EvidenceText
    row: int | None
    text: str
    terms: frozenset[str]


def clues(evidence: list[EvidenceText]) -> list[Clue]:
    """Every row, every short paragraph, and every sentence of long ones."""
    found: list[Clue] = []
    for item in evidence:
        over = " ".join([item.title, item.section])
        found += [_clue(item, row, [over, *item.header, *cells]) for row, cells in enumerate(item.rows)]
        if len(item.sentences) <= PARAGRAPH_SENTENCES:
            found.append(_clue(item, None, [over, *item.sentences]))
        else:
            found += [_clue(item, None, [over, sentence]) for sentence in item.sentences]
    return found


def _clue(item: EvidenceText, row: int | None, parts: list[str]) -> Clue:
    text = " ".join(parts)
    return Clue(item, row, text.casefold(), content_terms(text))


def names_of(title: str) -> list[str]:
    """A title and, if it joins several names ("Cassini-Huygens", "Pioneer 10 and Pioneer 11"), each of them."""
    parts = [part.strip() for part in _JOINTS.split(title)]
    return list(dict.fromkeys(name for name in [title.strip(), *parts] if len(name) >= _SHORTEST_PART))


def is_name(cell: str) -> bool:
    """Whether a cell may name a thing: short, and written with a capital."""
    return 0 < len(cell) <= NAME_CHARACTERS and cell[:1].isupper()


def best_clue(names: list[str], wanted: frozenset[str], told: list[Clue], rarity: Mapping[str, float]) -> Clue | None:
    """The clue that names one of these and says most of what is wanted."""
    patterns = [re.compile(rf"(?<!\w){re.escape(name.casefold())}(?!\w)") for name in names]
    naming = [clue for clue in told if any(pattern.search(clue.text) for pattern in patterns)]
    return max(naming, key=lambda clue: covered(wanted, clue.terms, rarity), default=None)


class Hearsay:
    """What the clues say of a name, looked up once per name."""

    def __init__(self, told: list[Clue], wanted: frozenset[str], rarity: Mapping[str, float]) -> None:
        self._told = told
        self._wanted = wanted
        self._rarity = rarity
        self._by_name: dict[str, Clue | None] = {}

    def of(self, names: list[str]) -> frozenset[str]:
        """Terms of the clue that says most of what is wanted and names one of these; none for none."""
        found = [clue for name in names if (clue := self._best(name))]
        best = max(found, key=lambda clue: covered(self._wanted, clue.terms, self._rarity), default=None)
        return best.terms if best else frozenset()

    def _best(self, name: str) -> Clue | None:
        if name not in self._by_name:
            self._by_name[name] = best_clue([name], self._wanted, self._told, self._rarity)
        return self._by_name[name]
