"""Signals of passages: what tells, before anything is read, whether a passage holds the answer. About [0, 1] each."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from backtrail.language.numbered_names import names_another
from backtrail.language.questions import QuestionShape, analyse
from backtrail.language.spans import fit, spans
from backtrail.language.terms import content_terms
from backtrail.rules.reader.asked.named_row import NamedRows
from backtrail.rules.reader.asked.numbers_said import numbers_said
from backtrail.rules.reader.asked.word_pairs import WordPairs
from backtrail.rules.reader.passages import Passage, beside_in_place, key_of
from backtrail.rules.reader.ranking import Ranked, nearness
from backtrail.rules.reader.support import Piece, covered, linking_row, rarities
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText
from backtrail.state.offline.extract import ExtractInputs

# Candidates this much worse than the best say nothing any more.
_FAR = 8.0
# A span of which the kind of answer asked for is likelier than not.
_LIKELY = 0.4
# Spans are looked for in so many characters of a row.
SPAN_CHARACTERS = 800
# Commands and settings, as they are asked for …
_ASKS_CODE = re.compile(
    r"\b(?:commands?|one-liner|syntax|snippet|ya?ml|json|toml|flags?|switch(?:es)?|options?|parameters?|directives?)\b"
    r"|\b(?:i|to|you|we|should|must)\s+(?:\w+\s+)?type\b",
    re.IGNORECASE,
)
# … and as they are written: after a prompt, with options, assignments, brackets.
_CODE = re.compile(r"(?:^|\s)(?:\$ |--[A-Za-z]|-[A-Za-z]\b)|^[#>] |\w ?= ?[\w\"'{\[]|[{};]\s*$|^\s*[<\[{]|\w: !|\)\s*;")
# Pictures, as they are asked for.
_ASKS_PICTURE = re.compile(
    r"\b(?:pictur(?:e|ed|es)|photo(?:s|graph(?:s|ed)?)?|images?|draw(?:n|ings?)|sketch(?:es|ed)?|diagrams?|figures?"
    r"|illustrat\w+|maps?|screenshots?|charts?|graphs?|plot(?:s|ted)?|depict\w*|logos?|paint(?:ed|ings?)|posters?"
    r"|poses?|posing|visible|seen)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Signalled:
    """A passage with its signals.

    ``terms``: what it says of the question, with what stands over it. ``rarity``: of the terms of the question.
    ``clauses``: of a question that asks several things, its signals for each clause as if nothing else was asked.
    """

    passage: Passage
    signals: Mapping[str, float]
    terms: frozenset[str]
    rarity: Mapping[str, float]
    clauses: Sequence[Mapping[str, float]] = ()

    def gain(self, said: frozenset[str]) -> float:
        """The share of the question that this says and nothing said so far does; 0 for the first quote."""
        if not said:
            return 0.0
        total = math.fsum(self.rarity.values())
        return math.fsum(self.rarity[term] for term in self.terms - said) / total if total else 0.0


def quotable(inputs: AnswerInputs) -> list[EvidenceText]:
    """The evidence, and what stands beside it."""
    return [*inputs.evidence, *(inputs.beside if isinstance(inputs, ExtractInputs) else [])]


def with_candidates(found: Sequence[Signalled], listed: Sequence[Ranked]) -> list[Signalled]:
    """Passages with what the candidates in each of them say for it beside their own signals."""
    best: dict[tuple[str, int | None, int | None], tuple[float, float]] = {}
    for one in listed:
        best.setdefault(key_of(one.candidate.piece), (one.score - listed[0].score, one.share))
    held: list[Signalled] = []
    for one in found:
        score, share = best.get(key_of(one.passage.piece), (-_FAR, 0.0))
        signals = {**one.signals, "candidate": 1.0 + max(-_FAR, score) / _FAR, "share": share}
        held.append(replace(one, signals=signals))
    return held


def signals_alone(found: Sequence[Passage], inputs: AnswerInputs, shape: QuestionShape) -> list[Signalled]:
    """Every passage with those of its signals that do not depend on candidates."""
    around = _Around(found, inputs, shape)
    asked = inputs.asked if isinstance(inputs, ExtractInputs) else []
    clauses = [_Around(found, inputs, analyse(clause.text), clause.nearness) for clause in asked]
    return [
        replace(around.signalled(one), clauses=[clause.signalled(one).signals for clause in clauses]) for one in found
    ]


class _Around:
    """What the passages of one question are measured by."""

    def __init__(
        self,
        found: Sequence[Passage],
        inputs: AnswerInputs,
        shape: QuestionShape,
        measured: Mapping[str, Sequence[float]] | None = None,
    ) -> None:
        self._shape = shape
        self._asks_code = bool(_ASKS_CODE.search(shape.text))
        pieces = {key_of(one.piece): one.piece for one in found}
        self._rarity = rarities(pieces.values())
        self._wanted = {term: self._rarity.get(term, 1.0) for term in shape.terms}
        self._by_id = {item.id: item for item in inputs.evidence}
        self._place = {item.id: place for place, item in enumerate(inputs.evidence)}
        near = {key: nearness(piece, measured) for key, piece in pieces.items()}
        self._near = near
        self._rank = {key: rank for rank, key in enumerate(sorted(near, key=lambda key: -near[key]))}
        self._names = content_terms(" ".join(shape.names))
        self._numbers = frozenset(numbers_said(shape.text))
        self._rows = {
            item.id: [covered(shape.terms, content_terms(" ".join(row)), self._rarity) for row in item.rows]
            for item in quotable(inputs)
            if item.rows
        }
        self._led = _led(inputs.evidence)
        self._asks_picture = bool(_ASKS_PICTURE.search(shape.text))
        self._named = NamedRows(quotable(inputs), shape, self._rarity)
        self._pairs = WordPairs(list(pieces.values()), shape, self._rarity)
        self._around = {
            one.key: one.terms.union(*(other.terms for other in others)) for one, others in beside_in_place(found)
        }

    def signalled(self, one: Passage) -> Signalled:
        """The passage with its signals."""
        shape, piece = self._shape, one.piece
        item = piece.evidence
        terms = one.terms
        header = content_terms(" ".join(item.header)) if piece.row is not None else frozenset[str]()
        near, rank = self._near[key_of(piece)], self._rank[key_of(piece)]
        found = self._place.get(item.id)
        table, row = self._table(piece)
        own = covered(shape.terms, terms | header, self._rarity)
        behind = self._rows[table.id][row] if table is not None and row is not None and table.id in self._rows else 0.0
        text = f"{one.text} {item.section} {item.title}"
        numbers = set(
            numbers_said(" ".join([text, *(table.rows[row] if table is not None and row is not None else [])]))
        )
        signals = {
            "own": own,
            "titled": covered(shape.terms, terms | piece.titled, self._rarity),
            "chain": covered(shape.terms, terms | piece.chain, self._rarity),
            "focus": covered(shape.focus, terms | header, self._rarity),
            "place": 1.0 / (1 + found) if found is not None else 0.0,
            "beside": float(found is None),
            "kind": float(self._of_kind(one.text)),
            "headed": float(bool(shape.heads & (terms | header))),
            "row": float(piece.row is not None),
            "nearness": near,
            "nearest": 1.0 / (1 + rank) if near else 0.0,
            "names": covered(self._names, terms | piece.chain, self._rarity) if self._names else 0.5,
            "numbers": len(self._numbers & numbers) / len(self._numbers) if self._numbers else 0.5,
            "row_lead": self._lead(table, row),
            "behind": behind if piece.row is None else 0.0,
            "ahead": self._led.get((item.id, piece.row), 0.0) if piece.row is not None else 0.0,
            "linked": float(piece.row is None and item.parent is not None),
            "section": covered(shape.terms, content_terms(item.section), self._rarity),
            "opens": float(one.number == 0 and piece.row is None),
            "length": min(1.0, len(one.text) / 400),
            "another": float(names_another(item.title, shape.text)),
            "code": float(self._asks_code and bool(_CODE.search(one.text[:SPAN_CHARACTERS]))),
            "picture": float(item.modality == "image"),
            "depicted": float(self._asks_picture and item.modality == "image"),
            "around": covered(shape.terms, self._around[one.key], self._rarity)
            - covered(shape.terms, terms, self._rarity),
            "pairs": self._pairs.of(piece)["pairs_group"],
            **self._named.of(piece),
        }
        return Signalled(one, signals, (terms | piece.titled) & shape.terms, self._wanted)

    def _table(self, piece: Piece) -> tuple[EvidenceText | None, int | None]:
        """The table and row that a passage is, or that led to it."""
        if piece.row is not None:
            return piece.evidence, piece.row
        return self._by_id.get(piece.evidence.parent or ""), linking_row(piece.evidence, self._by_id)

    def _more_around(self, one: Passage) -> float:
        """How much more of the question is said with what stands right before and after it in its place."""
        terms, rarity = self._shape.terms, self._rarity
        return covered(terms, self._around[one.key], rarity) - covered(terms, one.terms, rarity)

    def _lead(self, table: EvidenceText | None, row: int | None) -> float:
        """How much more of the question its row says than any other row of the table."""
        if table is None or row is None or table.id not in self._rows:
            return 0.0
        shares = self._rows[table.id]
        return shares[row] - max((share for place, share in enumerate(shares) if place != row), default=0.0)

    def _of_kind(self, text: str) -> bool:
        """Whether a text says something of the kind asked for that the question does not say itself."""
        shape = self._shape
        return any(
            fit(shape.kind, span.kind, span.text) > _LIKELY and not content_terms(span.text) <= shape.terms
            for span in spans(text[:SPAN_CHARACTERS], phrases=False)
        )


def _led(evidence: Sequence[EvidenceText]) -> dict[tuple[str, int | None], float]:
    """Rows that led to a page that was found: how high it was ranked."""
    found: dict[tuple[str, int | None], float] = {}
    for place, item in enumerate(evidence):
        if item.parent is not None and item.parent != item.id:
            key = (item.parent, item.parent_row)
            found[key] = max(found.get(key, 0.0), 1.0 / (1 + place))
    return found
