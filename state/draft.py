"""The draft answer: the best so far, while a run still searches for verification."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from backtrail.state.answer import Answer


class Draft(TypedDict):
    """An answer from the evidence so far, and the parts of the question it leaves unverified.

    ``from_both``: its author could have used own knowledge too, and is not asked again. ``exhaustive``: the question
    asks for all of a kind, or for their number. ``by_reader``: the reader wrote it, whoever plans.
    """

    answer: Answer
    unverified: list[str]
    from_both: NotRequired[bool]
    exhaustive: NotRequired[bool]
    by_reader: NotRequired[bool]
