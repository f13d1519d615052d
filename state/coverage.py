"""How completely a run read what it gathered and computed over: counted by code, never claimed by a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from backtrail.state.gathering import Gathering, said_nowhere
from backtrail.state.hop import Hop

WHAT_CHARACTERS = 200


class Coverage(TypedDict):
    """How much was read of one thing: rows, sentences, documents, places or parts. ``names`` name what was not read."""

    what: str
    read: int
    total: int
    unreadable: int
    left_out: int
    names: NotRequired[list[str]]


class Completeness(TypedDict):
    """Whether everything was read, and why in one sentence; unknown for an exhaustive question that nothing counts."""

    value: Literal["yes", "no", "unknown"]
    reason: str


def coverage_of(hops: Sequence[Hop]) -> list[Coverage]:
    """Return the coverage by gatherings, computations and summaries that succeeded; repeated requests are one.

    A gathering that found that no place says a phrase counts, too.
    """
    found: dict[str, Coverage] = {}
    for hop in hops:
        if hop["outcome"] != "success" and not ("gathering" in hop and said_nowhere(hop["gathering"])):
            continue
        if "gathering" in hop:
            one = _gathered(hop["gathering"])
            unreadable = found[one["what"]]["unreadable"] if one["what"] in found else 0
            found[one["what"]] = {**one, "unreadable": one["unreadable"] + unreadable}
        elif "computation" in hop:
            done = hop["computation"]
            what = f"rows for “{done['question'][:WHAT_CHARACTERS]}”"
            found[what] = _entry(what, done["examined"] - done["unreadable"], done["examined"], done["unreadable"])
        elif "summary" in hop:
            parts = hop["summary"]
            what = f"parts of “{parts['target'][:WHAT_CHARACTERS]}”"
            found[what] = {
                **_entry(what, parts["read"], parts["total"], parts["failed"]),
                "left_out": parts["left_out"],
                "names": parts["names"],
            }
    return list(found.values())


def completeness(coverage: Sequence[Coverage], *, exhaustive: bool) -> Completeness | None:
    """Return whether all was read; None where nothing was counted and the question is not exhaustive.

    Args:
        exhaustive: the question asks for all of a kind, or for their number, by the model's own decision.
    """
    if not coverage:
        return {"value": "unknown", "reason": "No step counted what there is."} if exhaustive else None
    gaps = [one for one in coverage if one["left_out"] or one["unreadable"]]
    return {"value": "no" if gaps else "yes", "reason": f"{'; '.join(map(in_words, gaps or coverage))}."}


def in_words(one: Coverage) -> str:
    """Return ``9 of 10 documents “middlewares/*” read, 1 unreadable``, or ``0 places with “x” in 10 documents``."""
    if not one["total"]:
        return f"0 {one['what']}"
    unreadable = f", {one['unreadable']} unreadable" if one["unreadable"] else ""
    left_out = f", {one['left_out']} left out" if one["left_out"] else ""
    unread = one.get("names", [])
    names = f" ({', '.join(unread)})" if unread else ""
    return f"{one['read']} of {one['total']} {one['what']} read{unreadable}{left_out}{names}"


def complete_in_words(complete: Completeness) -> str:
    """Return ``Complete: no. 9 of 10 documents “middlewares/*” read, 1 unreadable.``"""
    return f"Complete: {complete['value']}. {complete['reason']}"


def _gathered(one: Gathering) -> Coverage:
    return {
        **_entry(one["what"], one["before"] + one["read"], one["total"], one["unreadable"]),
        "left_out": one["left_out"],
    }


def _entry(what: str, read: int, total: int, unreadable: int) -> Coverage:
    return {"what": what, "read": read, "total": total, "unreadable": unreadable, "left_out": 0}
