"""Find definitions: "What is Titan?" is answered by the sentence that defines it, not by a span."""

from __future__ import annotations

import re
from dataclasses import dataclass

from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import CONJUNCTIONS, COPULAS, PREPOSITIONS, RELATIVE_WORDS
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText

# A question with a longer name asks for more than a definition.
MOST_WORDS = 8
# Most characters of a defining sentence's subject, with title and pronunciation in brackets.
SUBJECT_CHARACTERS = 160
_WORD = re.compile(r"\w+(?:[’'.-]+\w+)*")
# "is a tool", or in a glossary "CSR: An unsigned certificate"; "is the name of a gate" is an etymology.
_SAYS_WHAT = re.compile(
    r"\W*(?:\b(?:is|are|was|were|means|denotes|stands for|refers to)|::?|[–—])\s+(?:an?|the|one of)\s+"
    r"(?!(?:\w+\s+)?names?\s+(?:of|for|given|that|which)\b)\w",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\([^()]{0,160}\)")
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.I)
_SAID_OF = re.compile(r"[a-z]{3,}ed|known|worth|about|for|like|made|built|written|set|meant|given|short|from|to")
_ASKED = re.compile(
    r"(?:(?:what|who) (?:is|are|was|were)|what['’]s|define) (.+?)(?: (?:exactly|actually|anyway|really))?\W*"
    r"|what (?:does|do) (.+?) mean\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Definition:
    """A sentence that defines a thing. ``titled``: its page is about the thing."""

    text: str
    item: EvidenceText
    sentence: int
    titled: bool


def defined_thing(question: str) -> str:
    """Return the thing that a question asks to define; "" for other questions.

    "What is Titan?", "What is a CSR exactly?", "Who was Ada Lovelace?", "What does CSR mean?"; but not "What is the
    capital of France?" or "What is the deadline?", which ask for a value.
    """
    asked = _ASKED.fullmatch(" ".join(question.split())) if len(question) <= SUBJECT_CHARACTERS else None
    thing = _WORD.findall(asked[1] or asked[2]) if asked else []
    if len(thing) > MOST_WORDS:
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
    """Return the first sentence that defines the thing, from its own page first."""
    wanted = _folded(thing)
    found = [
        Definition(sentence, item, place, _folded(item.title) == wanted)
        for item in inputs.evidence
        for place, sentence in enumerate(item.sentences)
        if says_what(sentence, thing)
    ]
    return max(found, key=lambda one: one.titled, default=None)


def says_what(sentence: str, thing: str) -> bool:
    """Whether a sentence begins with a thing and defines it: "Helgrind is a tool for …"."""
    named = re.match(rf"[^.()]{{2,{SUBJECT_CHARACTERS}}}\(\s*{re.escape(thing)}\s*\)", sentence)
    if named:  # "Signing Request (CSR): A …"
        return _SAYS_WHAT.match(sentence, named.end()) is not None
    bare = _ARTICLE.sub("", _BRACKETS.sub("", sentence[: 2 * SUBJECT_CHARACTERS])).lstrip(" “\"'*_`")
    return bare[: len(thing)].casefold() == thing.casefold() and _SAYS_WHAT.match(bare, len(thing)) is not None


def _folded(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
