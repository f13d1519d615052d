"""OmniSearch with every decision and search scripted: its turns, its limits, its forced answer."""

from typing import Any

import pytest
from fixtures.scripted_searches import PICTURE, ScriptedSearches, stored_picture
from fixtures.scripted_vqa import ANSWER, GOLD, PAGE, QUESTION, SETTINGS, TURNS, scripted_toolbox

from backtrail.graphs.omnisearch import build
from backtrail.nodes.answer_alone import ONLY_WHAT_IS_FOUND
from backtrail.rules.omnisearch.think import think_search
from backtrail.state.omnisearch.decisions import THINK_SEARCH, FoundElement, ThinkInputs, Thought, TurnView
from backtrail.state.omnisearch.settings import OmniSearchSettings
from backtrail.state.settings import Budget, Settings
from backtrail.tools.web.errors import SearchUnavailable


async def ask(
    *turns: dict[str, Any],
    picture: bool = True,
    searches: ScriptedSearches | None = None,
    settings: Settings = SETTINGS,
) -> tuple[dict[str, Any], Any, list[tuple[str, str]]]:
    script = {"omnisearch_think": lambda inputs: turns[len(inputs.turns)]} if turns else None
    toolbox, deciders, found = scripted_toolbox(script, searches)
    asked: Any = {"question": QUESTION, "image": stored_picture(7) if picture else None}
    values = await build(toolbox).compile().ainvoke(asked, context=settings)
    return values, deciders, found.asked


async def test_each_turn_searches_in_its_own_way_and_sees_what_was_found() -> None:
    values, deciders, searched = await ask()
    assert searched == [("image-by-picture", PICTURE), ("text", GOLD), ("image-by-text", "Orvane Bridge")]
    assert [turn["action"] for turn in values["turns"]] == [turn["action"] for turn in TURNS]
    assert [search["id"] for search in values["searches"]] == [
        "search_images@1.0",
        "search_text@2.0",
        "search_images@3.0",
    ]
    assert values["stop_reason"] == "final answer"
    assert values["answer"]["text"] == ANSWER
    last = deciders["planner"].history[-1].inputs
    assert [[element.title for element in turn.found] for turn in last.turns] == [
        ["Orvane Bridge"], ["History of the Orvane Bridge"], ["Orvane Bridge"]
    ]  # fmt: skip
    assert [one.inputs.turns_left for one in deciders["planner"].history] == [5, 4, 3, 2]
    assert [one.decision for one in deciders["reader"].history] == ["answer"]


def numbered(place: int) -> dict[str, Any]:
    return {"subquestion": f"{place}?", "action": "search text", "query": f"query number {place}"}


async def test_after_five_turns_the_answer_is_forced() -> None:
    values, deciders, searched = await ask(
        *(numbered(place) for place in range(9)), searches=ScriptedSearches({"*": [PAGE]})
    )
    assert len(searched) == len(values["turns"]) == len(deciders["planner"].history) == 5
    assert values["stop_reason"] == "limit:turns"
    assert values["answer"]["text"] == ANSWER


async def test_the_limit_is_a_setting_and_a_budget_is_a_limit() -> None:
    searches = ScriptedSearches({"*": [PAGE]})
    fewer = SETTINGS.model_copy(update={"omnisearch": OmniSearchSettings(turns=2)})
    assert len((await ask(*map(numbered, range(9)), searches=searches, settings=fewer))[0]["turns"]) == 2
    bounded = SETTINGS.model_copy(update={"budget": Budget(steps=3)})
    values, _, _ = await ask(*map(numbered, range(9)), searches=searches, settings=bounded)
    assert (len(values["turns"]), values["stop_reason"]) == (3, "budget:steps")


AS_PUBLISHED = SETTINGS.model_copy(update={"variant": "published"})


async def test_as_published_omnisearch_answers_from_what_it_found_alone() -> None:
    values, deciders, _ = await ask(settings=AS_PUBLISHED)
    assert values["answer"]["text"] == ANSWER
    assert [one.inputs.knowledge for one in deciders["reader"].history] == ["evidence"]
    values, deciders, _ = await ask(*map(numbered, range(9)), searches=ScriptedSearches(), settings=AS_PUBLISHED)
    assert deciders["reader"].history == []
    assert (values["answer"]["text"], values["stop_reason"]) == (ONLY_WHAT_IS_FOUND, "limit:turns")


async def test_as_published_a_final_answer_before_any_search_is_no_reply() -> None:
    first: dict[str, Any] = {"action": "final answer"}
    for settings in (AS_PUBLISHED, SETTINGS.model_copy(update={"knowledge": "evidence"})):
        values, _, searched = await ask(first, settings=settings)
        assert (searched, values["stop_reason"]) == ([], "failed:think_search")
        assert "Nothing was searched yet" in values["failures"][0]["message"]
    values, _, _ = await ask(first)
    assert (values["answer"]["text"], values["stop_reason"]) == ("Known by heart", "final answer")


async def test_an_equal_search_is_refused_and_costs_a_turn() -> None:
    values, _, searched = await ask(
        numbered(1), {**numbered(1), "query": "Number, the query: 1"}, TURNS[0], TURNS[0], TURNS[3],
        searches=ScriptedSearches({"*": [PAGE]}),
    )  # fmt: skip
    assert searched == [("text", "query number 1"), ("image-by-picture", PICTURE)]
    assert [search["outcome"] for search in values["searches"]] == ["found", "refused", "empty", "refused"]
    assert "turn 1" in values["searches"][1]["reason"]
    assert values["stop_reason"] == "final answer"


@pytest.mark.parametrize("turn", [TURNS[0], {"action": "search text", "query": " "}, {"action": "look at it"}])
async def test_a_turn_that_cannot_be_taken_forces_the_answer(turn: dict[str, Any]) -> None:
    values, _, searched = await ask(turn, picture=False)
    assert searched == []
    assert values["stop_reason"] == "failed:think_search"
    assert [failure["id"] for failure in values["failures"]] == ["think_search@1"]
    assert values["answer"]["text"] == "Known by heart"


async def test_a_failing_search_is_seen_by_the_next_turn() -> None:
    searches = ScriptedSearches({GOLD: [PAGE]}, {PICTURE: SearchUnavailable("No answer in time.")})
    values, deciders, _ = await ask(TURNS[0], TURNS[1], TURNS[3], searches=searches)
    seen = deciders["planner"].history[1].inputs.turns[0]
    assert (seen.outcome, seen.found) == ("failed", [])
    assert "in time" in seen.reason
    assert values["answer"]["text"] == ANSWER


def turn(action: Any, query: str, *titles: str, outcome: Any = "found") -> TurnView:
    modality = "text" if action == "search text" else "image"
    found = [FoundElement(id=title, modality=modality, title=title, text=title) for title in titles]
    return TurnView(
        index=1, subquestion=query, action=action, query=query, outcome=outcome, reason="", found=found
    )  # fmt: skip


def offline(*turns: TurnView, has_picture: bool = True) -> Thought:
    turned = [one.model_copy(update={"index": place}) for place, one in enumerate(turns, start=1)]
    inputs = ThinkInputs(question=QUESTION, has_picture=has_picture, turns=turned, turns_left=5 - len(turns))
    thought = think_search(inputs)
    assert THINK_SEARCH.check(inputs, thought) == []
    return thought


def test_offline_the_picture_is_searched_first_and_then_the_name_it_gave() -> None:
    first = offline()
    assert first.action == "search by picture"
    second = offline(turn("search by picture", "", "Orvane Bridge", "Orvane Bridge - Wikipedia"))
    assert (second.action, second.query) == ("search text", "When was Orvane Bridge opened?")


def test_offline_a_picture_that_tells_nothing_is_not_guessed_at() -> None:
    nothing = turn("search by picture", "", outcome="empty")
    second = offline(nothing)
    assert (second.action, second.query) == ("search text", "When was bridge opened")
    assert offline(nothing, turn("search text", second.query, "A bridge")).action == "final answer"
    assert offline(has_picture=False).action == "search text"
