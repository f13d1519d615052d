"""Fuller: what an answer is called in its sentence, past the words that were read.

"A member of the Montenegro Fed Cup team" answers "a member of what team" with its noun, "won 18 seasons" is 18 of
them, one name of a list answers a question for several with all of it, and what is only described is named: "the third
album, Enema of the State". English only.
"""

from __future__ import annotations

import re

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import DETERMINERS
from backtrail.rules.reader.candidates import SPAN_CHARACTERS, UNTYPED, Candidate
from backtrail.rules.reader.parts import asks_all

_NAME = r"(?:[A-Z\d][\w'’.-]*(?:\s(?:of|the|de|la|[A-Z\d][\w'’.-]*))*)"
_MORE = re.compile(rf"(?:\s?,\s{_NAME})*\s?,?\s(?:and|&)\s{_NAME}")
# "The third studio album, Enema of the State (1999)": what is described is named right behind, and no list begins.
_APPOSITION = re.compile(rf"\s?,\s{_NAME}(?=\s?[(,.]|\s?$)(?!\s?,\s?(?:and\s)?[A-Z\d])")
# "It is only used if the other is full" says when: only if the other is full.
_OCCASION = re.compile(r"(?:when(?:ever)?|if|once|after|while|until|upon)\b", re.IGNORECASE)
_ONLY = re.compile(r"\bonly\s+(?:[\w-]+\s+){0,4}$", re.IGNORECASE)
_ONLY_CHARACTERS = 60
_NO_NOUNS = DETERMINERS | {"other", "others"}
_VERB = re.compile(r"\b(?P<noun>\w+)\s+(?P<verb>\w+(?:s|ed))\b")
_SEVERAL = re.compile(
    r"\b(?:two|three|four|five|six|several)\b|\b(?:where|who) (?:are|were)\b|\bnames of\b", re.IGNORECASE
)


def fuller(text: str, candidate: Candidate, shape: QuestionShape) -> str:
    """The answer with the noun or the rest of the list that its sentence gives it; as it is where it gives neither."""
    sentence = candidate.piece.text
    found = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", sentence) if not candidate.piece.has_cells else None
    if found is None:
        return text
    if _OCCASION.match(text) and _ONLY.search(sentence[max(0, found.start() - _ONLY_CHARACTERS) : found.start()]):
        return f"only {text[:1].lower()}{text[1:]}"
    rest = sentence[found.end() : found.end() + SPAN_CHARACTERS]
    several = bool(_SEVERAL.search(shape.text)) or asks_all(shape.text)
    if several and (more := _MORE.match(rest)):
        return _kept(text + more.group().rstrip(" ."), text)
    if text.split()[-1][:1].islower() and shape.kind in UNTYPED and (name := _APPOSITION.match(rest)):
        return _kept(text + name.group().rstrip(" ."), text)
    nouns = _nouns(shape)
    for words in (1, 2):  # "18 seasons", "SP61 provincial road"
        behind = re.match(rf"(?:\s[a-z]+){{{words}}}(?![\w-])", rest)
        word = behind.group().split()[-1] if behind else ""
        if behind and word not in _NO_NOUNS and content_terms(word) & nouns:
            return _kept(text + behind.group(), text)
    return text


def _nouns(shape: QuestionShape) -> frozenset[str]:
    """The noun that is asked for; where a verb was taken for it ("which road passes"), the word before that."""
    if shape.kind == "number":
        return shape.heads
    before = [one["noun"] for one in _VERB.finditer(shape.text) if content_terms(one["verb"]) & shape.heads]
    return shape.heads | content_terms(" ".join(before))


def _kept(longer: str, text: str) -> str:
    return longer if len(longer) <= SPAN_CHARACTERS else text
