"""MMAPG's decisions by a chat model over real HTTP: invalid parents are asked again, pictures are sent to be seen.

As published, and once as it is here: there pictures are looked at together.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fixtures.planning_corpus import open_planning_corpus
from loopback.openai_server import OpenAIServer, Received, Said, reply

from backtrail.graphs.mmapg import build
from backtrail.state.mmapg.settings import MmapgSettings
from backtrail.state.settings import Settings
from backtrail.state.variant import VariantName
from backtrail.tools.toolbox import Toolbox

QUESTION = "What is on the poster of Night Ferry?"
RETRIEVAL = {
    "type": "retrieval", "parents": ["n0"], "instruction": "Poster of the film Night Ferry",
    "within": "corpus", "why": "",
}  # fmt: skip
STOP = {"type": "stop", "parents": [], "instruction": "", "within": "corpus", "why": ""}


@pytest.fixture(autouse=True)
def fresh(few_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(few_home))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test1234")


async def run(
    planner: Any, seen: Any, monkeypatch: pytest.MonkeyPatch, variant: VariantName = "published", **roles: Any
) -> tuple[dict[str, Any], list[Received]]:
    """The end of a run whose planner and vision model are one loopback server; the rest are rules."""

    def answer(received: Received) -> Said:
        asked = received.text
        if "You direct the search" in asked:
            return reply({"nodes": [planner(asked)]})
        if "A search brought a picture" in asked or "A search brought pictures" in asked:
            return reply(seen)
        if "You prepare a search. An instruction" in asked and '"image_question"' in asked:
            queries = {"image_queries": ["Poster of the film Night Ferry"], "image_question": "What is on it?"}
            return reply({"image_part": RETRIEVAL["instruction"], "image_kind": "targeted", **queries})
        if "and what to look up first" in asked:
            return reply({"components": [{"text": QUESTION}], "first": [RETRIEVAL["instruction"]]})
        if "You prepare a search. An instruction" in asked:
            return reply({"text_part": "", "image_part": RETRIEVAL["instruction"], "image_kind": "targeted"})
        if "question with which each picture" in asked:
            return reply({"queries": ["Poster of the film Night Ferry"], "question": "What is on it?"})
        return reply({"components": [{"text": QUESTION, "needs": []}]})

    with OpenAIServer([answer], forever=True) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        corpus = open_planning_corpus()
        graph = build(Toolbox(open_corpus=lambda name: corpus)).compile()
        settings = Settings(
            corpus="tiny", variant=variant, **{"planner": "openai:gpt-4o-mini", **roles},
            mmapg=MmapgSettings(text_radius=0.7, candidates=3),
        )  # fmt: skip
        values = await graph.ainvoke({"question": QUESTION, "image": None}, context=settings)
        return values, list(server.chats)


async def test_the_vision_model_is_sent_the_picture_with_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    def plan(asked: str) -> dict[str, Any]:
        return STOP if '"id": "n1"' in asked else RETRIEVAL

    seen = {"related": True, "description": "A plain red field.", "answer": "nothing but red"}
    values, chats = await run(plan, seen, monkeypatch, vlm="openai:gpt-4o-mini")
    looked = [one for one in chats if "A search brought a picture" in one.text]
    shown = [one for one in looked if one.images]
    assert shown
    assert all("What is on it?" in one.text for one in looked)
    assert "A plain red field. nothing but red" in values["planning_graph"][1]["content"]
    # Two of the three posters cannot be opened: they were never sent.
    assert len(looked) == 1
    assert {one["error"] for one in values["failures"]} <= {"PictureUnreadable"}


async def test_pictures_are_looked_at_together_under_their_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = {"findings": [{"component": "poster#i0", "says": "A plain red field."}], "settled": True}
    values, chats = await run(lambda asked: STOP, seen, monkeypatch, "ours", vlm="openai:gpt-4o-mini")
    [looked] = [one for one in chats if "A search brought pictures" in one.text]
    # Of the three posters two cannot be opened: they were never sent, and the reader knows.
    assert len(looked.images) == 1
    assert "Picture of poster#i0" in looked.text
    assert looked.text.count('"has_picture": false') == 2
    assert [one["error"] for one in values["failures"]] == ["PictureUnreadable"] * 2
    assert len({one["id"] for one in values["failures"]}) == 2
    assert values["planning_graph"][1]["content"] == "Night Ferry: A plain red field."
