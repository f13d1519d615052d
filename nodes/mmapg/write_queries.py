"""write_queries: write phrases for texts, names or descriptions for pictures (MMAPG 3.4, eq. 6-9)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.nodes.node import AsyncNode
from backtrail.nodes.take_decision import settings_of, take
from backtrail.state.failure import Failure
from backtrail.state.mmapg.planning_graph import PlanningNode, number_of
from backtrail.state.mmapg.retrieval_decisions import (
    IMAGE_QUERIES,
    TEXT_QUERIES,
    ImageKind,
    ImageQueriesInputs,
    TextQueriesInputs,
)
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge
from backtrail.tools.toolbox import Toolbox

QUERY_CHARACTERS = 300
MOST_QUERIES = 6
"""Most queries of one part: each takes its share of the candidates."""


class QuerySlice(TypedDict):
    """The parts of the instruction."""

    node: PlanningNode
    text_part: str
    image_part: str
    image_kind: ImageKind
    spent: dict[str, Charge]
    usage: dict[str, Charge]


class TextQueryWrites(TypedDict):
    """Queries of KB_text."""

    text_queries: list[str]
    usage: dict[str, Charge]
    failures: list[Failure]


class ImageQueryWrites(TypedDict):
    """Queries about pictures, and the question for examining each candidate."""

    image_queries: list[str]
    image_question: str
    usage: dict[str, Charge]
    failures: list[Failure]


def write_text_queries(toolbox: Toolbox) -> AsyncNode[QuerySlice, TextQueryWrites]:
    """Node: key phrases. Without valid ones the text part is the query."""

    async def write_phrases(state: QuerySlice, runtime: Runtime[Settings]) -> TextQueryWrites:
        taken = await take(
            toolbox, settings_of(runtime), TEXT_QUERIES, TextQueriesInputs(text_part=state["text_part"]),
            node="write_text_queries", step=number_of(state["node"]["id"]),
            spent={**state["spent"], **state["usage"]},
        )  # fmt: skip
        queries = distinct_queries(taken.output.queries if taken.output else [], state["text_part"])
        return {"text_queries": queries, "usage": taken.usage, "failures": taken.failures}

    return write_phrases


def write_image_queries(toolbox: Toolbox) -> AsyncNode[QuerySlice, ImageQueryWrites]:
    """Node: picture queries and a question. Without a valid reply the image part is used for both."""

    async def write_pictures(state: QuerySlice, runtime: Runtime[Settings]) -> ImageQueryWrites:
        part = state["image_part"]
        kind: Literal["targeted", "descriptive"] = "targeted" if state["image_kind"] == "targeted" else "descriptive"
        taken = await take(
            toolbox, settings_of(runtime), IMAGE_QUERIES, ImageQueriesInputs(image_part=part, image_kind=kind),
            node="write_image_queries", step=number_of(state["node"]["id"]),
            spent={**state["spent"], **state["usage"]},
        )  # fmt: skip
        return {
            "image_queries": distinct_queries(taken.output.queries if taken.output else [], part),
            "image_question": taken.output.question if taken.output else part,
            "usage": taken.usage,
            "failures": taken.failures,
        }

    return write_pictures


def distinct_queries(queries: Iterable[str], part: str) -> list[str]:
    """Return each query once, cut to the limit; without any, the part itself."""
    texts = [" ".join(query.split())[:QUERY_CHARACTERS] for query in queries]
    return [query for query in dict.fromkeys(texts) if query][:MOST_QUERIES] or [" ".join(part.split())]
