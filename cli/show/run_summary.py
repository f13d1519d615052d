"""Summaries of a run in one or two sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backtrail.state.answer import Answer
from backtrail.state.chat.stop_messages import ending
from backtrail.state.hop import Hop


def hops_summary(values: Mapping[str, Any]) -> str:
    """Summarise how many hops settled a part of the question and which found the citations.

    Empty for methods without hops and runs without an answer.
    """
    answer: Answer | None = values.get("answer")
    hops: list[Hop] = [hop for hop in values.get("hops") or () if hop["kind"] == "traverse"]
    if answer is None or not hops:
        return ""
    settled = sum(hop["outcome"] == "success" for hop in hops)
    none = "No step settled the question by itself" if len(hops) > 1 else "The one step did not settle the question"
    went = f"{settled} of {len(hops)} steps settled a part of the question" if settled else none
    if answer["abstained"]:
        return f"{went}; their evidence supports no answer well enough."
    if not (steps := _found_in(hops, [citation["component"] for citation in answer["citations"]])):
        return f"{went}."
    led = "; what the answer cites was found in" if settled else "; the answer was read from what was found in"
    return f"{went}{led} step{'s' if len(steps) > 1 else ''} {_listed(steps)}."


def ending_line(values: Mapping[str, Any]) -> str:
    """Describe why the run ended and, for a budget, what that means for the answer."""
    reason = str(values.get("stop_reason") or "")
    words = ending(reason)
    if not reason.startswith("budget:"):
        return words
    abstained = (values.get("answer") or {"abstained": True})["abstained"]
    return f"{words}; {'with a larger one the search would continue' if abstained else 'the answer is the best so far'}"


def _found_in(hops: Sequence[Hop], cited: Sequence[str]) -> list[int]:
    """Return the steps that first found these components."""
    first: dict[str, int] = {}
    for hop in hops:
        for scored in hop["components"]:
            first.setdefault(scored["id"], hop["step"])
    return sorted({first[component] for component in cited if component in first})


def _listed(steps: Sequence[int]) -> str:
    *most, last = map(str, steps)
    return f"{', '.join(most)} and {last}" if most else last
