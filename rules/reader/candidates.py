"""Extract candidate answers from the evidence, with their signals."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import nlargest

from backtrail.language.numbered_names import names_another
from backtrail.language.questions import QuestionShape
from backtrail.language.spans import fit, spans
from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import KIN, AnswerKind, kind_of_noun
from backtrail.rules.reader.clues import Clues
from backtrail.rules.reader.label_lookup import family, is_labelled
from backtrail.rules.reader.span_proximity import WordPlaces, near, weighed
from backtrail.rules.reader.support import Piece, covered, linking_row, pieces, rarities
from backtrail.rules.reader.units import may_measure, measure, measures_asked
from backtrail.state.answer_decisions import AnswerInputs

# Longer cells are notes, not answers; longer spans are lists of names.
CELL_CHARACTERS, SPAN_CHARACTERS = 80, 120
# Reading more pieces adds time and no answers: the rest cover too little.
PIECES_READ = 60
# Kinds with a recognisable form: a cell of another form is no answer.
TYPED: frozenset[AnswerKind] = frozenset(("date", "year", "time", "number"))
# Name fit of a column named by a related word of the question, or by its kind.
NAMED_ALIKE = 0.7

_WORD = re.compile(r"\w+")
# "P-2210", "B3": a code, whatever its number of digits.
_CODE = re.compile(r"[^\W\d_]+-?\d")
_OWNER = re.compile(r"\s?['’]s$")


@dataclass(frozen=True)
class Candidate:
    """A span or cell with its signals, each about [0, 1]."""

    text: str
    piece: Piece
    signals: Mapping[str, float]


def candidates(inputs: AnswerInputs, shape: QuestionShape) -> list[Candidate]:
    """Extract candidates from the pieces that cover most of the question and match the main clause.

    Skips pages of things with the same name and another number ("Voyager 2" for "Voyager 1").
    """
    evidence = [item for item in inputs.evidence if not names_another(item.title, shape.text)]
    around = _Around(inputs, shape)
    scored = [
        (around.of(piece), piece)
        for piece in pieces(evidence)
        if not (piece.row is not None and is_labelled(piece.evidence))
    ]
    best = nlargest(PIECES_READ, scored, key=lambda entry: sum(entry[0][name] for name in ("chain", "titled", "focus")))
    return [
        Candidate(text, piece, {**signals, **own})
        for signals, piece in best
        if says_any(piece.titled, shape.focus)
        for text, own in (_cells(piece, shape) if piece.row is not None else _spans(piece, shape, around.rarity))
    ]


def says_any(present: frozenset[str], focus: frozenset[str]) -> bool:
    """Whether any word of the main clause, or one of its family, occurs; true if it has no words."""
    return not focus or any(family(term) & present for term in focus)


class _Around:
    """Context against which the pieces of one question are measured."""

    def __init__(self, inputs: AnswerInputs, shape: QuestionShape) -> None:
        self._shape = shape
        listed = pieces(inputs.evidence)
        self.rarity = rarities(listed)
        self._by_id = {item.id: item for item in inputs.evidence}
        self._place = {item.id: place for place, item in enumerate(inputs.evidence)}
        self._clues = Clues(inputs.evidence)
        self._clue_terms: dict[str, frozenset[str]] = {}
        self._rows: dict[str, list[float]] = defaultdict(list)
        for piece in listed:
            if piece.row is not None:
                self._rows[piece.evidence.id].append(covered(shape.terms, piece.page, self.rarity))

    def of(self, piece: Piece) -> dict[str, float]:
        """Compute the signals of a piece."""
        shape, item = self._shape, piece.evidence
        chain = (
            piece.chain if item.parent_row is not None or piece.row is not None else piece.chain | self._of(item.title)
        )
        return {
            "chain": covered(shape.terms, chain, self.rarity),
            "led": covered(shape.terms, chain, self.rarity) - covered(shape.terms, piece.page, self.rarity),
            "titled": covered(shape.terms, piece.titled, self.rarity),
            "own": covered(shape.terms, piece.own, self.rarity),
            "focus": covered(shape.focus, piece.own, self.rarity),
            "lead": self._lead(piece),
            "nearness": piece.nearness,
            "place": 1.0 / (1 + self._place[item.id]),
            "early": 1.0 / (1 + (piece.sentence or 0)) if piece.row is None else 0.0,
            "cell": float(piece.row is not None),
        }

    def _of(self, title: str) -> frozenset[str]:
        """Return the terms of the best clue from another page that names this page."""
        if title not in self._clue_terms:
            naming = (clue for clue in self._clues.naming([title]) if clue.item.title != title)
            best = max(naming, key=lambda clue: covered(self._shape.terms, clue.terms, self.rarity), default=None)
            self._clue_terms[title] = best.terms if best else frozenset()
        return self._clue_terms[title]

    def _lead(self, piece: Piece) -> float:
        """Lead of a row with its pages, or of the row that led here, in coverage over other rows."""
        row = piece.row if piece.row is not None else linking_row(piece.evidence, self._by_id)
        if row is None:
            return 0.0
        shares = self._rows[piece.evidence.id if piece.row is not None else piece.evidence.parent or ""]
        return shares[row] - max((share for place, share in enumerate(shares) if place != row), default=0.0)


def _cells(piece: Piece, shape: QuestionShape) -> Iterator[tuple[str, dict[str, float]]]:
    header, asked = piece.evidence.header, measures_asked(shape)
    cells = [" ".join(cell.split()) for cell in piece.evidence.rows[piece.row or 0]]
    for place, cell in enumerate(cells):
        title = header[place] if place < len(header) else ""
        if not _WORD.search(cell) or len(cell) > CELL_CHARACTERS or not may_measure(cell, asked, title):
            continue
        suits, echo = cell_fit(cell, shape), _echo(cell, shape)
        if echo >= 1.0 or (shape.kind == "number" and _CODE.match(cell)):
            continue
        if suits or _may_be_of_kind(cell, shape):
            yield cell, {"fit": suits, "named": _named(title, shape), "echo": echo}


def _may_be_of_kind(cell: str, shape: QuestionShape) -> bool:
    """Whether a cell of another form may still fit the kind of answer: nobody is called "1 March 1982"."""
    if shape.kind == "person":
        return not any(span.kind in TYPED and span.text == cell for span in spans(cell))
    return shape.kind not in TYPED or (
        shape.kind != "number" and measure(cell) == "number" and any(map(str.isdigit, cell))
    )


def cell_fit(cell: str, shape: QuestionShape) -> float:
    """Fit of a cell to the kind of answer: its best span that fills at least half of it."""
    wide = [span for span in spans(cell) if len(span.text) * 2 >= len(cell)]
    return max((fit(shape.kind, span.kind, span.text) for span in wide), default=0.0)


def _named(title: str, shape: QuestionShape) -> float:
    """Fit of a column's name to what the question asks."""
    header = content_terms(title)
    if shape.heads & header:
        return 1.0
    alike = any(KIN.get(term, frozenset()) & header for term in shape.heads | shape.focus) or shape.focus & header
    of_kind = shape.kind != "number" and shape.kind in {kind_of_noun(word) for word in title.casefold().split()}
    return NAMED_ALIKE if alike or of_kind else 0.0


def _echo(text: str, shape: QuestionShape) -> float:
    """Share of words that the question contains too: a question seldom contains its answer."""
    own = content_terms(text)
    return len(own & shape.terms) / len(own) if own else 1.0


def _spans(piece: Piece, shape: QuestionShape, rarity: Mapping[str, float]) -> Iterator[tuple[str, dict[str, float]]]:
    words = WordPlaces(piece.text)
    focused = weighed(shape.focus, rarity)
    title, asked = content_terms(piece.evidence.title), measures_asked(shape)
    says_head = bool(shape.heads & piece.own)
    for span in spans(piece.text, phrases=fit(shape.kind, "phrase") > 0):
        suits = fit(shape.kind, span.kind, span.text)
        if suits <= 0.0 or len(span.text) > SPAN_CHARACTERS or not may_measure(span.text, asked):
            continue
        own, echo = content_terms(span.text), _echo(span.text, shape)
        if echo >= 1.0:  # a question does not contain its answer
            continue
        yield (
            _OWNER.sub("", span.text),
            {
                "fit": suits,
                "echo": echo,
                "near": near(span, words, focused),
                "subject": float(bool(own) and own <= title),
                "named": float(says_head),
            },
        )
