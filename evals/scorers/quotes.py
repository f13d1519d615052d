"""Scorers of quotes by rules: how often they replace an answer, and whether they contain it.

They contain it when they have a wording of every value that the question asks for; or, as some answers are worded
unlike the documents, when they show all evidence of the question.
"""

from __future__ import annotations

from collections.abc import Iterable

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Evidence, Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.correctness import contains_wording, plain
from backtrail.rules.reader.quotes import MOST_QUOTES

# A shorter quote is a word or two, too little to count as its piece of evidence.
_LEAST_CHARACTERS = 30


def quotes_only() -> Scorer:
    """1 when quotes were shown instead of an answer, else 0."""
    return Scorer("Quotes only", lambda question, outcome: float(outcome.abstained and bool(outcome.quotes)))


def quotes_hold() -> Scorer:
    """1 when the quotes contain the answer, given or not; only answerable questions that rules read count."""

    def held(question: Question, outcome: Outcome) -> float | None:
        if not question.answers or not (outcome.level or outcome.quotes):
            return None
        return float(hold_answer(question, outcome.quotes))

    return Scorer(f"Answer in {MOST_QUOTES} quotes", held)


def hold_answer(question: Question, quotes: Iterable[str]) -> bool:
    """Return whether quotes together contain each part of the answer, or all of the evidence."""
    shown = list(quotes)
    parts = question.values
    if parts and all(any(contains_wording(quote, wording) for quote in shown for wording in part) for part in parts):
        return True
    return bool(question.evidence) and all(any(shows(quote, piece) for quote in shown) for piece in question.evidence)


def shows(quote: str, piece: Evidence) -> bool:
    """Return whether a quote is a piece of evidence, a part of it, or has all cells of its row."""
    if piece.quote is None:
        return False
    wanted, shown = plain(piece.quote), plain(quote)
    cells = [cell.strip() for cell in wanted.split(" | ") if cell.strip()]
    return all(cell in shown for cell in cells) or (len(shown) >= _LEAST_CHARACTERS and shown in wanted)
