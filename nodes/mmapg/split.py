"""split: split an instruction into its text-related and image-related part (MMAPG 3.4, equation 5).

One decision also writes the queries of both parts (ours). Links are followed without queries, so no decision is taken
for them: rules detect whether the instruction concerns a picture.
"""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.mmapg.write_queries import distinct_queries
from backtrail.nodes.node import AsyncNode
from backtrail.nodes.take_decision import settings_of, take
from backtrail.rules.mmapg.split import split as split_by_rule
from backtrail.state.failure import Failure
from backtrail.state.mmapg.memory import ExecutorInput
from backtrail.state.mmapg.planning_graph import number_of
from backtrail.state.mmapg.retrieval_decisions import PREPARE, SPLIT, ImageKind, ParentView, Prepared, SplitInputs
from backtrail.state.mmapg.variant import MMAPG
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class SplitWrites(TypedDict, total=False):
    """The two parts, at most one of them empty; queries if they were written together."""

    text_part: str
    image_part: str
    image_kind: ImageKind
    text_queries: list[str]
    image_queries: list[str]
    image_question: str
    usage: dict[str, Charge]
    failures: list[Failure]


def split(toolbox: Toolbox) -> AsyncNode[ExecutorInput, SplitWrites]:
    """Node: what to search in texts and in pictures. Without a valid split everything is text."""

    async def split_instruction(state: ExecutorInput, runtime: Runtime[Settings]) -> SplitWrites:
        settings, node = settings_of(runtime), state["node"]
        together = MMAPG.of(settings.variant).one_preparation
        if together and node["within"] == "links":
            both = split_by_rule(SplitInputs(instruction=node["instruction"], parents=[]))
            return {"text_part": node["instruction"], "image_part": both.image_part, "image_kind": both.image_kind}
        inputs = SplitInputs(instruction=node["instruction"], parents=_views(state))
        at = number_of(node["id"])
        if together:
            prepared = await take(
                toolbox, settings, PREPARE, inputs, node="split", step=at, spent=state["spent"]
            )  # fmt: skip
            written = _prepared(prepared.output or Prepared(text_part=node["instruction"]))
            return {**written, "usage": prepared.usage, "failures": prepared.failures}
        taken = await take(toolbox, settings, SPLIT, inputs, node="split", step=at, spent=state["spent"])
        parts = taken.output
        return {
            "text_part": parts.text_part.strip() if parts else node["instruction"],
            "image_part": parts.image_part.strip() if parts else "",
            "image_kind": parts.image_kind if parts else "none",
            "usage": taken.usage,
            "failures": taken.failures,
        }

    return split_instruction


def _views(state: ExecutorInput) -> list[ParentView]:
    return [
        ParentView(id=one["id"], type=one["kind"], instruction=one["instruction"], content=one["content"])
        for one in state["parents"]
    ]


def _prepared(prepared: Prepared) -> SplitWrites:
    """Return parts with their queries; inconsistent parts are corrected without another call."""
    text, image = prepared.text_part.strip(), prepared.image_part.strip()
    kind = prepared.image_kind if prepared.image_kind != "none" else "descriptive"
    return {
        "text_part": text,
        "image_part": image,
        "image_kind": kind if image else "none",
        "text_queries": distinct_queries(prepared.text_queries, text) if text else [],
        "image_queries": distinct_queries(prepared.image_queries, image) if image else [],
        "image_question": (prepared.image_question.strip() or image) if image else "",
    }
