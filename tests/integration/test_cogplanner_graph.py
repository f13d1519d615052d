"""CogPlanner's machine, scripted and by rules: its path, its records, and what goes wrong."""

from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.scripted_cogplanner import (
    ANSWER,
    ARCHITECT,
    CAPTION,
    PAGES,
    QUESTION,
    YEAR,
    scripted_toolbox,
    settings_for,
)
from fixtures.scripted_searches import PICTURE, ScriptedSearches, stored_picture
from fixtures.state_after import state_after

from backtrail.graphs.cogplanner import build
from backtrail.graphs.methods import find_method
from backtrail.state.cogplanner.settings import Paradigm
from backtrail.state.settings import Budget, Settings
from backtrail.state.usage import charge
from backtrail.state.web_settings import WebSettings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.errors import SearchRejected, SearchUnavailable

BOTH: list[Paradigm] = ["sequential", "parallel"]


async def ask(
    script: dict[str, Any] | None = None,
    searches: ScriptedSearches | None = None,
    settings: Settings | None = None,
    **asked: Any,
) -> tuple[dict[str, Any], Any, ScriptedSearches]:
    toolbox, decider, found = scripted_toolbox(script, searches)
    begun: Any = {"question": QUESTION, "image": stored_picture(7), **asked}
    return await state_after(build(toolbox), begun, settings or settings_for()), decider, found


def summary(values: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(one["index"], one["action"], one["queries"], len(one["found"])) for one in values["rounds"]]


def always(action: str) -> Any:
    return lambda inputs: {"action": action}


def own_queries(inputs: Any) -> dict[str, Any]:
    return {"queries": [f"query {len(inputs.rounds) + 1}"]}


@pytest.mark.parametrize("paradigm", BOTH)
async def test_picture_then_pages_then_the_answer(paradigm: Paradigm) -> None:
    values, decider, found = await ask(settings=settings_for(paradigm))
    assert summary(values) == [
        (1, "image search", [QUESTION], 2),
        (2, "text search", [ARCHITECT, YEAR], 3),
        (3, "no search", [ARCHITECT, YEAR], 0),
    ]
    assert sorted(found.asked) == sorted([("image-by-picture", PICTURE), ("text", ARCHITECT), ("text", YEAR)])
    assert (values["stop_reason"], values["queries"], values["failures"]) == ("no search", [ARCHITECT, YEAR], [])
    assert [one["id"] for one in values["searches"]] == ["search_images@1.0", "search_text@2.0", "search_text@2.1"]
    assert [asked.decision for asked in decider.history].count("answer") == 1
    routed = [one.inputs for one in decider.history if one.decision == "cogplanner_route"]
    assert [one.rounds_left for one in routed] == [3, 2, 1]
    answer = values["answer"]
    assert (answer["text"], answer["abstained"]) == (ANSWER, False)
    by_modality = {citation["modality"]: citation for citation in answer["citations"]}
    assert by_modality["text"]["locator"]["url"] == "https://example.org/history-of-the-orvane-bridge"
    assert set(by_modality["image"]["locator"]) == {"blob", "url"}
    assert by_modality["image"]["quote"] == CAPTION or "at night" in by_modality["image"]["quote"]


@pytest.mark.parametrize("paradigm", BOTH)
async def test_the_generator_sees_the_question_the_last_queries_and_every_element(paradigm: Paradigm) -> None:
    values, decider, _ = await ask(settings=settings_for(paradigm))
    generator = decider.history[-1]
    assert generator.inputs.question == QUESTION
    assert generator.inputs.queries == [ARCHITECT, YEAR]
    assert {item.id for item in generator.inputs.evidence} == set(values["evidence"])
    assert "Picture of the question" in generator.pictures
    assert len(generator.pictures) == 3  # and the two that were found


async def test_sequential_routes_the_new_queries_and_parallel_the_old_ones() -> None:
    routed: dict[str, list[list[str]]] = {}
    for paradigm in BOTH:
        _, decider, _ = await ask(settings=settings_for(paradigm))
        routed[paradigm] = [one.inputs.queries for one in decider.history if one.decision == "cogplanner_route"]
    assert routed["sequential"] == [[QUESTION], [ARCHITECT, YEAR], [ARCHITECT, YEAR]]
    assert routed["parallel"] == [[QUESTION], [QUESTION], [ARCHITECT, YEAR]]


async def test_parallel_branches_are_two_tasks_of_one_step_joined_by_dispatch() -> None:
    toolbox, _, _ = scripted_toolbox()
    machine = build(toolbox).compile()
    steps: list[set[str]] = []
    stream = machine.astream({"question": QUESTION}, context=settings_for("parallel"), stream_mode="debug")
    async for event in stream:
        if event["type"] == "task":
            while len(steps) <= event["step"]:
                steps.append(set())
            steps[event["step"]].add(event["payload"]["name"])
    forks = [place for place, names in enumerate(steps) if "reformulate" in names]
    assert [steps[place] for place in forks] == [{"reformulate", "route_search"}] * 3
    assert [steps[place + 1] for place in forks] == [{"dispatch"}] * 3


@pytest.mark.parametrize("paradigm", BOTH)
async def test_no_search_in_the_first_round_answers_from_own_knowledge_and_keeps_the_queries(
    paradigm: Paradigm,
) -> None:
    values, decider, found = await ask({"cogplanner_route": always("no search")}, settings=settings_for(paradigm))
    assert found.asked == []
    assert values["queries"] == [QUESTION]
    assert values["answer"]["text"] == values["answer"]["short"] == "Known by heart"
    assert (values["answer"]["citations"], values["answer"]["confidence"]) == ([], 0.6)
    assert decider.history[-1].decision == "answer_alone"
    assert decider.history[-1].inputs.queries == [QUESTION]
    assert decider.history[-1].pictures == ("Picture of the question",)


@pytest.mark.parametrize("limit", [1, 2, 3, 10])
async def test_the_limit_of_rounds_ends_in_an_answer(limit: int) -> None:
    script = {"cogplanner_route": always("text search"), "cogplanner_reformulate": own_queries}
    values, _, found = await ask(script, ScriptedSearches({"*": ["Orvane Bridge: 1931."]}), settings_for(rounds=limit))
    assert len(values["rounds"]) == limit
    assert len(found.asked) == limit
    assert values["stop_reason"] == ("limit:rounds" if limit < 10 else "budget:steps")
    assert values["answer"]["text"] == ANSWER


async def test_a_search_is_never_done_twice_whatever_its_wording() -> None:
    worded = [
        ["Orvane Bridge architect", "Orvane BRIDGE architect"],
        ["architect of the Orvane bridge?"],
        ["Who was the architect?"],
    ]
    script = {
        "cogplanner_route": always("text search"),
        "cogplanner_reformulate": lambda inputs: {"queries": worded[len(inputs.rounds)]},
    }
    values, decider, found = await ask(script)
    assert found.asked == [("text", "Orvane Bridge architect"), ("text", "Who was the architect?")]
    assert [search["outcome"] for search in values["searches"]][1:3] == ["refused"] * 2
    refused = values["searches"][2]
    assert (refused["query"], refused["requests"]) == (worded[1][0], 0)
    assert "round 1" in refused["reason"]
    last = [one.inputs for one in decider.history if one.decision == "cogplanner_route"][2]
    assert [view.outcome for view in last.rounds[1].searches] == ["refused"]


@pytest.mark.parametrize(
    ("image", "first"), [(True, ("image-by-picture", PICTURE)), (False, ("image-by-text", "query 1"))]
)
async def test_a_picture_is_searched_with_once_then_its_words(image: bool, first: tuple[str, str]) -> None:
    script = {"cogplanner_route": always("image search"), "cogplanner_reformulate": own_queries}
    values, decider, found = await ask(script, image=stored_picture(7) if image else None)
    assert found.asked == [first, ("image-by-text", "query 2"), ("image-by-text", "query 3")]
    routed = [one.inputs.has_picture for one in decider.history if one.decision == "cogplanner_route"]
    assert set(routed) == {image}
    assert values["failures"] == []


@pytest.mark.parametrize("error", [SearchUnavailable("the quota is spent"), SearchRejected("no key for serpapi")])
async def test_a_failing_provider_is_a_recorded_failure_that_the_planner_sees(error: Exception) -> None:
    values, decider, _ = await ask(searches=ScriptedSearches(PAGES, {PICTURE: error}))
    assert values["searches"][0]["outcome"] == "failed"
    [failure] = values["failures"]
    assert failure["id"] == "search_images@1.0"
    assert (failure["error"], failure["message"]) == (type(error).__name__, str(error))
    second = [one.inputs for one in decider.history if one.decision == "cogplanner_route"][1]
    assert [(view.outcome, view.reason) for view in second.rounds[0].searches] == [("failed", str(error))]
    assert values["answer"]["text"] == ANSWER  # the pages of round 2 were found


@pytest.mark.parametrize(
    ("found", "outcome", "failures"), [(SearchUnavailable("no answer in time"), "failed", 3), ([], "empty", 0)]
)
async def test_searches_that_lead_nowhere_end_in_an_answer_that_is_told_of_them(
    found: Any, outcome: str, failures: int
) -> None:
    values, decider, _ = await ask(searches=ScriptedSearches({"*": found}, {"*": found}))
    assert [search["outcome"] for search in values["searches"]] == [outcome] * 3
    alone = decider.history[-1]
    assert alone.decision == "answer_alone"
    assert ["no answer in time" in line for line in alone.inputs.searched] == [outcome == "failed"] * 3
    assert len(values["failures"]) == failures


@pytest.mark.parametrize("paradigm", BOTH)
async def test_a_useless_reply_of_the_router_ends_in_the_answer_so_far(paradigm: Paradigm) -> None:
    failed = DecisionFailed("cogplanner_route", "model", "the reply was 'E'", charge(calls=2))
    script = {"cogplanner_route": lambda inputs: failed if inputs.rounds else {"action": "image search"}}
    values, decider, _ = await ask(script, settings=settings_for(paradigm))
    assert values["stop_reason"] == "failed:route_search"
    assert [(one["id"], one["error"]) for one in values["failures"]] == [("route_search@2", "DecisionFailed")]
    assert values["usage"]["route_search@2"]["calls"] == 2
    assert decider.history[-1].decision == "answer"


@pytest.mark.parametrize("useless", ["it was prose", {"queries": [f"word{n} more" for n in range(9)]}])
async def test_a_useless_reformulation_leaves_the_queries_as_they_were(useless: Any) -> None:
    if isinstance(useless, str):
        useless = DecisionFailed("cogplanner_reformulate", "model", useless, charge(calls=2))
    script = {
        "cogplanner_reformulate": lambda inputs: useless,
        "cogplanner_route": lambda inputs: {"action": "no search" if inputs.rounds else "text search"},
    }
    values, _, found = await ask(script, ScriptedSearches({"*": ["Orvane Bridge: 1931."]}))
    assert found.asked == [("text", QUESTION)]
    assert [one["id"] for one in values["failures"]] == ["reformulate@1", "reformulate@2"]
    assert values["answer"]["text"] == ANSWER


async def test_the_ceiling_of_calls_ends_planning_with_the_best_so_far() -> None:
    settings = settings_for().model_copy(update={"budget": Budget(calls=2)})
    values, decider, _ = await ask(settings=settings)
    assert len(decider.history) == 2
    assert values["stop_reason"] == "budget:calls"
    assert len(values["rounds"]) == 1
    assert "answer" in values


# --- by rules alone, over a corpus that stands for the web -------------------------------------------
@pytest.fixture
def toolbox(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> Toolbox:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tiny_home))
    corpus = open_corpus("tiny", embedder=HashedEmbedder())
    return Toolbox(open_corpus=lambda name: corpus)


async def ask_rules(toolbox: Toolbox, method: str, question: str, settings: Settings, image: str | None = None) -> Any:
    machine = find_method(method).build(toolbox).compile()
    return await machine.ainvoke({"question": question, "image": image}, context=settings)


@pytest.mark.parametrize("paradigm", ["sequential", "parallel"])
async def test_a_fact_is_searched_once_and_answered_from_a_cited_component(toolbox: Toolbox, paradigm: Any) -> None:
    settings = Settings(corpus="tiny", cogplanner={"paradigm": paradigm}, offline={"min_confidence": "low"})  # type: ignore[arg-type]
    values = await ask_rules(toolbox, "cogplanner", "When was Voyager 2 launched?", settings)
    assert values["answer"]["text"] == "20 August 1977"
    assert [citation["component"] for citation in values["answer"]["citations"]] == ["voyager#0"]
    assert [one["action"] for one in values["rounds"]] == ["text search", "no search"]
    assert values["failures"] == []


async def test_a_corpus_without_pixels_fails_the_search_by_picture_and_goes_on_by_words(toolbox: Toolbox) -> None:
    question = "When was this spacecraft launched?"
    values = await ask_rules(toolbox, "cogplanner", question, Settings(corpus="tiny"), stored_picture(5))
    assert [search["outcome"] for search in values["searches"]][:1] == ["failed"]
    assert [one["action"] for one in values["rounds"]][:2] == ["image search", "text search"]
    assert "--pixels" in values["failures"][0]["message"]
    assert values["answer"]["text"]


@pytest.mark.parametrize("method", ["cogplanner", "fixed_text", "fixed_image", "self_rag"])
async def test_with_search_switched_off_or_without_a_key_every_method_abstains_and_says_that_nobody_looked(
    toolbox: Toolbox, method: str
) -> None:
    for web, error in (
        (WebSettings(provider="none"), "switched off"), (WebSettings(provider="serpapi"), "SERPAPI_API_KEY"),
    ):  # fmt: skip
        settings = Settings(corpus="tiny", web=web)
        values = await ask_rules(toolbox, method, "When was Voyager 2 launched?", settings)
        assert values["answer"]["abstained"]
        assert {search["outcome"] for search in values["searches"]} == {"failed"}
        assert error in values["failures"][0]["message"]
        assert values["failures"][0]["error"] == "SearchRejected"
