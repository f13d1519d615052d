"""split: the text-related and the image-related part of an instruction (MMAPG section 3.4, equation 5)."""

from __future__ import annotations

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.deciding import settings_of, take
from backtrail.nodes.node import AsyncNode
from backtrail.state.failure import Failure
from backtrail.state.mmapg.memory import Growing
from backtrail.state.mmapg.planning_graph import number_of
from backtrail.state.mmapg.retrieval_decisions import SPLIT, ImageKind, ParentView, SplitInputs
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox


class SplitWrites(TypedDict):
    """The two parts; either may be empty, not both."""

    text_part: str
    image_part: str
    image_kind: ImageKind
    usage: dict[str, Charge]
    failures: list[Failure]


def split(toolbox: Toolbox) -> AsyncNode[Growing, SplitWrites]:
    """Node: what is looked for in texts and what in pictures. Without a valid split everything is text."""

    async def split_instruction(state: Growing, runtime: Runtime[Settings]) -> SplitWrites:
        node = state["node"]
        parents = [
            ParentView(id=one["id"], type=one["kind"], instruction=one["instruction"], content=one["content"])
            for one in state["parents"]
        ]
        taken = await take(
            toolbox, settings_of(runtime), SPLIT, SplitInputs(instruction=node["instruction"], parents=parents),
            node="split", step=number_of(node["id"]), spent=state["spent"],
        )  # fmt: skip
        parts = taken.output
        return {
            "text_part": parts.text_part.strip() if parts else node["instruction"],
            "image_part": parts.image_part.strip() if parts else "",
            "image_kind": parts.image_kind if parts else "none",
            "usage": taken.usage,
            "failures": taken.failures,
        }

    return split_instruction
