"""About: what is said right where something was read: its sentence or row, what stands over it, the row that led there.

The rest of a section speaks of other things as well: of the sister house, of the colleague below. What a sentence says
of "it" or "her" it says of what the sentence before it names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from backtrail.language.questions import QuestionShape, asking_clause
from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import AnswerKind
from backtrail.rules.reader.announced import leads_in
from backtrail.rules.reader.candidates import UNTYPED, Candidate
from backtrail.rules.reader.labels import family
from backtrail.rules.reader.parts import asks_all, asks_several, names_one
from backtrail.rules.reader.pronouns import antecedent
from backtrail.rules.reader.support import Piece, covered, heading, linking_row, pieces, rarities
from backtrail.state.answer_decisions import EvidenceText

# A sentence that opens with one of these goes on about what the one before it names.
_GOES_ON = re.compile(
    r"\W*(?:he|she|it|they|his|her|hers|its|their|this|these|that|those|there|both|then|here|each|either|neither|such)\b(?!['’]s)",
    re.IGNORECASE,
)
# So far back "it" is looked for: a paragraph that never says its subject again is seldom longer.
_SENTENCES_BACK = 4
# Where a sentence goes on to say something else of the same thing: "was born in Aalborg and trained as an engineer".
_JOINT = re.compile(r"(?<!\s)\s+(?:and|but|while)\s+|;")
_HOW = re.compile(r"\bhow\s+(\w+)", re.IGNORECASE)
_BLOCK = re.compile(r"[{}] ?;|; ?[{}]|\"\w{1,40}\": ?[\"\[{\d]")
"""Lines of code as they stand in a sentence, or fields of JSON."""
_NAMED: frozenset[AnswerKind] = frozenset(("person", "organisation", "place", "nationality"))
_CONDITION = re.compile(r"\b(?:if|unless|when|until|while|because|so that)\b", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:not|never|nobody|neither|nor|without|except)\b|n['’]t\b", re.IGNORECASE)


def around(best: Candidate, evidence: Sequence[EvidenceText], shape: QuestionShape) -> dict[str, float]:
    """What is told of a reading by the words around it; each in [0, 1].

    ``here``: of the question; ``subject``: of its names, if it has any. The others are 1 where something is doubtful:
    ``clause``: another clause of its sentence says what is asked; ``word``: one word that could be anything, lines of
    code, a name in them, or no reason for a "why"; ``denied``: the question asks what is not so; ``half``: it asks for
    more than one thing; ``listed``: it is a list that the sentence announces; ``one``: all of
    several are asked for, and one is named.
    """
    piece = best.piece
    rarity = rarities(pieces(list(evidence)))
    here = said_here(piece, {item.id: item for item in evidence})
    names = content_terms(" ".join(shape.names))
    told = {
        "here": covered(shape.terms - _measured(shape.text), here, rarity),
        "clause": float(not piece.has_cells and _is_of_another_clause(best.text, piece.text, shape.focus - names)),
        "word": float(_says_little(best, shape) or _is_of_code(best, shape)),
        "denied": float(_asks_what_is_not(shape.text)),
        "half": float(asks_several(shape.text)),
        "one": float(asks_all(shape.text) and names_one(best.text)),
        "listed": float(shape.kind in UNTYPED and leads_in(piece)),
    }
    return {**told, "subject": covered(names, here, rarity)} if names else told


def _asks_what_is_not(question: str) -> bool:
    """Whether what is asked is denied: "which did not land", and not "which is used if I don't set one"."""
    asked = asking_clause(question)
    told = _CONDITION.search(asked, 1)
    return _DENIES.search(asked[: told.start()] if told else asked) is not None


def _measured(question: str) -> frozenset[str]:
    """The word that says what "how" measures ("how long"): an answer gives the measure, and not the word."""
    return content_terms(" ".join(_HOW.findall(question)))


def _says_little(best: Candidate, shape: QuestionShape) -> bool:
    if shape.kind == "reason":
        return best.signals.get("fit", 0.0) < 1.0
    untyped = shape.kind in ("entity", "unknown", "manner")
    return untyped and not best.piece.has_cells and best.text.isalpha() and best.text.islower()


def _is_of_code(best: Candidate, shape: QuestionShape) -> bool:
    """Whether it is a block of code, or a name in one: an example names anybody, and shows more than is asked for."""
    if _BLOCK.search(best.text):
        return True
    named = shape.kind in _NAMED or bool(best.signals.get("written"))
    return named and best.piece.row is None and _BLOCK.search(best.piece.text) is not None


def _is_of_another_clause(text: str, sentence: str, relation: frozenset[str]) -> bool:
    """Whether what is asked of the thing is said in the sentence, and not in the clause of the answer."""
    place = sentence.find(text)
    if place < 0 or not relation:
        return False
    wanted = relation.union(*(family(term) for term in relation))
    cuts = [0, *(match.start() for match in _JOINT.finditer(sentence)), len(sentence)]
    start, end = next((cut, after) for cut, after in pairwise(cuts) if place < after or after == len(sentence))
    others = f"{sentence[:start]} {sentence[end:]}"
    return not wanted & content_terms(sentence[start:end]) and bool(wanted & content_terms(others))


def said_here(piece: Piece, by_id: Mapping[str, EvidenceText]) -> frozenset[str]:
    """The terms of the piece, of what its pronouns stand for, of its headings and of the row that led to its page."""
    if piece.row is not None:
        return piece.chain
    return piece.titled | _meant(piece) | _led_from(piece.evidence, by_id)


def _meant(piece: Piece) -> frozenset[str]:
    """The terms of the sentences before that a sentence goes on about."""
    if piece.sentence is None:
        return frozenset()
    sentences = piece.evidence.sentences
    first = piece.sentence - bool(antecedent(sentences, piece.sentence))
    while first > max(0, piece.sentence - _SENTENCES_BACK) and _GOES_ON.match(sentences[first]):
        first -= 1
    return content_terms(" ".join(sentences[first : piece.sentence]))


def _led_from(item: EvidenceText, by_id: Mapping[str, EvidenceText]) -> frozenset[str]:
    """The terms of the row that led to a page, and of what stands over it."""
    parent = by_id.get(item.parent or "")
    if parent is None or parent.id == item.id:
        return frozenset()
    row = linking_row(item, by_id)
    cells = parent.rows[row] if row is not None else []
    return content_terms(" ".join([heading(parent.title, parent.section, *parent.header), *cells]))
