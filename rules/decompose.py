"""Decompose a question by its structure: inner phrases first, then the main question."""

from __future__ import annotations

import re

from backtrail.language.clauses import split_question, tidy
from backtrail.language.questions import QuestionShape, analyse
from backtrail.language.terms import content_terms
from backtrail.language.vocabulary import COMPARATIVES, PRONOUNS
from backtrail.rules.pronouns import name_meant, replace_pronoun
from backtrail.state.decompose_decisions import DecomposeInputs, Plan, PlannedSubquery

SUBQUERY_CHARACTERS = 400  # limit of a subquery
MOST_SUBQUERIES = 6

_COORDINATED = re.compile(
    r"(?:,|(?<!\s))\s+and\s+(?=(?:(?:in|at|on|from|by|to|for)\s+)?(?:who|what|when|where|why|how|which)\b)",
    re.IGNORECASE,
)
_WH_START = re.compile(r"^\W*(?:\w+\s+)?(?:who|what|when|where|why|how|which)\b", re.IGNORECASE)


def decompose(inputs: DecomposeInputs) -> Plan:
    """Return one to six subqueries in the question's words; later ones depend on earlier ones."""
    question = " ".join(inputs.question.split())
    if not content_terms(question) or len(question) > SUBQUERY_CHARACTERS:
        return Plan(subqueries=[PlannedSubquery(text=piece) for piece in _pieces(question)])
    shape = analyse(question)
    planned = _compared(question, shape) or _coordinated(question) or _nested(question)
    return Plan(subqueries=planned[:MOST_SUBQUERIES])


def _pieces(text: str) -> list[str]:
    """Split overlong or wordless text at words into pieces that fit a subquery."""
    pieces: list[str] = []
    while text and len(pieces) < MOST_SUBQUERIES:
        cut = len(text) if len(text) <= SUBQUERY_CHARACTERS else text.rfind(" ", 1, SUBQUERY_CHARACTERS)
        cut = cut if cut > 0 else SUBQUERY_CHARACTERS
        pieces.append(text[:cut].strip())
        text = text[cut:].strip()
    return pieces or ["?"]


def _compared(question: str, shape: QuestionShape) -> list[PlannedSubquery]:
    """'Which is older, X or Y?': one subquery per side, then the comparison."""
    measured = next((word for word in question.casefold().replace(",", " ").split() if word in COMPARATIVES), "")
    if not shape.options or not measured:
        return []
    if measured in ("first", "last") and "which" not in question.casefold() and "who" not in question.casefold():
        return []
    sides = [PlannedSubquery(text=f"What is the {COMPARATIVES[measured]} of {tidy(side)}?") for side in shape.options]
    return [*sides, PlannedSubquery(text=question, depends_on=list(range(len(sides))))]


def _coordinated(question: str) -> list[PlannedSubquery]:
    """'Who founded X and when was it built?': one subquery per question.

    A pronoun is replaced by the only candidate name. If it is ambiguous it stays, and the subquery depends on the
    one before.
    """
    parts = _COORDINATED.split(question)
    if len(parts) < 2 or not _WH_START.match(parts[0]):
        return []
    planned = [PlannedSubquery(text=tidy(parts[0]) + "?")]
    for part in parts[1:]:
        text = tidy(part)
        has_pronoun = any(word.casefold() in PRONOUNS for word in text.split())
        if name := name_meant(parts[0], text):
            text, has_pronoun = replace_pronoun(text, name), False
        planned.append(PlannedSubquery(text=text[0].upper() + text[1:] + "?", depends_on=[0] if has_pronoun else []))
    return planned


def _nested(question: str) -> list[PlannedSubquery]:
    """Ask for the inner phrase first: it identifies what the main question is about."""
    split = split_question(question)
    if split is None or not _informative(split.inner, split.bridge):
        return [PlannedSubquery(text=question)]
    return [
        PlannedSubquery(text=split.inner[:SUBQUERY_CHARACTERS]),
        PlannedSubquery(text=split.outer[:SUBQUERY_CHARACTERS], depends_on=[0]),
    ]


def _informative(inner: str, bridge: str) -> bool:
    """Whether an inner phrase has more content terms than its bare noun phrase."""
    return len(content_terms(inner) - content_terms(bridge)) > 0
