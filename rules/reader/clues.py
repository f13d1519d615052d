"""Clues: pieces of the evidence that name a thing and say something about it.

A question often describes a thing in one place ("the craft that saw the bright spots") and asks about it in
another (its table of dates). The name of the thing joins the two.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import AUXILIARIES
from backtrail.rules.reader.support import covered, heading
from backtrail.state.answer_decisions import EvidenceText

# Text longer than this speaks of many things; its sentences are clues one by one.
PARAGRAPH_SENTENCES = 4
_JOINTS = re.compile(r" and | ?[,;/] ?|(?<=[a-z])-(?=[A-Z])")
_SHORTEST_PART = 3
NAME_CHARACTERS = 40
# A clue is what stands at the beginning of a paragraph or row; the longest of 22,736 of Wikipedia has 4,486.
CLUE_CHARACTERS = 8000
_WORD = re.compile(r"\w+")
# Where a sentence turns to something else …
_CLAUSES = re.compile(r",\s+(?:and|but|while|whereas)\s|;\s")
# … if a clause follows, and not the last thing of a list.
_VERB = re.compile(rf"\b(?:{'|'.join(sorted(AUXILIARIES))}|\w{{2,}}ed)\b", re.IGNORECASE)


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
        over, headed = heading(item.title, item.section), heading(item.title, item.section, *item.header)
        found += [_clue(item, row, headed, cells) for row, cells in enumerate(item.rows)]
        if len(item.sentences) <= PARAGRAPH_SENTENCES:
            found.append(_clue(item, None, over, item.sentences))
        else:
            found += [_clue(item, None, over, [sentence]) for sentence in item.sentences]
    return found


def _clue(item: EvidenceText, row: int | None, over: str, parts: list[str]) -> Clue:
    text = " ".join([over, *parts])[:CLUE_CHARACTERS]
    return Clue(item, row, text.casefold(), content_terms(text))


def names_of(title: str) -> list[str]:
    """A title and, if it joins several names ("Cassini-Huygens", "Pioneer 10 and Pioneer 11"), each of them."""
    parts = [part.strip() for part in _JOINTS.split(" ".join(title.split()))]
    return list(dict.fromkeys(name for name in [title.strip(), *parts] if len(name) >= _SHORTEST_PART))


def is_name(cell: str) -> bool:
    """Whether a cell may name a thing: short, and written with a capital."""
    return 0 < len(cell) <= NAME_CHARACTERS and cell[:1].isupper()


def says_of_another(clue: Clue, names: Sequence[str], wanted: frozenset[str], rarity: Mapping[str, float]) -> bool:
    """Whether the sentence that names a thing says what is wanted in a clause before, and so of something else.

    "The dish was a spare of Voyager, and other parts were left over from Galileo" says nothing of Galileo's dish.
    """
    if clue.row is not None:
        return False
    for sentence in clue.item.sentences:
        found = [match.start() for name in names for match in _whole(name).finditer(sentence.casefold())]
        cuts = [cut.start() for cut in _CLAUSES.finditer(sentence) if found and cut.end() <= min(found)]
        if cuts and _VERB.search(sentence[cuts[-1] : min(found)]):
            before, own = content_terms(sentence[: cuts[-1]]), content_terms(sentence[cuts[-1] :])
            return covered(wanted, before, rarity) > covered(wanted, own, rarity)
    return False


def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name.casefold())}(?!\w)")


class Told:
    """Clues by their words: those that name a thing are found without reading all of them."""

    def __init__(self, told: Sequence[Clue]) -> None:
        self.clues = told
        self._of_word: dict[str, list[int]] = defaultdict(list)
        for place, clue in enumerate(told):
            for word in set(_WORD.findall(clue.text)):
                self._of_word[word].append(place)

    def naming(self, names: Iterable[str]) -> list[Clue]:
        """The clues that say one of these names, as whole words, in order."""
        return [self.clues[place] for place in sorted({place for name in names for place in self._places(name)})]

    def _places(self, name: str) -> list[int]:
        folded = name.casefold()
        held = [self._of_word.get(word, []) for word in set(_WORD.findall(folded))]
        said = _whole(name)
        return [place for place in min(held, key=len, default=[]) if said.search(self.clues[place].text)]

    def best(self, names: Iterable[str], wanted: frozenset[str], rarity: Mapping[str, float]) -> Clue | None:
        """The clue that says one of these names and most of what is wanted."""
        return max(self.naming(names), key=lambda clue: covered(wanted, clue.terms, rarity), default=None)


class Hearsay:
    """What the clues say of a name, looked up once per name."""

    def __init__(self, told: Sequence[Clue], wanted: frozenset[str], rarity: Mapping[str, float]) -> None:
        self._told = Told(told)
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
            self._by_name[name] = self._told.best([name], self._wanted, self._rarity)
        return self._by_name[name]
