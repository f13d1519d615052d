"""The draft of an answer: the best so far, while a run still looks for what would verify it."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from backtrail.state.answer import Answer


class Draft(TypedDict):
    """An answer that was read off the evidence in sight, and the parts of the question that nothing has shown yet.

    ``from_both``: whoever wrote it could have answered from own knowledge too, and need not be asked again.
    """

    answer: Answer
    unverified: list[str]
    from_both: NotRequired[bool]
