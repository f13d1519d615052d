"""What the examination of each candidate is given."""

from __future__ import annotations

from backtrail.nodes.mmapg.sought import sought
from backtrail.state.mmapg.memory import Examining, RetrievalState
from backtrail.state.mmapg.spent import after_siblings, compacted


def examinings(state: RetrievalState) -> list[Examining]:
    """One payload for each candidate, in their order; each may spend what those before it leave."""
    spent = compacted({**state["spent"], **state.get("usage", {})})
    instruction = sought(state.get("text_part", ""), state.get("image_part", ""))
    return [
        {
            "node": state["node"],
            "index": index,
            "candidate": candidate,
            "instruction": instruction,
            "image_question": state.get("image_question", ""),
            "spent": after_siblings(spent, index),
        }
        for index, candidate in enumerate(state.get("candidates", []))
    ]
