"""Withholding rules: reasons why a reading cannot have high confidence.

A small corpus has few competing candidates, so a wrong one nearby ranks first: the sister house's year, the
colleague's birthplace. Each rule detects wrong answers that a ranking cannot tell from right ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, get_args

from backtrail.language.questions import QuestionShape, asking_clause, asking_sentence
from backtrail.language.terms import content_terms, stem, terms
from backtrail.language.vocabulary import KIN
from backtrail.rules.reader.candidates import NAMED_ALIKE, Candidate
from backtrail.rules.reader.clues import Clues, names_of
from backtrail.rules.reader.label_lookup import family
from backtrail.rules.reader.support import covered, heading, linking_row, pieces, rarities, row_terms
from backtrail.state.answer_decisions import CitedPiece, EvidenceText

Doubt = Literal["compared", "number", "several", "rival", "kind", "column", "other", "clause", "little", "denied"]

LEAST_NAMED = 0.7
"""Least share of the question's names, by rarity, in a sentence, its headings and its linking row; of all words
if the question has no names.
"""
LEAST_ALONE = 0.75
"""Least share of the question in a piece without a linking row, or least confidence."""
LEAST_LEAD = 0.1
"""Least lead of a label-value entry over the next one."""

_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_ASKING = re.compile(
    r"(?:^|\band |[,?.;:–—-] )(?:\w+ ){0,2}?(?:what|which|who|whom|whose|when|where|why|how)\b", re.IGNORECASE
)
_SEVERAL = re.compile(
    r"\bwho\s+(?:were|are)\s+(?:the|its|their)\b|\b(?:what|which)\s+(?:two|three|four|pair|couple|duo)\b|\bnames\s+of\b"
    r"|\b(?:what|which)\s+(?:(?:are|were)\s+)?(?:(?!is\b|was\b)[\w’-]+\s+){0,4}?[\w’-]+(?:[^su'’i]s|ies)\s+(?:of|to|in|are|were|have)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(r",|;|&|/|\band\b", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:not|never|nobody|neither|nor|without|except)\b|n['’]t\b", re.IGNORECASE)
_HOW = re.compile(r"\bhow\s+(\w+)", re.IGNORECASE)
# Between clauses with one subject: "was born in Aalborg and trained as an engineer".
_JOINT = re.compile(r"(?<!\s)\s+(?:and|but|while)\s+|;")


def doubt(signals: Mapping[str, float]) -> Doubt | None:
    """Return the first reason to doubt a reading; None if only its likelihood counts."""
    return next((name for name in get_args(Doubt) if signals.get(name)), None)


def says_enough(signals: Mapping[str, float]) -> bool:
    """Whether no doubt prevents high confidence in a reading."""
    return doubt(signals) is None


def asks_several(question: str) -> bool:
    """Whether a question has several question marks or interrogative clauses: "who built it, and when …"."""
    return len(_ASKING.findall(question)) > 1 or question.count("?") > 1


def of_question(shape: QuestionShape, answer: str) -> Iterator[Doubt]:
    """Yield doubts that follow from the question alone."""
    text = shape.text
    if asks_several(text) or (_SEVERAL.search(text) and not _LISTED.search(answer)):
        yield "several"
    if _DENIES.search(asking_clause(text)):
        yield "denied"


def of_sources(shape: QuestionShape, cited: Sequence[CitedPiece], evidence: Sequence[EvidenceText]) -> Iterator[Doubt]:
    """Yield doubts about comparing words and numbers of the question that the answer's sources lack.

    Rules do not compare or add: "the tallest" needs a source that says so, and a figure for 1995 does
    not answer a question about 1994.
    """
    by_id = {item.id: item for item in evidence}
    items = [by_id[piece.component] for piece in cited]
    texts = [text for piece, item in zip(cited, items, strict=True) for text in _source(piece, item)]
    said = {stem(word) for text in texts for word in re.findall(r"[^\W\d_]+", text.casefold())}
    lacking = {stem(word) for word in shape.comparing} - said
    lacking = {term for term in lacking if not KIN.get(term, frozenset()) & said}
    if lacking:  # another text may use it for the same thing, next to the same word: "the first craft"
        pairs = {pair for pair in pairwise(terms(shape.text)) if lacking & set(pair)}
        named = Clues(evidence).naming(name for item in items for name in names_of(item.title))
        found = {pair for clue in named if clue.row is None for pair in pairwise(terms(clue.text)) if pair in pairs}
        if not lacking <= {term for pair in found for term in pair}:
            yield "compared"
    texts += [cell for piece, item in zip(cited, items, strict=True) for cell in _cells(piece, item)]
    texts += [sentence for item in items for sentence in item.sentences]
    asked = asking_sentence(shape.text).replace(",", "")
    if set(_DIGITS.findall(asked)) - set(_DIGITS.findall(" ".join(texts).replace(",", ""))):
        yield "number"


def _source(piece: CitedPiece, item: EvidenceText) -> list[str]:
    """Return the texts that may contain "tallest": a sentence with headings, or a table's column names."""
    over = heading(item.title, item.section)
    if item.rows:
        return [*item.header, over]
    return [over, *(item.sentences if piece.sentence is None else [item.sentences[piece.sentence]])]


def _cells(piece: CitedPiece, item: EvidenceText) -> list[str]:
    rows = item.rows if piece.row is None else [item.rows[piece.row]]
    return [cell for row in rows for cell in row]


def of_candidate(
    best: Candidate, rival: float, confidence: float, evidence: Sequence[EvidenceText], shape: QuestionShape
) -> Iterator[Doubt]:
    """Yield doubts from a ranked candidate's own words and position.

    Args:
        rival: share of the best different candidate, divided by this one's.
        confidence: of this one, including other pages that name its page.
    """
    signals, piece = best.signals, best.piece
    by_id = {item.id: item for item in evidence}
    row = piece.row if piece.row is not None else linking_row(piece.evidence, by_id)
    if rival > 0.98 or (row is not None and signals["lead"] <= 0.0):
        yield "rival"
    if shape.kind == "person" and signals["fit"] < 1.0 and not (piece.row is not None and signals["named"] >= 1.0):
        yield "kind"
    needs_name = piece.row is not None or shape.kind in ("number", "entity", "unknown")
    if needs_name and signals["named"] < NAMED_ALIKE:
        yield "column"
    rarity = rarities(pieces(list(evidence)))
    here = piece.chain if piece.sentence is None else piece.titled | row_terms(piece.evidence, by_id)
    names = content_terms(" ".join(shape.names))
    said = covered(shape.terms - content_terms(" ".join(_HOW.findall(shape.text))), here, rarity)
    if (piece.row is None or names) and (covered(names, here, rarity) if names else said) < LEAST_NAMED:
        yield "other"
    elif piece.row is None and _is_of_another_clause(best.text, piece.text, shape.focus - names):
        yield "clause"
    if row is None and max(said, signals["own"], confidence) < LEAST_ALONE:
        yield "little"


def _is_of_another_clause(text: str, sentence: str, relation: frozenset[str]) -> bool:
    """Whether only another clause of the sentence has the words that the question asks about the thing."""
    place = sentence.find(text)
    if place < 0 or not relation:
        return False
    wanted = relation.union(*(family(term) for term in relation))
    cuts = [0, *(match.start() for match in _JOINT.finditer(sentence)), len(sentence)]
    start, end = next((cut, after) for cut, after in pairwise(cuts) if place < after or after == len(sentence))
    others = f"{sentence[:start]} {sentence[end:]}"
    return not wanted & content_terms(sentence[start:end]) and bool(wanted & content_terms(others))
