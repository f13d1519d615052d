"""Inputs of the examination of a candidate or a chunk of candidates."""

from __future__ import annotations

from backtrail.nodes.mmapg.retrieval_query import sought
from backtrail.state.mmapg.memory import ExaminationInput, ExaminingChunk, RetrievalState
from backtrail.state.spent_shares import shared


def examinings(state: RetrievalState) -> list[ExaminationInput]:
    """Return one payload per candidate, in order, each with its share of what is left to spend."""
    spent = {**state["spent"], **state.get("usage", {})}
    candidates = state.get("candidates", [])
    return [
        {
            "node": state["node"],
            "index": index,
            "candidate": candidate,
            "instruction": _instruction(state),
            "image_question": state.get("image_question", ""),
            "spent": shared(spent, index, len(candidates)),
        }
        for index, candidate in enumerate(candidates)
    ]


def chunk_examinings(state: RetrievalState) -> list[tuple[str, ExaminingChunk]]:
    """Return the chunks of the current round, each with its examining node."""
    candidates = {one["component"]: one for one in state.get("candidates", [])}
    spent = {**state["spent"], **state.get("usage", {})}
    rounds = state.get("rounds", [])
    chunks = rounds[0] if rounds else []
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
                "spent": shared(spent, place, len(chunks)),
            },
        )
        for place, chunk in enumerate(chunks)
    ]


def _instruction(state: RetrievalState) -> str:
    return sought(state.get("text_part", ""), state.get("image_part", ""))
