"""What one search writes: evidence, a record, a charge, and a failure for each thing that went wrong."""

from typing import Any, cast

import pytest
from fixtures.scripted_searches import ScriptedSearches
from langgraph.runtime import Runtime

from backtrail.nodes.search_images import search_images
from backtrail.nodes.search_text import search_text
from backtrail.state.search import SearchKind, SearchTask, merge_searches, refused_search, search_id, search_key
from backtrail.state.settings import Settings
from backtrail.state.usage import charge
from backtrail.tools.corpus.errors import CorpusNotFound
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.protocol import Searched

RUNTIME: Any = Runtime(context=Settings())


def task(
    kind: SearchKind = "text", query: str = "Orvane Bridge", picture: str | None = None, index: int = 1
) -> SearchTask:
    return {"kind": kind, "query": query, "round": 2, "index": index, "question": "Who built the Orvane Bridge?",
            "picture": picture}  # fmt: skip


async def run(searches: ScriptedSearches, asked: SearchTask) -> dict[str, Any]:
    node = search_text if asked["kind"] == "text" else search_images
    toolbox = Toolbox(open_searches=lambda settings: searches)
    return cast(dict[str, Any], await node(toolbox)(asked, RUNTIME))


async def test_pages_become_evidence_with_their_address_round_and_query() -> None:
    writes = await run(ScriptedSearches({"Orvane Bridge": ["Orvane Bridge: Mira Tessel built it."]}), task())
    (id_,) = writes["evidence"]
    assert id_.startswith("web:")
    document = writes["evidence"][id_]["document"]
    assert writes["evidence"][id_] == {
        "component": id_, "modality": "text", "document": document, "title": "Orvane Bridge",
        "snippet": "Orvane Bridge: Mira Tessel built it.", "locator": {"url": "https://example.org/orvane-bridge"},
        "score": 1.0, "coverage": 1.0, "hop": 2, "query": "Orvane Bridge",
    }  # fmt: skip
    [search] = writes["searches"]
    assert search == {
        "id": "search_text@2.1", "round": 2, "kind": "text", "query": "Orvane Bridge", "found": [id_], "requests": 1,
        "seconds": search["seconds"], "outcome": "found", "reason": "",
    }  # fmt: skip
    assert writes["usage"] == {"search_text@2.1": charge(stage="web", seconds=0.25)}
    assert writes["failures"] == []


async def test_whoever_plans_on_is_told_on_which_day_the_web_had_nothing() -> None:
    class Empty(ScriptedSearches):
        async def text(self, query: str) -> Searched:
            return Searched((), charge(), day="2026-11-23")

    writes = await run(Empty(), task())
    assert writes["searches"][0]["reason"] == "The search found nothing on 2026-11-23."
    assert writes["failures"] == []


async def test_each_thing_lost_on_the_way_is_a_failure_of_its_own() -> None:
    troubled = Searched((), charge(), ("Page one was too large.", "Page two forbids robots."), requests=3)
    writes = await run(ScriptedSearches({"*": troubled}), task())
    assert [one["id"] for one in writes["failures"]] == ["search_text@2.1#0", "search_text@2.1#1"]
    assert writes["searches"][0]["reason"] == "Page one was too large. Page two forbids robots."
    assert writes["searches"][0]["outcome"] == "empty"


async def test_a_search_by_picture_without_a_picture_fails_without_asking_anyone() -> None:
    searches = ScriptedSearches()
    writes = await run(searches, task("image-by-picture"))
    assert searches.asked == []
    assert [one["error"] for one in writes["failures"]] == ["SearchRejected"]


async def test_a_missing_corpus_is_the_operators_and_is_raised() -> None:
    with pytest.raises(CorpusNotFound):
        await search_text(Toolbox())(task(), Runtime(context=Settings(corpus="nowhere")))


def test_equal_searches_have_equal_keys() -> None:
    assert search_key("text", "architect of the Orvane Bridge?", None) == search_key(
        "text", "Orvane bridge architect", "x"
    )
    assert search_key("text", "Orvane", None) != search_key("image-by-text", "Orvane", None)
    assert search_key("image-by-picture", "a", "p") == search_key("image-by-picture", "b", "p")


def test_records_merge_by_id_in_the_order_they_were_planned() -> None:
    second, first = refused_search(task(index=10), "again"), refused_search(task(index=2), "again")
    once = merge_searches([], [second, first])
    assert [search["id"] for search in once] == ["search_text@2.2", "search_text@2.10"]
    assert merge_searches(once, [first, second]) == once
    assert search_id(task("image-by-text", index=3)) == "search_images@2.3"
