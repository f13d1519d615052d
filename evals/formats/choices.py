"""Multiple-choice questions in the QCM form of ScienceQA: question, context, options."""

from __future__ import annotations

import string
from collections.abc import Sequence

from backtrail.language.options import shown


def qcm(question: str, context: str, options: Sequence[str]) -> str:
    """Format question, context (or N/A) and lettered options, a line each."""
    offered = " ".join(shown(label, text) for label, text in zip(string.ascii_uppercase, options, strict=False))
    return f"Question: {' '.join(question.split())}\nContext: {' '.join(context.split()) or 'N/A'}\nOptions: {offered}"


def choice_tags(options: Sequence[str], right: int) -> dict[str, object]:
    """Return the tags for scorers of multiple choice: the options, and the label of the right one."""
    return {"options": list(options), "label": string.ascii_uppercase[right]}
