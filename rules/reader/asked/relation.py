"""Relation: what a question asks of a thing, apart from what tells the thing.

"Who coached the player who was born on 15 December 1981?" asks who *coached*; *player* only names the thing between,
and the rest describes it. A cell under "Player" is then no answer, however well its row is described.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backtrail.language.clauses import split_question
from backtrail.language.questions import PHRASE_WORDS, QuestionShape, asking_clause, interrogative_place, tokens_of
from backtrail.language.terms import content_terms, words
from backtrail.language.vocabulary import AUXILIARIES, COPULAS, PREPOSITIONS
from backtrail.rules.reader.labels import family
from backtrail.rules.reader.support import covered


@dataclass(frozen=True)
class Relation:
    """Terms of a question by what they are for.

    Args:
        asked: what is asked: the noun that is asked for, and the verb and what else is said of it.
        verb: the same without that noun.
        told: what tells the thing of which it is asked.
        between: the noun that names this thing; empty where the question does not nest.
    """

    asked: frozenset[str]
    verb: frozenset[str]
    told: frozenset[str]
    between: frozenset[str]


def relation_of(shape: QuestionShape) -> Relation:
    """What is asked, and of what. Names tell the thing wherever they stand."""
    split = split_question(shape.text)
    bridge = content_terms(split.bridge) if split else frozenset[str]()
    nouns = words(split.bridge.casefold())[-1:] if split else []
    verb = shape.focus - bridge - content_terms(" ".join(shape.names)) - shape.heads
    asked = verb | shape.heads
    return Relation(asked, verb, shape.terms - asked, content_terms(" ".join(nouns)))


def asked_phrase(shape: QuestionShape) -> frozenset[str]:
    """Terms of the noun phrase that "what" or "which" asks for: both of "which MLB team", where the head is one."""
    tokens = tokens_of(asking_clause(shape.text))
    place = interrogative_place(tokens)
    if place is None or tokens[place] not in ("what", "which"):
        return shape.heads
    rest = tokens[place + 1 :]
    phrase = rest[1:] if rest[:1] and rest[0] in COPULAS else rest
    ends = (AUXILIARIES | PREPOSITIONS | {",", "?"}) - {"of"}
    end = next((at for at, token in enumerate(phrase[: PHRASE_WORDS + 1]) if token in ends), PHRASE_WORDS + 1)
    return shape.heads | content_terms(" ".join(phrase[:end]))


def said(wanted: Iterable[str], present: frozenset[str], rarity: Mapping[str, float]) -> float:
    """What is ``covered`` of the wanted terms where words count by which a label may mean them."""
    return covered(wanted, present, rarity, family)


def means(wanted: Iterable[str], present: frozenset[str]) -> bool:
    """Whether any wanted term is said, itself or by a word of its family."""
    return any(family(term) & present for term in wanted)
