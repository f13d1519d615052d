"""Deictic words of a query that refer to something outside it.

A demonstrative points unless it opens a clause ("the ship that sank"), precedes a period of time ("this year"), or is
part of a name ("This Is Us"). A third person pronoun points unless a possible referent precedes it ("the Elbe and its
mouth"), or it is impersonal ("is it true that …"). English here; German, French, Spanish, Russian and Arabic, and
Chinese and Japanese, in files of their own. Queries in other languages are accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from backtrail.state.vqa_planner import deictics_spaced, deictics_unspaced
from backtrail.state.vqa_planner.closed_words import closed

_AUXILIARIES = closed(
    "am is are was were be been being do does did have has had can could will would shall should may might must"
)
_PREPOSITIONS = closed(
    """about above across after against along among around as at before behind below beside between beyond by down
    during for from in inside into near of off on onto out over past per since through to toward towards under until up
    upon via with within without"""
)
_CONJUNCTIONS = closed("and or but nor so yet than while because although though whereas")
_QUESTION_WORDS = closed("who whom whose what which when where why how")
_WORD = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*|\d[\d,.]*")
_QUOTED = re.compile(r"„[^„“”]*[“”]|[\"“][^\"“”]*[\"”]|«[^«»]*»|《[^《》]*》|「[^「」]*」|『[^『』]*』")
_PICTURE = re.compile(r"\b(?:the|this|that)\s+(?:picture|image|photo|photograph)\b(?!\s+of\b)", re.IGNORECASE)
_DEMONSTRATIVES = closed("this these that those")
_PRONOUNS = closed("he she it they him her his hers its them their theirs")
_ARTICLES = closed("a an the")
_STRETCH = re.compile(
    r"(?:year|month|week|century|decade|season|day|morning|evening|night|time|spring|summer|autumn|winter)s?"
)
_OPENS_PHRASE = _AUXILIARIES | _PREPOSITIONS | _CONJUNCTIONS


def pointers(query: str) -> list[str]:
    """Return the words that point at something outside the query, in order."""
    plain = _QUOTED.sub(lambda quoted: "X" * len(quoted[0]), query)
    found = [*deictics_unspaced.pointing_places(plain)]
    if language := deictics_spaced.language_of(plain):
        found += deictics_spaced.pointing_places(plain, language)
    else:
        found += _english(plain)
    return [word for _, word in sorted(found)]


def _english(query: str) -> Iterator[tuple[int, str]]:
    yield from ((match.start(), match[0]) for match in _PICTURE.finditer(query))
    words = list(_WORD.finditer(query))
    spelt = [match[0] for match in words]
    yield from ((words[place].start(), spelt[place]) for place in (*_demonstratives(spelt), *_pronouns(spelt)))


def _demonstratives(words: Sequence[str]) -> Iterator[int]:
    for place, word in enumerate(words):
        lower = word.lower()
        if lower not in _DEMONSTRATIVES:
            continue
        after = words[place + 1] if place + 1 < len(words) else ""
        before = words[place - 1].lower() if place else ""
        if _STRETCH.fullmatch(after.lower()) or (word[0].isupper() and after[:1].isupper()):
            continue
        # After a noun or a verb "that" opens a clause; after a preposition or an auxiliary it has its own noun, unless
        # a verb or a subject follows ("based on that had an actor").
        clause = after.lower() in _AUXILIARIES | _PRONOUNS or after.lower().endswith("ed")
        if lower == "that" and before and (before not in _OPENS_PHRASE or clause):
            continue
        if lower in ("that", "those") and after.lower() in _PREPOSITIONS | _QUESTION_WORDS | {"whose", "that"}:
            continue
        yield place


def _pronouns(words: Sequence[str]) -> Iterator[int]:
    for place, word in enumerate(words):
        lower = word.lower()
        if lower not in _PRONOUNS or (place and word[0].isupper()):
            continue
        if lower == "it" and _is_impersonal(words, place):
            continue
        if not any(_is_referent(words, before) for before in range(place)):
            yield place


def _is_impersonal(words: Sequence[str], place: int) -> bool:
    """ "Is it true that …", "how long does it take to …": the clause that follows is meant."""
    return any(word.lower() in ("that", "to", "if", "whether") for word in words[place + 2 : place + 5])


def _is_referent(words: Sequence[str], place: int) -> bool:
    """Return whether a word names something: a name, an article's noun, the subject of a question."""
    word, before = words[place], words[place - 1].lower() if place else ""
    lower = word.lower()
    if lower in _DEMONSTRATIVES | _PRONOUNS | _OPENS_PHRASE | _ARTICLES | _QUESTION_WORDS:
        return False
    if word[0].isupper():
        return place > 0 or len(words) > 1
    return (
        before in _ARTICLES
        or before in _AUXILIARIES | _PREPOSITIONS
        or (before in _QUESTION_WORDS and lower.endswith("s"))
    )
