"""stop: end the search with its last record. The stop reason is set already."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.language.counted_nouns import counted
from backtrail.nodes.node import SyncNode
from backtrail.state.fif.memory import Proposal
from backtrail.state.hop import Hop, Outcome, action_record
from backtrail.state.settings import Settings
from backtrail.state.subquery import Subquery


class StopSlice(TypedDict):
    """The proposal to stop, and the open subqueries."""

    question: str
    proposal: Proposal
    hops: list[Hop]
    subqueries: list[Subquery]


class StopWrites(TypedDict):
    """The stop as the last step of the history; open subqueries are given up."""

    hops: list[Hop]
    subqueries: list[Subquery]


def stop() -> SyncNode[StopSlice, StopWrites]:
    """Node: record the stop."""

    def close_search(state: StopSlice, runtime: Runtime[Settings]) -> StopWrites:
        given_up: list[Subquery] = [
            {**subquery, "status": "given_up"} for subquery in state["subqueries"] if subquery["status"] == "open"
        ]
        answered = any(one["text"] == state["question"] and one["status"] == "answered" for one in state["subqueries"])
        if answered:
            reason = "Something was found for the whole question."
        else:
            left = counted(len(given_up), "part")
            reason = f"{left} of the question not settled." if given_up else "Something was found for every part."
        outcome: Outcome = "success" if answered or not given_up else "failure"
        record = action_record("stop", len(state["hops"]), "", outcome, reason, state["proposal"]["why"])
        return {"hops": [record], "subqueries": given_up}

    return close_search
