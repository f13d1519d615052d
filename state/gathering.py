"""A gathering: pieces beside another, documents by a pattern, or places with a phrase, and how much was read.

Pieces are kept by reference: contents stay in the corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from typing_extensions import TypedDict

from backtrail.state.computation import RowRanges

GatherKind = Literal["rest", "before", "documents", "phrase"]
GATHER_KINDS: tuple[GatherKind, ...] = get_args(GatherKind)


class GatherRequest(TypedDict):
    """What to gather: what follows or precedes a component, documents by a pattern, or the places with a phrase.

    ``after``: the last row or sentence that was seen, or of what precedes the first; None: all of it was seen.
    """

    kind: GatherKind
    target: str
    after: int | None


class Gathering(TypedDict):
    """One gathering, done or failed.

    ``what`` names what is counted, for people: ``places with “timeout”``; where there is none, with the number of
    documents that were looked through. Of the ``total``, in ``documents`` documents, earlier steps with the same
    request read ``before`` and this one ``read``; ``unreadable`` ones have no text, and ``left_out`` ones do not fit
    the budget of the step. ``notes`` name the first that were not read, with why. ``pieces`` are what was read: rows
    or sentences of components. ``error`` is empty unless it failed.
    """

    request: GatherRequest
    what: str
    total: int
    documents: int
    before: int
    read: int
    unreadable: int
    left_out: int
    notes: list[str]
    pieces: list[RowRanges]
    error: str


def same_request(gatherings: Sequence[Gathering], request: GatherRequest) -> list[Gathering]:
    """Return the gatherings with a request, whatever its case."""
    wanted = {**request, "target": request["target"].casefold()}
    return [one for one in gatherings if {**one["request"], "target": one["request"]["target"].casefold()} == wanted]


def said_nowhere(gathering: Gathering) -> bool:
    """Return whether all documents were looked through for a phrase, and none says it."""
    request = gathering["request"]
    return request["kind"] == "phrase" and bool(request["target"].strip()) and not gathering["total"]


def counts(gathering: Gathering) -> str:
    """Return ``40 of 52 places with “timeout” in 9 documents, 1 unreadable, 11 left out``."""
    inside = f" in {gathering['documents']} document{'s' if gathering['documents'] != 1 else ''}"
    parts = [f"{gathering['before'] + gathering['read']} of {gathering['total']} {gathering['what']}"]
    parts[0] += "" if gathering["request"]["kind"] == "documents" else inside
    parts += [f"{gathering['unreadable']} unreadable"] if gathering["unreadable"] else []
    return ", ".join(parts + ([f"{gathering['left_out']} left out"] if gathering["left_out"] else []))
