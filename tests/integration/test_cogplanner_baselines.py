"""The baselines of CogPlanner with scripted decisions and searches: their shapes, paths and outcomes."""

from typing import Any

import pytest
from fixtures.scripted_cogplanner import SCRIPT, settings_for
from fixtures.scripted_searches import PICTURE, ScriptedSearches, stored_picture
from fixtures.state_after import state_after

from backtrail.graphs.methods import find_method
from backtrail.nodes.answer_alone import ONLY_WHAT_IS_FOUND
from backtrail.nodes.self_rag.give_answer import NOTHING_RELEVANT, UNSUPPORTED
from backtrail.state.self_rag.settings import SelfRagSettings
from backtrail.state.usage import charge
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.errors import SearchUnavailable

QUESTION = "When was the Orvane Bridge opened?"
PAGE = "Orvane Bridge: It was opened in 1931."


def keep_all(inputs: Any) -> dict[str, Any]:
    return {"relevant": [document.id for document in inputs.documents]}


GOOD = {"grounded": True, "useful": True}
SELF_RAG: dict[str, Any] = {
    "self_rag_grade": keep_all,
    "self_rag_check": lambda inputs: GOOD,
    "self_rag_rewrite": lambda inputs: {"query": f"rewritten {len(inputs.queries)}"},
    "answer": lambda inputs: {
        "answer": "1931", "citations": [{"component": inputs.evidence[0].id, "sentence": 0}], "supported": True,
        "confidence": 0.8,
    },
}  # fmt: skip


async def ask(
    method: str,
    script: dict[str, Any] | None = None,
    searches: ScriptedSearches | None = None,
    settings: dict[str, Any] | None = None,
    **asked: Any,
) -> tuple[dict[str, Any], list[str], ScriptedSearches]:
    found = searches or ScriptedSearches({"*": [PAGE]}, {"*": ["Orvane Bridge: 1931."]})
    decider = ScriptedDecider({**SCRIPT, **SELF_RAG, **(script or {})})
    toolbox = Toolbox(open_decider=lambda model, settings: decider, open_searches=lambda settings: found)
    context = settings_for().model_copy(
        update={"variant": "ours", "self_rag": SelfRagSettings(searches=3), **(settings or {})}
    )
    values = await state_after(
        find_method(method).build(toolbox), {"question": QUESTION, "image": None, **asked}, context
    )
    return values, [one.decision for one in decider.history], found


@pytest.mark.parametrize("settings", [{}, {"knowledge": "evidence"}])
async def test_the_model_alone_is_asked_with_the_picture_and_nothing_is_searched(settings: dict[str, Any]) -> None:
    values, asked, found = await ask("model_alone", image=stored_picture(9), settings=settings)
    assert (asked, found.asked) == (["answer_alone"], [])
    assert values["answer"]["text"] == values["answer"]["short"] == "Known by heart"
    assert (values["answer"]["citations"], values["answer"]["confidence"]) == ([], 0.6)


@pytest.mark.parametrize(
    ("method", "picture", "search", "modality", "page"),
    [
        ("fixed_text", True, ("text", QUESTION), "text", "orvane-bridge"),
        ("fixed_image", True, ("image-by-picture", PICTURE), "image", "pictures"),
        ("fixed_image", False, ("image-by-text", QUESTION), "image", "pictures"),
    ],
)
async def test_a_fixed_search_is_made_once(
    method: str, picture: bool, search: tuple[str, str], modality: str, page: str
) -> None:
    searches = ScriptedSearches({"*": [PAGE]}, {"*": ["Orvane Bridge: opened in 1931."]})
    values, asked, found = await ask(method, searches=searches, image=stored_picture(9) if picture else None)
    assert found.asked == [search]
    assert asked == ["answer"]
    [citation, *_] = values["answer"]["citations"]
    assert (citation["modality"], citation["locator"]["url"]) == (modality, f"https://example.org/{page}")


@pytest.mark.parametrize("method", ["fixed_text", "fixed_image"])
async def test_a_search_in_vain_ends_in_own_knowledge_or_where_evidence_alone_counts_in_an_abstention(
    method: str,
) -> None:
    down = SearchUnavailable("over its quota")
    values, asked, _ = await ask(method, searches=ScriptedSearches({"*": down}, {"*": down}))
    assert asked == ["answer_alone"]
    assert [one["error"] for one in values["failures"]] == ["SearchUnavailable"]
    values, asked, _ = await ask(method, searches=ScriptedSearches(), settings={"knowledge": "evidence"})
    assert asked == []
    assert (values["answer"]["text"], values["answer"]["abstained"]) == (ONLY_WHAT_IS_FOUND, True)


async def test_self_rag_gives_a_draft_that_passes() -> None:
    values, asked, found = await ask("self_rag")
    assert asked == ["self_rag_grade", "answer", "self_rag_check"]
    assert found.asked == [("text", QUESTION)]
    assert values["answer"]["text"] == "1931"
    assert values["stop_reason"] == "useful"
    assert [message.type for message in values["messages"]] == ["human", "ai"]
    (attempt,) = values["attempts"]
    assert {key: attempt[key] for key in ("round", "query", "drafts", "grounded", "useful")} == {
        "round": 1, "query": QUESTION, "drafts": 1, "grounded": True, "useful": True,
    }  # fmt: skip


async def test_self_rag_asks_anew_when_no_document_is_relevant() -> None:
    values, asked, found = await ask("self_rag", {"self_rag_grade": lambda inputs: {"relevant": []}})
    assert [query for _, query in found.asked] == [QUESTION, "rewritten 1", "rewritten 2"]
    assert "answer" not in asked
    assert values["stop_reason"] == "limit:searches"
    assert (values["answer"]["text"], values["answer"]["abstained"]) == (NOTHING_RELEVANT, True)


async def test_self_rag_drafts_an_unsupported_answer_again_then_asks_anew_and_withholds_it() -> None:
    ungrounded = {"grounded": False, "useful": True, "why": "no page says 1931"}
    values, asked, _ = await ask("self_rag", {"self_rag_check": lambda inputs: ungrounded})
    assert asked.count("answer") == 6  # twice for each of three searches
    assert values["answer"]["text"] == UNSUPPORTED
    assert values["answer"]["abstained"]


async def test_self_rag_gives_a_supported_answer_of_little_use_in_the_end() -> None:
    values, asked, _ = await ask("self_rag", {"self_rag_check": lambda inputs: {"grounded": True, "useful": False}})
    assert asked.count("answer") == 3
    assert (values["answer"]["text"], values["answer"]["abstained"]) == ("1931", False)


APART: dict[str, Any] = {
    "self_rag_grade": lambda inputs: {"relevant": [one.id for one in inputs.documents if "1931" in one.text]},
    "self_rag_support": lambda inputs: {"grounded": True},
    "self_rag_use": lambda inputs: {"useful": True},
}
THREE = ScriptedSearches({"*": ["Cheese: milk.", PAGE, "Chalk: white."]})
PUBLISHED = {"variant": "published"}


async def test_self_rag_as_published_judges_one_by_one() -> None:
    values, asked, _ = await ask("self_rag", APART, THREE, PUBLISHED)
    assert asked == ["self_rag_grade"] * 3 + ["answer", "self_rag_support", "self_rag_use"]
    assert [values["evidence"][one["id"]]["title"] for one in values["ranking"]] == ["Orvane Bridge"]
    assert (values["stop_reason"], values["answer"]["text"]) == ("useful", "1931")
    judged = [id_ for id_ in values["usage"] if id_.startswith(("grade", "check_answer"))]
    assert judged == ["grade_documents@1.1", "grade_documents@1.2", "grade_documents@1.3", "check_answer@1.1",
                      "check_answer@1.2"]  # fmt: skip


async def test_self_rag_as_published_keeps_a_document_that_nobody_could_grade() -> None:
    failed = DecisionFailed("self_rag_grade", "model", "prose", charge(calls=1))
    script = {
        **APART,
        "self_rag_grade": lambda inputs: failed if "milk" in inputs.documents[0].text else {"relevant": []},
    }
    values, _, _ = await ask("self_rag", script, THREE, PUBLISHED)
    assert [values["evidence"][one["id"]]["title"] for one in values["ranking"]] == ["Cheese"]
    assert [one["id"] for one in values["failures"]] == ["grade_documents@1.1"]


async def test_self_rag_ends_when_the_query_comes_back() -> None:
    script = {
        "self_rag_grade": lambda inputs: {"relevant": []},
        "self_rag_rewrite": lambda inputs: {"query": "Opened when: Orvane Bridge the"},
    }
    values, _, found = await ask("self_rag", script)
    assert found.asked == [("text", QUESTION)]
    assert values["stop_reason"] == "no new query"


@pytest.mark.parametrize("decision", ["self_rag_grade", "self_rag_check", "self_rag_rewrite"])
async def test_self_rag_survives_a_useless_reply(decision: str) -> None:
    failed = DecisionFailed(decision, "model", "prose", charge(calls=1))
    useless = {"self_rag_check": lambda inputs: {"grounded": True, "useful": False}, decision: lambda inputs: failed}
    values, _, _ = await ask("self_rag", useless)
    assert values["answer"]["text"] == "1931"
    assert {one["error"] for one in values["failures"]} == {"DecisionFailed"}


async def test_self_rag_grades_and_cites_only_what_the_last_search_found() -> None:
    offered: list[list[str]] = []

    def second_only(inputs: Any) -> dict[str, Any]:
        offered.append([document.text for document in inputs.documents])
        return {"relevant": [inputs.documents[0].id] if len(offered) == 2 else []}

    searches = ScriptedSearches({QUESTION: ["Cheese: milk."], "rewritten 1": [PAGE]})
    values, _, _ = await ask("self_rag", {"self_rag_grade": second_only}, searches)
    assert offered == [["Cheese: milk."], [PAGE]]
    assert [one["id"] for one in values["ranking"]] == [values["answer"]["citations"][0]["component"]]
