"""CogPlanner and the VQA planner with one model for planner and reader: one call may plan and answer."""

from typing import Any

import pytest
from fixtures import scripted_cogplanner, scripted_vqa
from fixtures.scripted_searches import ScriptedSearches, stored_picture

from backtrail.graphs.methods import find_method
from backtrail.nodes.cogplanner.retrieved_elements import PICTURES_KEPT, _by_turns, _in_sight
from backtrail.state.component import Component
from backtrail.state.settings import Settings
from backtrail.state.usage import charge, total_usage
from backtrail.state.variant import VariantName
from backtrail.state.web_settings import WebSettings
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

KNOWN = {"short": "(B)", "text": "It is (B): metal conducts heat.", "confidence": 0.9}
PLAINLY = {"action": "no search", "queries": [], "why": "General knowledge.", **KNOWN}
ALONE = {"answer_alone": lambda inputs: {"short": "(B)", "text": "It is (B).", "known": True, "confidence": 0.6}}


async def ask(
    method: str, script: dict[str, Any], *, variant: VariantName = "ours", reader: str = "one", picture: bool = True,
    searches: ScriptedSearches | None = None,
) -> tuple[dict[str, Any], list[str]]:  # fmt: skip
    base = scripted_cogplanner.SCRIPT if method == "cogplanner" else scripted_vqa.SCRIPT
    decider = ScriptedDecider({**base, **script})
    found = searches or ScriptedSearches({"*": ["Bridges: One was opened in 1931."]}, scripted_vqa.PICTURES)
    toolbox = Toolbox(open_decider=lambda model, settings: decider, open_searches=lambda settings: found)
    settings = Settings(variant=variant, planner="one", reader=reader, web=WebSettings(provider="serper"))
    asked = {"question": scripted_vqa.QUESTION, "image": stored_picture(7) if picture else None}
    values = await find_method(method).build(toolbox).compile().ainvoke(asked, context=settings)
    return values, [one.decision for one in decider.history]


# --- CogPlanner --------------------------------------------------------------------------------------
async def test_where_nothing_is_searched_one_call_plans_and_answers() -> None:
    values, asked = await ask("cogplanner", {"cogplanner_plan": lambda inputs: PLAINLY})
    assert asked == ["cogplanner_plan"]
    assert (values["answer"]["short"], values["answer"]["citations"]) == ("(B)", [])
    assert values["answer"]["confidence"] == 0.9
    assert (values["stop_reason"], total_usage(values["usage"])["calls"]) == ("no search", 1)
    assert [one["action"] for one in values["rounds"]] == ["no search"]


async def test_a_plan_without_an_answer_has_the_generator_asked() -> None:
    silent = {**PLAINLY, "short": "", "text": ""}
    _, asked = await ask("cogplanner", {"cogplanner_plan": lambda inputs: silent, **ALONE})
    assert asked == ["cogplanner_plan", "answer_alone"]


@pytest.mark.parametrize(("variant", "reader"), [("published", "one"), ("ours", "another")])
async def test_as_published_and_with_a_planner_of_its_own_each_decision_is_a_call(
    variant: VariantName, reader: str
) -> None:
    routed = {"cogplanner_route": lambda inputs: {"action": "no search"}, **ALONE}
    _, asked = await ask("cogplanner", routed, variant=variant, reader=reader)
    assert asked == ["cogplanner_reformulate", "cogplanner_route", "answer_alone"]


async def test_a_round_is_one_call_and_what_was_found_is_read() -> None:
    seen: list[Any] = []

    def plan(inputs: Any) -> dict[str, Any]:
        seen.append(inputs)
        actions = [{"action": "image search"}, {"action": "text search", "queries": ["a " * 300, "b", "b", ""]}]
        return actions[len(inputs.rounds)] if len(inputs.rounds) < 2 else PLAINLY

    values, asked = await ask("cogplanner", {"cogplanner_plan": plan})
    assert asked == ["cogplanner_plan"] * 3 + ["answer"]  # an answer beside evidence does not count
    assert [one.may_answer for one in seen] == [True, False, False]
    assert [len(one["queries"]) for one in values["rounds"]] == [1, 2, 2]
    assert max(len(query) for query in values["queries"]) <= 400
    assert {element.query for element in seen[1].elements} == {"the question's picture"}


async def test_without_a_valid_plan_the_run_answers_from_what_it_has() -> None:
    failed = DecisionFailed("cogplanner_plan", "scripted", "nonsense", charge(calls=2))
    values, asked = await ask("cogplanner", {"cogplanner_plan": lambda inputs: failed, **ALONE})
    assert asked == ["cogplanner_plan", "answer_alone"]
    assert values["stop_reason"] == "failed:route_search"


def test_early_pictures_stay_in_sight() -> None:
    pages, pictures = [f"t{n}" for n in range(30)], {f"i{n}" for n in range(6)}
    shown = _in_sight([*pages, *sorted(pictures)], pictures, 20)
    assert (len(shown), shown[:16]) == (20, pages[:16])
    assert shown[16:] == sorted(pictures)[:PICTURES_KEPT]
    assert _in_sight(pages[:5], pictures, 20) == pages[:5]


def test_every_round_has_its_share_of_the_pictures_shown() -> None:
    from_rounds = {"a": 2, "b": 2, "c": 2, "d": 1, "e": 1}
    components = [Component(id=key, document="d", position=0, modality="text", text=key) for key in from_rounds]
    assert [one.id for one in _by_turns(components, from_rounds)] == ["a", "d", "b", "e", "c"]


# --- VQA planner -------------------------------------------------------------------------------------
async def test_path_a_is_one_call() -> None:
    values, asked = await ask("vqa_planner", {"vqa_choose_or_answer": lambda inputs: {"option": "A", **KNOWN}})
    assert asked == ["vqa_choose_or_answer"]
    assert (values["answer"]["short"], values["stop_reason"]) == ("(B)", "path:alone")


async def test_path_c_has_its_query_and_d_writes_it_from_what_the_picture_found() -> None:
    text = {"option": "C", "gold_query": scripted_vqa.GOLD}
    values, asked = await ask("vqa_planner", {"vqa_choose_or_answer": lambda inputs: text})
    assert asked == ["vqa_choose_or_answer", "answer"]
    assert values["queries"] == [scripted_vqa.GOLD]
    both = {"option": "D", "gold_query": scripted_vqa.GOLD, **KNOWN}
    values, asked = await ask("vqa_planner", {"vqa_choose_or_answer": lambda inputs: both})
    assert asked == ["vqa_choose_or_answer", "vqa_gold_query", "answer"]
    assert values["answer"]["text"] != KNOWN["text"]


async def test_a_query_that_points_at_the_picture_is_written_anew() -> None:
    pointing = {"option": "C", "gold_query": "When was this bridge opened?"}
    _, asked = await ask("vqa_planner", {"vqa_choose_or_answer": lambda inputs: pointing})
    assert asked == ["vqa_choose_or_answer", "vqa_gold_query", "answer"]


# --- self-reflective RAG -----------------------------------------------------------------------------
@pytest.mark.parametrize(("variant", "expected"), [("ours", True), ("published", False)])
async def test_the_second_draft_is_told_what_was_wrong_and_graders_see_the_picture(
    variant: VariantName, expected: bool
) -> None:
    drafts: list[Any] = []

    def read(inputs: Any) -> dict[str, Any]:
        drafts.append(inputs)
        cited = [{"component": inputs.evidence[0].id}]
        return {"text": f"Draft {len(drafts)}.", "citations": cited, "supported": True, "confidence": 0.5}

    script = {
        "self_rag_grade": lambda inputs: {"relevant": [document.id for document in inputs.documents]},
        "self_rag_check": lambda inputs: {"grounded": inputs.answer != "Draft 1.", "useful": True, "why": "No source."},
        "self_rag_support": lambda inputs: {"grounded": inputs.answer != "Draft 1.", "why": "No source."},
        "self_rag_use": lambda inputs: {"useful": True},
        "answer": read,
    }
    decider = ScriptedDecider(script)
    found = ScriptedSearches({"*": ["Bridges: One was opened in 1931."]}, {})
    toolbox = Toolbox(open_decider=lambda model, settings: decider, open_searches=lambda settings: found)
    settings = Settings(variant=variant, planner="one", reader="one", web=WebSettings(provider="serper"))
    asked = {"question": scripted_vqa.QUESTION, "image": stored_picture(7)}
    values = await find_method("self_rag").build(toolbox).compile().ainvoke(asked, context=settings)
    assert values["answer"]["text"] == "Draft 2."
    assert [bool(one.known) for one in drafts] == [False, expected]
    if expected:
        assert "Draft 1." in drafts[1].known[0]
        assert "No source." in drafts[1].known[0]
    graders = [one.pictures for one in decider.history if one.decision.startswith("self_rag_")]
    assert all("Picture of the question" in one for one in graders)
