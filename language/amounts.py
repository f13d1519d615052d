"""Amounts: questions for a number or a sum of money that do not say "how much": "What did they pay for it?".

Also what people type in place of a question: "product code of the blue pump". English only.
"""

from __future__ import annotations

import re
from itertools import pairwise

from backtrail.language.vocabulary import AUXILIARIES, BASE_VERBS, PRONOUNS, WH_WORDS, AnswerKind

_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may)"
# What something costs, and what somebody pays for it.
_MONEY = re.compile(
    rf"\bwhat\s+{_AUXILIARY}\s+(?:\S+\s+){{1,12}}?(?:cost|pay|paid|spend|spent|charge|charged|worth|come\s+to|came\s+to|amount\s+to|earn\s+(?:per|an?|each))\b"
    r"(?!\s+(?:attention|tribute|homage|respects?))"
    rf"|\bwhat\s?['’]?s\s+(?:\S+\s+){{1,8}}?worth\b",
    re.IGNORECASE,
)
# "What's the most columns", "what is the least I pay": a number, whatever is counted.
_EXTREME = re.compile(
    r"\bwhat\s?(?:['’]s|\s(?:is|are|was|were))\s+the\s+(?:very\s+)?"
    r"(?:(?:maximum|minimum|max|min|upper\s+limit|lower\s+limit|limit|cap|ceiling)\b"
    r"|(?:most|least|fewest)\s+(?:that\s+)?"
    r"(?:(?:i|we|you|one|it|he|she|they|anyone|anybody)\b|(?!(?:\w+\s+){0,1}\w+ous\b)[a-z-]+s\b))",
    re.IGNORECASE,
)


def asks_money(question: str) -> bool:
    """Whether a question asks what something costs without "how much"."""
    return _MONEY.search(question) is not None


def asks_amount(question: str) -> bool:
    """Whether a question that asks "what" is answered by a number."""
    return asks_money(question) or _EXTREME.search(question) is not None


# An area or a rank that is named and not measured, by the word before it.
_NAMED: dict[str, tuple[frozenset[str], AnswerKind]] = {
    "area": (
        frozenset(("statistical", "metropolitan", "traditional", "protected", "urban", "rural", "conservation")),
        "place",
    ),
    "rank": (frozenset(("military", "naval", "army", "police", "noble")), "entity"),
}


def not_measured(tokens: list[str], head: str) -> AnswerKind | None:
    """What a noun that mostly names a measure asks for after a word that says otherwise: "metropolitan area"."""
    words, kind = _NAMED.get(head, (frozenset[str](), None))
    return kind if any(before in words and token == head for before, token in pairwise(tokens)) else None


# Longer texts without a question word say something, or tell what to do.
_FRAGMENT_WORDS = 16
_TELLS = frozenset(("name", "list", "tell", "give", "show", "find", "explain", "describe", "compare", "say", "please"))
_TOLD = _TELLS | PRONOUNS | BASE_VERBS | {"i", "we", "you"}
_MARKS = frozenset(("?", ".", "!"))
# As people type them.
_JOINED = {f"{word}s": (word, "'s") for word in ("what", "who", "where", "when", "how")}


def whole_question(tokens: list[str]) -> list[str]:
    """The tokens of a question; of a noun phrase in its place those of "what is the" and the phrase.

    A phrase has no question word, no auxiliary and no stop, and begins neither with a pronoun nor with what is to be
    done.
    """
    if tokens[:1] and tokens[0] in _JOINED:
        return [*_JOINED[tokens[0]], *tokens[1:]]
    words = [token for token in tokens if token not in _MARKS]
    asks = AUXILIARIES | WH_WORDS
    if not 2 < len(words) <= _FRAGMENT_WORDS or asks & set(words) - {"can", "may", "'s"} or words[0] in asks:
        return tokens
    stopped = tokens[-1] in (".", "!") or bool(_MARKS & set(tokens[:-1]))
    if stopped or words[0] in _TOLD or not all(map(str.isascii, tokens)):
        return tokens
    return ["what", "is", *(["the"] if words[0] != "the" else []), *tokens]
