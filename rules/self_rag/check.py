"""Check a draft: its words must be in the documents, and must not all be in the question."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.language.questions import analyse
from backtrail.language.terms import content_terms
from backtrail.state.self_rag.decisions import (
    Checked,
    CheckInputs,
    OfUse,
    Retrieved,
    Supported,
    SupportInputs,
    UseInputs,
)


def check(inputs: CheckInputs) -> Checked:
    """Grade grounded and useful; an answer to a choice is a word of the question, or yes or no."""
    use = resolves(UseInputs(question=inputs.question, answer=inputs.answer))
    if _chooses(inputs.question):
        return Checked(grounded=True, useful=use.useful)
    support = supported(SupportInputs(answer=inputs.answer, documents=inputs.documents))
    return Checked(grounded=support.grounded, useful=use.useful, why=support.why or use.why)


def supported(inputs: SupportInputs) -> Supported:
    """Grounded: one document contains every term, or the answer is yes or no."""
    said = content_terms(inputs.answer)
    grounded = _says_all(said, inputs.documents) or inputs.answer.strip(" .").casefold() in ("yes", "no")
    return Supported(grounded=grounded, why="" if grounded else "No document says the whole answer.")


def resolves(inputs: UseInputs) -> OfUse:
    """Useful: it has a term that the question lacks."""
    if _chooses(inputs.question):
        return OfUse(useful=bool(inputs.answer.strip()))
    said = content_terms(inputs.answer)
    useful = bool(said - analyse(inputs.question).terms) or not said
    return OfUse(useful=useful, why="" if useful else "It repeats the question.")


def _chooses(question: str) -> bool:
    return analyse(question).kind in ("yes_no", "choice")


def _says_all(said: set[str] | frozenset[str], documents: Sequence[Retrieved]) -> bool:
    return any(said <= content_terms(f"{document.title} {document.text}") for document in documents)
