"""Ranking of candidates: the signals of a piece, of a span in it and of both together, weighed by what was learnt.

A candidate's score is linear in its signals; its share is the softmax of the scores of all candidates of the question.
The weights were fitted so that right candidates have the largest share (listwise maximum likelihood, as ListNet by Cao
et al., 2007); they stand in ``ranking.json``, one number a signal, and ``backtrail.training.answer_ranking`` learns
them anew from questions of yours, drawn to zero or to earlier weights. ``another``, ``bridge`` and ``told`` are set by
hand.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from backtrail.language.numbered_names import names_another
from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.rules.reader.asked.groups import Groups
from backtrail.rules.reader.candidates import Candidate, speaks_of
from backtrail.rules.reader.measures import dimension, measured_in
from backtrail.rules.reader.support import Piece, covered, linking_row, rarities
from backtrail.rules.reader.support import pieces as pieces_of
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText

WEIGHTS = "ranking.json"
# Signals of the candidate itself that are weighed as they are (see ``backtrail.rules.reader.candidates``) …
OWN = (
    "chain", "page", "titled", "focus", "near", "near_any", "headed", "preposition", "early", "rank",
    "bridge", "told", "echo", "subject", "fit", "header", "asked",
    "named", "written",
)  # fmt: skip
# … and those that count only as far as the chain covers the question: a fitting column in a wrong table is nothing.
COVERED = ("fit", "header", "asked")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_LOWER = re.compile(r"\b[a-z]{2,}\b")


@dataclass(frozen=True)
class Ranked:
    """A candidate with what it is judged by, its score, and its share of all candidates' likelihood in [0, 1].

    ``share`` is that of its text, whichever piece says it.
    """

    candidate: Candidate
    signals: Mapping[str, float]
    score: float
    share: float


Ranking = Mapping[str, Mapping[str, float]]
"""Weights of ``candidates`` and of ``quotes``, by signal."""

_ON_TRIAL: ContextVar[Ranking | None] = ContextVar("backtrail_ranking_on_trial", default=None)


def weights(of: Literal["candidates", "quotes"]) -> Mapping[str, float]:
    """The weights that are read by, of ``candidates`` or of ``quotes``: the packaged ones, unless others are tried."""
    return (_ON_TRIAL.get() or packaged_ranking())[of]


@cache
def packaged_ranking() -> Ranking:
    """The weights that come with the package."""
    return json.loads(files(__package__ or "").joinpath(WEIGHTS).read_text(encoding="utf-8"))


@contextmanager
def reading_by(ranking: Ranking) -> Iterator[None]:
    """Read by other weights than those of the package, to judge them."""
    before = _ON_TRIAL.set(ranking)
    try:
        yield
    finally:
        _ON_TRIAL.reset(before)


def ranked(
    found: Sequence[Candidate], inputs: AnswerInputs, shape: QuestionShape, told: set[frozenset[str]]
) -> list[Ranked]:
    """Candidates, the best first; of two readings of one place the fuller: "Toledo, Oregon" before "Toledo"."""
    return weighed_by(weights("candidates"), found, all_signals(found, inputs, shape, told))


def weighed_by(
    weighed: Mapping[str, float], found: Sequence[Candidate], signals: Sequence[Mapping[str, float]]
) -> list[Ranked]:
    """Candidates with these signals, the best by these weights first."""
    if not found:
        return []
    scores = [sum(weighed.get(name, 0.0) * value for name, value in one.items()) for one in signals]
    highest = max(scores)
    powers = [math.exp(max(-60.0, score - highest)) for score in scores]
    total = sum(powers)
    of_text: dict[str, float] = defaultdict(float)
    for candidate, power in zip(found, powers, strict=True):
        of_text[candidate.text.casefold()] += power / total
    listed = [
        Ranked(candidate, own, score, of_text[candidate.text.casefold()])
        for candidate, own, score in zip(found, signals, scores, strict=True)
    ]
    return sorted(listed, key=lambda one: (-round(one.score, 9), -len(one.candidate.text), one.candidate.text))


def all_signals(
    found: Sequence[Candidate], inputs: AnswerInputs, shape: QuestionShape, told: set[frozenset[str]]
) -> list[dict[str, float]]:
    """The signals of each candidate, all in [0, 1] but for leads, which are in [-1, 1]."""
    around = _Around(inputs, shape)
    crowd = Counter(_key(one.piece) for one in found)
    dimensions = measured_in(shape)
    signals: list[dict[str, float]] = []
    for candidate in found:
        piece, own = candidate.piece, candidate.signals
        terms = content_terms(candidate.text)
        words = candidate.text.split()
        in_row = piece.has_cells
        signals.append({
            **{name: own.get(name, 0.0) for name in OWN},
            **{f"covered_{name}": own["chain"] * own.get(name, 0.0) for name in COVERED},
            **around.of(piece),
            **around.groups.of(piece, candidate.text),
            "told": float(terms in told),
            "alone": 1.0 / crowd[_key(piece)],
            "cell": float(in_row),
            f"cell_{shape.kind}": float(in_row),
            "title": float(terms == content_terms(piece.evidence.title)),
            "first_column": float(in_row and piece.evidence.rows[piece.row or 0][:1] == [candidate.text]),
            "one_word": float(len(words) == 1),
            "capital": float(candidate.text[:1].isupper()),
            "opens_sentence": float(around.opens_sentence(candidate.text, piece)),
            "unasked": float(not speaks_of(piece.titled, shape.focus)),
            "another": around.another(piece),
            "dimension": float(bool(dimensions) and dimension(candidate.text) in dimensions),
        })  # fmt: skip
    return signals


def _key(piece: Piece) -> tuple[str, int | None, int | None, int | None]:
    return piece.evidence.id, piece.row, piece.sentence, piece.column


class _Around:
    """What stands around the pieces of one question's evidence, computed once per piece."""

    def __init__(self, inputs: AnswerInputs, shape: QuestionShape) -> None:
        self._shape = shape
        self._by_id = {item.id: item for item in inputs.evidence}
        self._place = {item.id: place for place, item in enumerate(inputs.evidence)}
        listed = pieces_of(inputs.evidence)
        self._rarity = rarities(listed)
        self.groups = Groups(listed, shape, self._rarity)
        self._rows = {
            item.id: [covered(shape.terms, content_terms(" ".join(row)), self._rarity) for row in item.rows]
            for item in inputs.evidence
            if item.rows
        }
        self._names = content_terms(" ".join(shape.names))
        self._numbers = frozenset(number.replace(",", "") for number in shape.numbers)
        self._lower = frozenset(
            word for item in inputs.evidence for sentence in item.sentences for word in _LOWER.findall(sentence)
        )
        self._known: dict[tuple[str, int | None, int | None, int | None], dict[str, float]] = {}

    def of(self, piece: Piece) -> dict[str, float]:
        """Signals of the piece among the others."""
        key = _key(piece)
        if key not in self._known:
            self._known[key] = self._measured(piece)
        return self._known[key]

    def _measured(self, piece: Piece) -> dict[str, float]:
        item = piece.evidence
        table = item if piece.row is not None else self._by_id.get(item.parent or "")
        row = piece.row if piece.row is not None else linking_row(item, self._by_id)
        over = content_terms(f"{table.title} {table.section}") if table else frozenset[str]()
        return {
            "place": 1.0 / (1 + self._place[item.id]),
            "own": covered(self._shape.terms, piece.own, self._rarity),
            "table": covered(self._shape.terms, over, self._rarity),
            "row_lead": self._lead(table, row),
            "names": covered(self._names, piece.chain, self._rarity) if self._names else 0.5,
            "numbers": self._numbers_said(item, table, row),
            "nearness": nearness(piece),
        }

    def another(self, piece: Piece) -> float:
        """1 for a piece of a page about a thing of the same name with another number; else 0."""
        return float(names_another(piece.evidence.title, self._shape.text))

    def _lead(self, table: EvidenceText | None, row: int | None) -> float:
        """How much more of the question its row says than any other row of the table."""
        if table is None or row is None or table.id not in self._rows:
            return 0.0
        shares = self._rows[table.id]
        return shares[row] - max((share for place, share in enumerate(shares) if place != row), default=0.0)

    def _numbers_said(self, item: EvidenceText, table: EvidenceText | None, row: int | None) -> float:
        """The share of the question's numbers that the page or the row behind it says; 0.5 where it has none."""
        if not self._numbers:
            return 0.5
        cells = table.rows[row] if table and row is not None else []
        text = " ".join([item.title, item.section, *item.sentences, *cells, table.title if table else ""])
        return len(self._numbers & set(_DIGITS.findall(text.replace(",", "")))) / len(self._numbers)

    def opens_sentence(self, text: str, piece: Piece) -> bool:
        """Whether a lone capitalised word is one only because its sentence begins with it."""
        return piece.row is None and " " not in text and piece.text.startswith(text) and text.casefold() in self._lower


def nearness(piece: Piece, by_component: Mapping[str, Sequence[float]] | None = None) -> float:
    """Similarity of the piece with the question as the embedder sees it; 0 where it was not measured.

    Of a piece that says little itself it is that of the sentences beside it, if they are nearer.

    Args:
        by_component: similarities with something else, in place of those of the evidence.
    """
    place = piece.row if piece.row is not None else piece.sentence or 0
    measured = piece.evidence.nearness if by_component is None else by_component.get(piece.evidence.id, ())
    return max(0.0, *(measured[at] for at in (place, *piece.beside) if at < len(measured)), 0.0)
