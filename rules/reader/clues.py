"""Clues: pieces of the evidence that name a thing and describe it.

A question often describes a thing in one place ("the craft that saw the bright spots") and asks about it in
another (its table of dates). The name of the thing joins the two.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import AUXILIARIES
from backtrail.rules.reader.support import covered, heading
from backtrail.state.answer_decisions import EvidenceText

# Longer texts are about many things; their sentences are separate clues.
PARAGRAPH_SENTENCES = 4
_JOINTS = re.compile(r" and | ?[,;/] ?|(?<=[a-z])-(?=[A-Z])")
_SHORTEST_NAME = 3
# A clue uses the start of a paragraph or row; the longest of 22,736 of Wikipedia has 4,486.
CLUE_CHARACTERS = 8000
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Clue:
    """A paragraph or row: its folded text with title, and its terms."""

    item: EvidenceText
    row: int | None
    text: str
    terms: frozenset[str]


def names_of(title: str) -> list[str]:
    """Return a title, and each name in it ("Cassini-Huygens", "Pioneer 10 and Pioneer 11")."""
    parts = [part.strip() for part in _JOINTS.split(" ".join(title.split()))]
    return list(dict.fromkeys(name for name in [title.strip(), *parts] if len(name) >= _SHORTEST_NAME))


class Clues:
    """Index of the clues of one question's evidence by their words, to find those with a name quickly."""

    def __init__(self, evidence: Iterable[EvidenceText]) -> None:
        self.all = [clue for item in evidence for clue in _clues(item)]
        self._of_word: dict[str, list[int]] = defaultdict(list)
        for place, clue in enumerate(self.all):
            for word in set(_WORD.findall(clue.text)):
                self._of_word[word].append(place)

    def naming(self, names: Iterable[str]) -> list[Clue]:
        """Return the clues with one of these names, as whole words, in order."""
        return [self.all[place] for place in sorted({place for name in names for place in self._places(name)})]

    def _places(self, name: str) -> list[int]:
        folded = name.casefold()
        held = [self._of_word.get(word, []) for word in set(_WORD.findall(folded))]
        said = _whole(folded)
        return [place for place in min(held, key=len, default=[]) if said.search(self.all[place].text)]

    def best(self, names: Iterable[str], wanted: frozenset[str], rarity: Mapping[str, float]) -> Clue | None:
        """Return the clue with one of these names and the best coverage of the wanted terms."""
        return max(self.naming(names), key=lambda clue: covered(wanted, clue.terms, rarity), default=None)


def _clues(item: EvidenceText) -> list[Clue]:
    """Yield every row, every short paragraph, and every sentence of a long one."""
    over, headed = heading(item.title, item.section), heading(item.title, item.section, *item.header)
    found = [_clue(item, row, headed, cells) for row, cells in enumerate(item.rows)]
    if len(item.sentences) <= PARAGRAPH_SENTENCES:
        return [*found, _clue(item, None, over, item.sentences)]
    return [*found, *(_clue(item, None, over, [sentence]) for sentence in item.sentences)]


def _clue(item: EvidenceText, row: int | None, over: str, parts: list[str]) -> Clue:
    text = " ".join([over, *parts])[:CLUE_CHARACTERS]
    return Clue(item, row, text.casefold(), content_terms(text))


@lru_cache(maxsize=512)
def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


# Words after which a sentence may be about something else …
_TURNS = re.compile(r",\s+(?:and|but|while|whereas)\s|;\s")
# … if a clause follows, and not the last item of a list.
_VERB = re.compile(rf"\b(?:{'|'.join(sorted(AUXILIARIES))}|\w{{2,}}ed)\b", re.IGNORECASE)


def says_of_another(clue: Clue, names: Iterable[str], wanted: frozenset[str], rarity: Mapping[str, float]) -> bool:
    """Whether a sentence with a name has the wanted terms only in an earlier clause about something else.

    "The dish was a spare of Voyager, and other parts were left over from Galileo" is not about Galileo's dish.
    """
    for sentence in clue.item.sentences if clue.row is None else []:
        found = [match.start() for name in names for match in _whole(name.casefold()).finditer(sentence.casefold())]
        cuts = [cut.start() for cut in _TURNS.finditer(sentence) if found and cut.end() <= min(found)]
        if cuts and _VERB.search(sentence[cuts[-1] : min(found)]):
            before, own = content_terms(sentence[: cuts[-1]]), content_terms(sentence[cuts[-1] :])
            return covered(wanted, before, rarity) > covered(wanted, own, rarity)
    return False
