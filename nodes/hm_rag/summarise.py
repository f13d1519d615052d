"""summarise: summarise an agent's long answer, so that answers can be compared (HM-RAG 3.4)."""

from __future__ import annotations

from langgraph.runtime import Runtime

from backtrail.nodes.node import AsyncNode
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.hm_rag.decisions import SUMMARISE, SummariseInputs
from backtrail.state.hm_rag.memory import Position, Settled, SettleState
from backtrail.state.settings import Settings
from backtrail.state.usage import total_usage
from backtrail.tools.toolbox import Toolbox


def summarise(toolbox: Toolbox) -> AsyncNode[SettleState, Settled]:
    """Node: one summary. Without a valid one the answer itself is compared."""

    async def summarise_answer(state: SettleState, runtime: Runtime[Settings]) -> Settled:
        own = current(state)
        taken = await take(
            toolbox, settings_of(runtime), SUMMARISE, SummariseInputs(question=state["question"], answer=own["text"]),
            node=f"{own['source']}.summarise", step=0,
            spent={**state["spent"], "here": total_usage(state.get("usage", {}))},
        )  # fmt: skip
        summary = " ".join(taken.output.summary.split()) if taken.output else own["text"]
        return {
            "positions": [{**own, "summary": summary, "todo": []}],
            "usage": taken.usage,
            "failures": taken.failures,
        }

    return summarise_answer


def current(state: SettleState) -> Position:
    """Return the combined position, or else the original one."""
    written = state.get("positions", [])
    return written[0] if written else state["position"]
