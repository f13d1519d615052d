"""What the examination of each candidate, or of each chunk of them, is given."""

from __future__ import annotations

from backtrail.nodes.mmapg.sought import sought
from backtrail.state.mmapg.memory import Examining, ExaminingChunk, RetrievalState
from backtrail.state.mmapg.spent import after_siblings, compacted


def examinings(state: RetrievalState) -> list[Examining]:
    """One payload for each candidate, in their order; each may spend what those before it leave."""
    spent = compacted({**state["spent"], **state.get("usage", {})})
    return [
        {
            "node": state["node"],
            "index": index,
            "candidate": candidate,
            "instruction": _instruction(state),
            "image_question": state.get("image_question", ""),
            "spent": after_siblings(spent, index),
        }
        for index, candidate in enumerate(state.get("candidates", []))
    ]


def chunk_examinings(state: RetrievalState) -> list[tuple[str, ExaminingChunk]]:
    """The chunks of the round at hand, each with the node that examines it."""
    candidates = {one["component"]: one for one in state.get("candidates", [])}
    spent = compacted({**state["spent"], **state.get("usage", {})})
    rounds = state.get("rounds", [])
    found = [one["says"] for one in state.get("findings", {}).values() if one["related"]]
    return [
        (
            "examine_pictures" if chunk["pictured"] else "examine_texts",
            {
                "node": state["node"],
                "index": chunk["index"],
                "candidates": [candidates[key] for key in chunk["components"]],
                "instruction": _instruction(state),
                "image_question": state.get("image_question", ""),
                "found": found,
                "spent": after_siblings(spent, place),
            },
        )
        for place, chunk in enumerate(rounds[0] if rounds else [])
    ]


def _instruction(state: RetrievalState) -> str:
    return sought(state.get("text_part", ""), state.get("image_part", ""))
