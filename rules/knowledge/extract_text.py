"""Extract statements from plain sentences: definitions, life dates and places, who did what.

Without a tagger. A clause is read if its subject is a pronoun, the document's subject or a name, its verb has a known
form or class, and its object contains a name or number. Other sentences only give names. Clauses are English; in other
languages links and names are read, by the name rules of that language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from backtrail.language.clauses import tidy
from backtrail.language.current_language import reading_in, reads_english
from backtrail.language.identify import language_of_page
from backtrail.language.sentences import split_sentences
from backtrail.language.spans import names_in
from backtrail.language.terms import FUNCTION_WORDS, content_terms
from backtrail.language.vocabulary import PRONOUNS
from backtrail.rules.knowledge.clause_triplets import Clause, read_clauses
from backtrail.rules.knowledge.statement_parts import about, as_name, cut, statement
from backtrail.state.knowledge.chunks import (
    LONGEST_STATEMENT,
    ExtractedEntity,
    ExtractedKnowledge,
    ExtractedTriplet,
    KnowledgeChunk,
)

MENTIONS = "mentions"
PASSING = 0.5
"""Weight of a name that merely occurs; that of a link is LINKED."""
LINKED = 1.5

_DAY = r"(?:\d{1,2} [^\W\d]+ \d{4}|(?<![^\W\d])[^\W\d]+ \d{1,2} ?, \d{4})"
_DATE = rf"(?:{_DAY}|\d{{4}})"
_BORN = re.compile(rf"\b(born|died)\b[^()\d]{{0,12}}?({_DATE})(?: in ([^();]+))?")
# Years alone may be those of a reign or a product; days mean a life.
_LIFE = re.compile(rf"({_DAY})[^()\d]{{0,4}}?[-–—][^()\d]{{0,4}}?({_DAY})")
_PARENTHESIS = re.compile(r"(?<!\s)\s*\([^()]*\)")


def read_text(inputs: KnowledgeChunk) -> ExtractedKnowledge:
    """Return statements in reading order; a description of the document's subject if the chunk defines it."""
    with reading_in(language_of_page(inputs.text)):
        return _read(inputs)


def _read(inputs: KnowledgeChunk) -> ExtractedKnowledge:
    subject, english = as_name(inputs.title), reads_english()
    kind, description = "", ""
    triplets: list[ExtractedTriplet] = []
    for number, sentence in enumerate(split_sentences(inputs.text)):
        clauses = read_clauses(tidy(_PARENTHESIS.sub(" ", sentence))) if english else []
        text = about(inputs.title, sentence)
        for clause in clauses:
            own = _is_subject(clause.subject, subject, kind)
            if clause.kind and own and not kind:
                kind, description = clause.kind, sentence
            named = own or _is_name(clause.subject)
            if named and (made := _clause(clause, subject if own else clause.subject, text)):
                triplets.append(made)
        if number == 0 and not inputs.section and not description:
            description = sentence
        triplets += _life(subject, sentence, text) if english else ()
        triplets += _mentions(inputs, subject, sentence, text, triplets)
    if not subject or not description:
        return ExtractedKnowledge(triplets=triplets)
    entity = ExtractedEntity(name=subject, kind=cut(kind, 60), description=cut(description, LONGEST_STATEMENT))
    return ExtractedKnowledge(entities=[entity], triplets=triplets)


def _is_subject(written: str, subject: str, kind: str) -> bool:
    """Whether a clause is about the document's subject: a pronoun, its kind, or part of its name."""
    words = written.casefold().split()
    if written.casefold() in PRONOUNS:
        return True
    if words[:1] == ["the"] and len(words) == 2 and words[1] == kind.rpartition(" ")[2]:
        return True
    shared = content_terms(written) & content_terms(subject)
    return bool(shared) and 2 * len(shared) >= len(content_terms(written))


def _is_name(written: str) -> bool:
    """Whether a clause's subject is a name: its capital is not only that of the sentence start."""
    first, _, rest = written.partition(" ")
    marked = any(character.isupper() or character.isdigit() for character in rest)
    return marked or (not rest and first.casefold() not in FUNCTION_WORDS)


def _clause(clause: Clause, head: str, text: str) -> ExtractedTriplet | None:
    return statement(as_name(head), clause.relation, as_name(clause.object), text, keywords=clause.relation)


def _life(subject: str, sentence: str, text: str) -> Iterator[ExtractedTriplet]:
    """Extract birth and death in parentheses after a name: "(born 28 May 1976 in …)", "(1900 – 1980)"."""
    for parenthesis in re.findall(r"\(([^()]*)\)", sentence[:400]):
        made: list[ExtractedTriplet | None] = []
        for verb, date, place in _BORN.findall(parenthesis):
            made.append(statement(subject, verb, tidy(date), text, keywords=f"{verb} date"))
            if place:
                made.append(statement(subject, f"{verb} in", as_name(place), text, keywords=f"{verb} place"))
        if not made and (life := _LIFE.search(parenthesis)):
            made = [
                statement(subject, verb, tidy(date), text, keywords=f"{verb} date")
                for verb, date in zip(("born", "died"), life.groups(), strict=True)
            ]
        yield from (triplet for triplet in made if triplet)


def _mentions(
    inputs: KnowledgeChunk, subject: str, sentence: str, text: str, triplets: list[ExtractedTriplet]
) -> Iterator[ExtractedTriplet]:
    """Return link texts and names of a sentence that no clause connects with the subject."""
    connected = {triplet.tail.casefold() for triplet in triplets if triplet.text == text}
    anchors = [anchor.text for anchor in inputs.anchors if anchor.text.strip() and anchor.text in sentence]
    for weight, names in ((LINKED, anchors), (PASSING, names_in(sentence))):
        for name in names:
            made = statement(subject, MENTIONS, as_name(name), text, weight=weight)
            if made and made.tail.casefold() not in connected and not _is_subject(made.tail, subject, ""):
                connected.add(made.tail.casefold())
                yield made
