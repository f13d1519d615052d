"""Definitions: "What is Titan?" is answered by the sentence that says what it is, never by a span of another one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import CONJUNCTIONS, COPULAS, PREPOSITIONS, RELATIVE_WORDS
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText

# A longer question asks for more than a definition.
MOST_WORDS = 10
# The subject of a defining sentence, with a title or a pronunciation in brackets, ends before this.
SUBJECT_CHARACTERS = 160
_WORD = re.compile(r"\w+(?:[’'.-]+\w+)*")
_SAYS_WHAT = re.compile(
    r"^\W*(?:(?P<verb>is|are|was|were)|means|denotes|stands for|refers to)\s+(?P<article>an?|the|one of)?\b"
    r"|^\s*(?::{1,2}|[–—])\s+(?P<entry>an?|the|one of)\s+\w+\s",
    re.I,
)
"""Also an entry of a glossary: "CSR: An unsigned certificate …"."""
# What follows "is" without an article and says how, where or what with, and not what: "is usually able to …".
_SAYS_HOW = re.compile(
    r"^\W*(?:\w+ly|not|also|only|often|now|still|just|always|never|able|unable|available|likely|being|there|here|"
    r"(?!used|called|known|named)\w+(?:ed|ing))\b",
    re.I,
)
# It tells where a name comes from: "Valgrind is the name of the main entrance to Valhalla".
_OF_THE_NAME = re.compile(r"^\W*(?:\w+\s+)?names?\s+(?:of|for|given|that|which)\b", re.I)
_BRACKETS = re.compile(r"\([^()]{0,160}\)")
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.I)
_SAID_OF = re.compile(r"[a-z]{3,}ed|known|worth|about|for|like|made|built|written|set|meant|given|short|from|to")
_FILLERS = frozenset(("exactly", "actually", "anyway", "really"))


@dataclass(frozen=True)
class Definition:
    """A sentence that says what a thing is. ``titled``: its page is about the thing; ``early`` in it, in [0, 1]."""

    text: str
    item: EvidenceText
    sentence: int
    titled: bool
    early: float
    article: bool


def defined_thing(question: str) -> str:
    """What a question asks the definition of; "" where it asks something else.

    "What is Titan?", "What is a CSR exactly?", "Who was Ada Lovelace?", "What does CSR mean?"; but not "What is the
    capital of France?" or "What is the deadline?", which ask for a value.
    """
    words = _WORD.findall(question)
    lower = [word.casefold() for word in words]
    while lower and lower[-1] in _FILLERS:
        lower.pop()
    if not 2 < len(lower) <= MOST_WORDS and lower[:1] not in (["what's"], ["define"]):
        return ""
    if lower[0] in ("what", "who") and lower[1] in COPULAS:
        thing = words[2 : len(lower)]
    elif lower[:1] == ["what's"] or lower[:1] == ["define"]:
        thing = words[1 : len(lower)]
    elif lower[0] == "what" and lower[1] in ("does", "do") and lower[-1] == "mean":
        thing = words[2 : len(lower) - 1]
    else:
        return ""
    values = PREPOSITIONS | RELATIVE_WORDS | CONJUNCTIONS | COPULAS
    if not thing or any(word.casefold() in values or word.casefold().endswith(("'s", "’s")) for word in thing):
        return ""
    if thing[0].casefold() == "the" and not any(word[:1].isupper() for word in thing[1:]):
        return ""
    if len(thing) > 1 and _SAID_OF.fullmatch(thing[-1]):  # "what was Debian 2.2 nicknamed" asks for a name
        return ""
    name = _ARTICLE.sub("", " ".join(thing))
    return name if content_terms(name) else ""


def definition(inputs: AnswerInputs, thing: str) -> Definition | None:
    """The sentence that says best what the thing is: of its own page before others, early before late."""
    found = [one for item in inputs.evidence for one in _defining(item, thing)]
    ranks = {item.id: place for place, item in enumerate(inputs.evidence)}
    return max(
        found,
        key=lambda one: (one.titled, one.article, one.early, -ranks[one.item.id], -one.sentence),
        default=None,
    )


def says_what(sentence: str, thing: str) -> bool:
    """Whether a sentence defines a thing in so many words: "Helgrind is a tool for …"."""
    found = _says(sentence, thing)
    return found is not None and _has_article(found)


def _has_article(says: re.Match[str]) -> bool:
    return bool(says.group("article") or says.group("entry"))


def _says(sentence: str, thing: str) -> re.Match[str] | None:
    """What comes after the thing where a sentence begins with it and says what it is."""
    if named := re.match(rf"[^.()]{{2,{SUBJECT_CHARACTERS}}}\(\s*{re.escape(thing)}\s*\)", sentence):
        return _plain_saying(sentence[named.end() : named.end() + SUBJECT_CHARACTERS])  # "Signing Request (CSR): A …"
    bare = _ARTICLE.sub("", _BRACKETS.sub("", sentence[: 2 * SUBJECT_CHARACTERS])).lstrip(" “\"'*_`")
    if bare[: len(thing)].casefold() != thing.casefold():
        return None
    return _plain_saying(bare[len(thing) : SUBJECT_CHARACTERS + len(thing)])


def _plain_saying(after: str) -> re.Match[str] | None:
    """What says what a thing is, right after it; none where it says how it is, or where its name comes from."""
    rest = after.lstrip(" ”\"'*_`,")
    says = _SAYS_WHAT.match(rest)
    if says is None or not says.group("verb"):
        return says
    says_else = (_OF_THE_NAME if says.group("article") else _SAYS_HOW).match(rest[says.end() :])
    return None if says_else else says


def _defining(item: EvidenceText, thing: str) -> Iterator[Definition]:
    wanted = _folded(thing)
    titled = _folded(item.title) == wanted
    for place, sentence in enumerate(item.sentences):
        says = _says(sentence, thing)
        if says is not None:
            yield Definition(sentence, item, place, titled, 1.0 / (1 + place), _has_article(says))


def _folded(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
