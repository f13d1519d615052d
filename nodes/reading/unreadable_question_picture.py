"""Failure of a question picture that no configured model can see."""

from __future__ import annotations

from backtrail.state.failure import Failure


def unreadable_question_picture(node: str) -> Failure:
    """Build the failure that the first node of a run records."""
    return {
        "id": "picture@0",
        "node": node,
        "step": 0,
        "error": "PictureNotSeen",
        "message": "The offline rules cannot look at the question's picture; name a vision model to have it read.",
    }
