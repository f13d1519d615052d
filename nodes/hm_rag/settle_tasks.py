"""Tasks of the sources with steps left before the vote."""

from __future__ import annotations

from backtrail.state.hm_rag.memory import HmRagState, SettleTask
from backtrail.state.spent_shares import shared


def settle_tasks(state: HmRagState) -> list[SettleTask]:
    """Return one task per such source, with its own replies and the answers to parts."""
    unsettled = [position for position in state.get("positions", []) if position["todo"]]
    notes = [f"{one['text']}: {one['answer']}" for one in state.get("subqueries", []) if one["answer"]]
    return [
        {
            "question": state.get("full_question", ""),
            "options": state.get("options", []),
            "image": state.get("image"),
            "position": position,
            "notes": notes,
            "replies": [one for one in state.get("replies", []) if one["source"] == position["source"]],
            "spent": shared(state.get("usage", {}), place, len(unsettled)),
        }
        for place, position in enumerate(unsettled)
    ]
