"""compute: select rows of tables by a query, apply one operation, and record exactly the rows used (ours)."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.compute_tables import compute_over_tables
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.take_decision import settings_of
from backtrail.state.failure import Failure
from backtrail.state.fif.memory import Proposal
from backtrail.state.hop import Hop, action_record
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class ComputeSlice(TypedDict):
    """The proposal with its tables, and the history with earlier computations."""

    question: str
    proposal: Proposal
    hops: list[Hop]
    usage: dict[str, Charge]


class ComputeWrites(TypedDict):
    """The computation as a step of the history."""

    hops: list[Hop]
    usage: dict[str, Charge]
    failures: list[Failure]


def compute(toolbox: Toolbox) -> AsyncNode[ComputeSlice, ComputeWrites]:
    """Node: one decision, then its query. An error and an empty result are failed steps, which the next one sees."""

    async def compute_proposed(state: ComputeSlice, runtime: Runtime[Settings]) -> ComputeWrites:
        settings, proposal, step = settings_of(runtime), state["proposal"], len(state["hops"])
        computed = await compute_over_tables(
            toolbox,
            settings,
            await asyncio.to_thread(toolbox.corpus, settings),
            question=state["question"],
            subtask=proposal["subtask"],
            tables=proposal.get("tables", []),
            earlier=[hop["computation"] for hop in state["hops"] if "computation" in hop],
            node="compute",
            step=step,
            spent=state["usage"],
        )
        done = computed.computation
        outcome = "failure" if done["error"] else "success"
        record = action_record(
            "compute", step, proposal["subtask"], outcome, done["error"] or done["result"], proposal["why"]
        )
        return {
            "hops": [{**record, "computation": done}],
            "usage": computed.taken.usage,
            "failures": computed.taken.failures,
        }

    return compute_proposed
