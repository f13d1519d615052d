"""Opening: the first sentence of a page, which says what its thing is, in words that no question asks with.

"Anita Mui (10 October 1963 - 30 December 2003) was a Hong Kong singer" says when she was born and died, her occupation
and where she was from, and none of these words.
"""

from __future__ import annotations

import re

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import KIN
from backtrail.rules.reader.support import Piece

# The subject of an opening sentence, with a pronunciation or dates in brackets, ends before this.
SUBJECT_CHARACTERS = 240
_SAYS_WHAT = re.compile(r"\s(?:is|was|are|were)\s+(?:an?|the|one\s+of)\s", re.IGNORECASE)
_BOTH = re.compile(r"(?<!\s)\s+[-–—]\s+|(?<=\d)[-–—](?=\d)")
_BORN = re.compile(r"\b(?:born|b\.)", re.IGNORECASE)
_DIED = re.compile(r"\b(?:died|d\.)", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^()]{0,160}\)")


def opens(piece: Piece) -> bool:
    """Whether a piece is the sentence that says what the thing of its page's title is."""
    if piece.row is not None or piece.sentence != 0:
        return False
    says = _SAYS_WHAT.search(piece.text[:SUBJECT_CHARACTERS])
    if says is None:
        return False
    subject = content_terms(_BRACKETS.sub("", piece.text[: says.start()]))
    return bool(subject & content_terms(_BRACKETS.sub("", piece.evidence.title)))


class Lifetime:
    """Which dates of opening sentences are those of a birth, and which of a death."""

    def __init__(self, shape: QuestionShape) -> None:
        asked = (shape.focus | shape.heads) if shape.kind in ("date", "year") else frozenset[str]()
        self._wants = _event(asked)
        self._known: dict[str, tuple[str, str]] = {}

    def of(self, piece: Piece, text: str) -> float:
        """1 for the date that a question asks for, -1 for the other one of the two, else 0."""
        if not self._wants or not opens(piece):
            return 0.0
        if piece.text not in self._known:
            self._known[piece.text] = lifetime(piece.text)
        born, died = self._known[piece.text]
        at = (text in born) - (text in died)
        return float(at if self._wants == "born" else -at)


def _event(asked: frozenset[str]) -> str:
    born, died = bool(asked & KIN["born"]), bool(asked & KIN["die"])
    return "" if born == died else "born" if born else "died"


def lifetime(sentence: str) -> tuple[str, str]:
    """What brackets before the verb say of birth and of death; "" for what they do not say."""
    says = _SAYS_WHAT.search(sentence)
    for match in _BRACKETS.finditer(sentence[: says.start() if says else SUBJECT_CHARACTERS]):
        said = match.group().strip("() ;,")
        both = _BOTH.split(said)
        if len(both) == 2 and all(re.search(r"\d{3}", side) for side in both):
            return both[0], both[1]
        if re.search(r"\d{3}", said) and _BORN.search(said):
            return said, ""
        if re.search(r"\d{3}", said) and _DIED.search(said):
            return "", said
    return "", ""
