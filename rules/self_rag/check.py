"""Check a draft: its words must stand in the documents, and must not be the question's own."""

from __future__ import annotations

from backtrail.language.questions import analyse
from backtrail.language.terms import content_terms
from backtrail.state.self_rag.decisions import Checked, CheckInputs


def check(inputs: CheckInputs) -> Checked:
    """Grounded: every term is said by one document. Useful: it says something that the question does not."""
    said = content_terms(inputs.answer)
    shape = analyse(inputs.question)
    if shape.kind in ("yes_no", "choice"):  # the answer is a word of the question, or yes or no
        return Checked(grounded=True, useful=bool(inputs.answer.strip()))
    grounded = any(said <= content_terms(f"{document.title} {document.text}") for document in inputs.documents)
    useful = bool(said - shape.terms) or not said
    missing = "" if grounded else "No document says the whole answer."
    return Checked(grounded=grounded, useful=useful, why=missing or ("" if useful else "It repeats the question."))
