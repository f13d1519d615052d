"""MMAPG's machine with every decision scripted, and with the offline rules: which graph grows, and how it ends."""

from pathlib import Path
from typing import Any

import pytest
from fixtures.planning_corpus import open_planning_corpus
from fixtures.scripted_mmapg import (
    ANSWER,
    SCRIPT,
    SETTINGS,
    STATUSES,
    STOP,
    TURNS,
    UNHEARD,
    answer,
    retrieval,
    run,
)
from loopback.openai_server import OpenAIServer, Received, Said, reply

from backtrail.graphs.mmapg import build
from backtrail.language.terms import content_terms
from backtrail.nodes.mmapg.candidate_order import rounds_of
from backtrail.state.mmapg.memory import Candidate
from backtrail.state.mmapg.planning_graph import recovered_branches
from backtrail.state.mmapg.settings import MmapgSettings
from backtrail.state.settings import Budget, Settings
from backtrail.state.usage import charge, total_usage
from backtrail.state.variant import VariantName
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.toolbox import Toolbox

pytestmark = pytest.mark.usefixtures("in_few_home")


def statuses(values: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(node["id"], node["kind"], node["status"]) for node in values["planning_graph"]]


def node(values: dict[str, Any], key: str) -> dict[str, Any]:
    return next(node for node in values["planning_graph"] if node["id"] == key)


async def test_the_graph_that_was_planned_grows() -> None:
    values, asked = await run()
    assert statuses(values) == STATUSES
    assert node(values, "n5")["parents"] == ["n3"]
    assert node(values, "n7")["parents"] == ["n3", "n5"]
    assert (values["answer"]["text"], values["stop_reason"]) == (ANSWER, "stop")
    # a branch that found nothing is recovered from
    assert [one["id"] for one in recovered_branches(values["planning_graph"])] == ["n1", "n2"]
    assert node(values, "n1")["content"].startswith("Nothing found")
    # an equal retrieval is refused, whatever its case and dead parents
    assert "was made" in node(values, "n2")["content"]
    assert "search" not in node(values, "n2")
    assert asked.count("mmapg_prepare") == 3  # of five retrievals: one was refused, one followed links
    # a retrieval along links reaches only what its parents link to
    assert node(values, "n3")["sources"][0] == "bridges#t"
    linked = node(values, "n5")
    assert linked["search"]["text_base"] == "links"
    assert set(linked["sources"]) <= {"reich#p0", "urania#p0", "malone#p0"}
    reached = values["evidence"]["urania#p0"]
    assert (reached["parent"], reached["parent_row"]) == ("bridges#t", 1)
    # a named picture is shown to the vision model with its question
    search = node(values, "n6")["search"]
    assert (search["image_kind"], search["image_base"]) == ("targeted", "words")
    assert search["image_question"] == "Is there a lighthouse?"
    assert node(values, "n6")["content"] == "Night Ferry: A red field. no."  # a single finding is not compiled
    assert "mmapg_examine_pictures" in asked
    # the ranking is of the sources used, and the answer cites them
    used = {source for one in values["planning_graph"] for source in one["sources"]}
    assert {scored["id"] for scored in values["ranking"]} == used
    assert [citation["component"] for citation in values["answer"]["citations"]] == ["urania#p0"]
    scores = [scored["score"] for scored in values["ranking"]]
    assert scores == sorted(scores, reverse=True)
    # every decision has a charge of its own
    assert sum(one["calls"] for one in values["usage"].values()) == len(asked)
    assert {key.partition("@")[0] for key in values["usage"]} >= {"overall_plan", "plan_next", "split", "examine_texts"}


async def test_an_examiner_reads_entries_that_say_more_than_the_title_each_once() -> None:
    seen: list[Any] = []

    def examine(inputs: Any) -> dict[str, Any]:
        seen.extend(inputs.candidates)
        return SCRIPT["mmapg_examine_texts"](inputs)

    await run(script={"mmapg_examine_texts": examine})
    assert any(candidate.entries for candidate in seen)
    for candidate in seen:
        terms = [content_terms(text) for text in (candidate.title, *candidate.entries)]
        assert len(set(terms)) == len(terms), candidate


@pytest.mark.parametrize(("last", "limits", "reason"), [([[STOP]], {}, "stop"), ([], {"turns": 2}, "turns")])
async def test_without_an_answer_one_is_generated_from_the_graph(
    last: list[Any], limits: dict[str, Any], reason: str
) -> None:
    values, _ = await run(TURNS[2], [retrieval("Urania bridge designed", "n1", within="links")], *last, **limits)
    [answered] = [one for one in values["planning_graph"] if one["kind"] == "answer"]
    assert answered["parents"] == ["n1", "n2"]
    assert (values["answer"]["text"], values["stop_reason"]) == (ANSWER, reason)


async def test_after_the_step_limit_an_answer_that_the_graph_ends_with_is_kept() -> None:
    values, asked = await run([retrieval(UNHEARD, "n0")], [answer("Who is it?", "n0")], turns=2)
    assert values["stop_reason"] == "turns"
    assert [kind for _, kind, _ in statuses(values)] == ["question", "retrieval", "answer", "stop"]
    assert values["answer"]["abstained"]
    assert "answer" not in asked  # there was nothing to read


async def test_a_planner_that_loops_is_stopped_by_its_refusals() -> None:
    again = [retrieval(UNHEARD, "n0")]
    values, asked = await run(*[again] * 10)
    assert values["stop_reason"] == "loop"
    assert [status for _, _, status in statuses(values)][1:5] == ["nothing found", "refused", "refused", "refused"]
    assert values["answer"]["abstained"]
    assert asked.count("mmapg_plan") == 3  # the first retrieval came with the overall plan
    values, asked = await run([retrieval(UNHEARD, "n0")], *[[answer("Who?", "n0")]] * 9)
    assert (values["stop_reason"], asked.count("mmapg_plan")) == ("turns", 9)


async def test_a_reached_budget_ends_in_the_best_answer_and_costs_nothing_more() -> None:
    values, asked = await run(TURNS[2], TURNS[2], budget=Budget(calls=2))
    assert values["stop_reason"] == "budget:calls"
    # Overall plan and queries were paid for; what was examined was so by rule.
    assert asked == ["mmapg_open", "mmapg_prepare"]
    assert node(values, "n1")["status"] == "found"


async def test_without_a_valid_plan_the_run_ends_honestly() -> None:
    failed = DecisionFailed("mmapg_plan", "scripted", "nonsense", charge(calls=3))
    values, _ = await run([retrieval(UNHEARD, "n0")], script={"mmapg_plan": lambda inputs: failed})
    assert values["stop_reason"] == "failed:plan_next"
    assert [one["error"] for one in values["failures"]] == ["DecisionFailed"]
    assert values["answer"]["abstained"]
    assert values["usage"]["plan_next@2"]["calls"] == 3


async def test_a_candidate_that_cannot_be_examined_is_left_out_with_a_record() -> None:
    lost = DecisionFailed("mmapg_examine_texts", "scripted", "nonsense", charge(calls=1))
    broken = {"mmapg_examine_texts": lambda inputs: lost}
    values, _ = await run(TURNS[2], [STOP], script=broken)
    assert node(values, "n1")["status"] == "nothing found"
    assert "could be examined" in node(values, "n1")["content"]
    assert len({one["id"] for one in values["failures"]}) == len(values["failures"]) >= 1


async def test_without_a_valid_compilation_the_findings_stand() -> None:
    lost = DecisionFailed("mmapg_compile", "scripted", "nonsense", charge(calls=1))
    values, _ = await run(TURNS[2], [STOP], script={"mmapg_compile": lambda inputs: lost})
    assert node(values, "n1")["status"] == "found"
    assert "bridges#t" in node(values, "n1")["sources"]


async def test_independent_nodes_are_grown_side_by_side() -> None:
    both = [retrieval("Bridges of Vienna Opened 1909", "n0"), retrieval("Mirne tower completed", "n0")]
    values, _ = await run(both, [answer("Who?", "n1", "n2")], side_by_side=True)
    assert [(one["id"], one["step"]) for one in values["planning_graph"]] == [
        ("n0", 0), ("n1", 1), ("n2", 1), ("n3", 2), ("n4", 3),
    ]  # fmt: skip
    assert len([key for key in values["usage"] if key.startswith("reach@")]) == 2


async def test_one_of_two_equal_nodes_planned_together_is_refused() -> None:
    twice = [retrieval("Mirne tower completed", "n0"), retrieval("completed: the Mirne tower", "n0")]
    values, _ = await run(twice, [STOP], side_by_side=True)
    assert [status for _, _, status in statuses(values)][1:3] == ["found", "refused"]


async def test_side_by_side_is_off_by_default() -> None:
    both = [retrieval("Bridges of Vienna", "n0"), retrieval("Mirne tower", "n0")]
    values, _ = await run([retrieval(UNHEARD, "n0")], both)
    assert values["stop_reason"] == "failed:plan_next"
    assert "exactly one node" in values["failures"][0]["message"]


async def test_without_the_retrieval_module_the_nearest_components_are_taken() -> None:
    values, asked = await run(TURNS[2], [answer("Who?", "n1")], retrieval_module=False, sources=4)
    assert {one.partition("_")[0] for one in asked} == {"mmapg", "answer"}
    assert set(asked) == {"mmapg_open", "mmapg_plan", "answer"}
    plain = node(values, "n1")
    assert (plain["search"]["text_base"], plain["search"]["capped"], len(plain["sources"])) == ("similarity", True, 4)


# --- the offline rules ---------------------------------------------------------------------------
async def test_offline_the_second_hop_is_found_along_the_links() -> None:
    values, asked = await run(question="Who designed the bridge of Vienna that was opened in 1909?", offline=True)
    assert asked == []
    assert [one["within"] for one in values["planning_graph"] if one["kind"] == "retrieval"] == ["corpus", "links"]
    assert values["answer"]["text"] == "Josef Hackhofer"
    assert values["stop_reason"] == "stop"


async def test_offline_without_a_matching_source_the_answer_says_that_nothing_was_found() -> None:
    values, _ = await run(question="Which xylophone did Zaphod Beeblebrox prefer?", offline=True)
    assert values["answer"]["abstained"]
    assert values["answer"]["citations"] == values["ranking"] == []
    retrievals = [one for one in values["planning_graph"] if one["kind"] == "retrieval"]
    assert retrievals
    assert all(one["status"] == "nothing found" for one in retrievals)


async def test_offline_sources_that_disagree_are_recorded_and_lower_the_confidence() -> None:
    values, _ = await run(question="When was the Mirne tower completed?", offline=True)
    assert {one["error"] for one in values["failures"]} == {"SourcesDisagree"}
    assert "1931" in values["failures"][0]["message"]
    assert "1947" in values["failures"][0]["message"]
    assert not values["answer"]["abstained"]
    assert values["answer"]["confidence"] <= 0.5
    assert values["planning_graph"][-2]["conflicts"]


async def test_offline_one_row_of_thousands_is_found_read_and_cited_by_its_number(
    planning_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(planning_home))
    values, _ = await run(question="Who is the architect of the station Halt 4719?", offline=True, text_radius=0.95)
    assert values["answer"]["text"] == "Builder4719"
    assert values["answer"]["citations"][0]["locator"]["row"] == 2719
    contents = [len(one["content"]) for one in values["planning_graph"]]
    assert max(contents) <= 1000


async def test_pictures_that_cannot_be_opened_are_judged_by_their_words_and_recorded() -> None:
    posters = [retrieval("Poster of the film", "n0")]
    values, asked = await run(posters, [STOP], candidates=10, text_radius=0.9)
    unreadable = [one for one in values["failures"] if one["error"] == "PictureUnreadable"]
    for node_name in ("examine_picture", "reason"):  # whoever looks at them
        lost = sorted(one["message"].split("'")[1] for one in unreadable if one["node"] == node_name)
        assert lost == ["lost#i0", "torn#i0"]
    assert asked.count("mmapg_examine_pictures") == 1  # all three at once
    assert "torn#i0" in node(values, "n1")["sources"]


@pytest.mark.parametrize("most", [1, 2, 3])
async def test_the_bound_on_candidates_is_kept_and_recorded(most: int) -> None:
    """As many within the radius, and as many that words find."""
    asked = [retrieval("Vienna bridge Mirne tower", "n0")]
    near = {"candidates": most, "text_radius": 1.0}
    values, _ = await run(asked, [STOP], **near)
    search = node(values, "n1")["search"]
    assert most <= search["examined"] <= 2 * most
    assert search["capped"]
    values, _ = await run(asked, [STOP], variant="published", **near)
    search = node(values, "n1")["search"]
    assert (search["examined"], search["capped"]) == (most, True)


async def test_on_a_single_path_every_node_follows_the_last() -> None:
    values, _ = await run(
        question="Who designed the bridge of Vienna that was opened in 1909?", offline=True, graph_guided=False
    )
    grown = [one for one in values["planning_graph"] if one["kind"] != "stop"]
    assert [one["parents"] for one in grown[1:]] == [[one["id"]] for one in grown[:-1]]
    assert [one["kind"] for one in grown[1:3]] == ["retrieval", "answer"]


async def test_where_the_reader_fails_for_good_the_rules_are_quoted() -> None:
    failed = DecisionFailed("answer", "scripted", "nonsense", charge(calls=3))
    values, _ = await run(script={"answer": lambda inputs: failed})
    answer = values["answer"]
    assert values["stop_reason"] == "failed:reason"
    assert (answer["grounds"], answer["abstained"]) == ("quotes", False)
    assert answer["citations"]
    assert answer["confidence"] <= 0.5
    assert "nonsense" in answer["text"]
    assert "Read by rules instead, the documents say: " in answer["text"]
    answers = [node["status"] for node in values["planning_graph"] if node["kind"] == "answer"]
    assert set(answers) == {"unanswered"}, "nothing is settled by what nobody weighed"


# --- what it pays ------------------------------------------------------------------------------------
QUESTION = "Who designed the Urania bridge of Vienna, opened in 1909?"
BRIDGES = retrieval("Bridges of Vienna opened 1909", "n0")
DESIGNED = retrieval("Urania bridge designed", "n1", within="links")


def settling(inputs: Any) -> dict[str, Any]:
    """An examiner to whom one finding settles it: of all bridges the table, else the page of the bridge."""
    ids = [one.id for one in inputs.candidates]
    sought = "bridges#t" if inputs.instruction.startswith("Bridges") else "urania#p0"
    found = sought if sought in ids else ids[0]
    return {"findings": [{"component": found, "says": "It says so."}], "settled": True}


async def test_two_hops_cost_six_calls_where_the_paper_makes_one_for_each_candidate() -> None:
    hops = [[BRIDGES], [DESIGNED], [answer("", "n1", "n2")]]
    values, asked = await run(*hops, question=QUESTION, script={"mmapg_examine_texts": settling})
    assert values["answer"]["text"] == ANSWER
    assert asked == [
        "mmapg_open",  # with the first retrieval, so no planner for it
        "mmapg_prepare", "mmapg_examine_texts",  # a single finding is not compiled
        "mmapg_plan", "mmapg_examine_texts",  # along links nothing is searched by query
        "answer",  # is due, as both parts of the plan are settled; and so is the stop after it
    ]  # fmt: skip
    assert [node["kind"] for node in values["planning_graph"]][-2:] == ["answer", "stop"]
    assert (values["stop_reason"], total_usage(values["usage"])["calls"]) == ("stop", 6)

    again = [[BRIDGES], [retrieval("Urania bridge designed", "n1")], [answer(QUESTION, "n1", "n2")]]
    values, published = await run(*again, question=QUESTION, variant="published", candidates=20)
    assert values["answer"]["text"] == ANSWER
    assert len(published) >= 2 * len(asked)


async def test_one_hop_costs_four_calls() -> None:
    values, asked = await run([retrieval(QUESTION, "n0")], question=QUESTION, script={"mmapg_examine_texts": settling})
    assert asked == ["mmapg_open", "mmapg_prepare", "mmapg_examine_texts", "answer"]
    assert values["planning_graph"][1]["settled"]
    assert values["planning_graph"][2]["parents"] == ["n1"]
    assert values["planning_graph"][2]["instruction"] == QUESTION


async def test_what_is_not_settled_is_planned_on() -> None:
    def unsettled(inputs: Any) -> dict[str, Any]:
        return {**settling(inputs), "settled": False}

    turns = [[retrieval(QUESTION, "n0")], [answer("", "n1")]]
    _, asked = await run(*turns, question=QUESTION, script={"mmapg_examine_texts": unsettled})
    assert asked.count("mmapg_plan") == 1


@pytest.mark.parametrize(("confidence", "asked_again"), [(0.8, 0), (0.5, 1)])
async def test_after_a_partial_answer_the_planner_is_asked(confidence: float, asked_again: int) -> None:
    partly: dict[str, Any] = {
        "mmapg_examine_texts": settling,
        "answer": lambda inputs: {**SCRIPT["answer"](inputs), "confidence": confidence},
    }
    _, asked = await run([retrieval("Urania bridge", "n0")], [answer("", "n1")], question=QUESTION, script=partly)
    assert asked.count("mmapg_plan") == 1 + asked_again


async def test_the_next_chunk_is_read_only_while_nothing_settles() -> None:
    wide: dict[str, Any] = {"candidates": 6, "text_radius": 2.0, "chunk": 2}
    shown: list[list[str]] = []
    earlier: list[int] = []

    def examine(inputs: Any) -> dict[str, Any]:
        shown.append([one.id for one in inputs.candidates])
        earlier.append(len(inputs.found))
        finding = {"component": inputs.candidates[0].id, "says": "It says so."}
        return {"findings": [finding], "settled": len(shown) == 2}

    values, asked = await run([BRIDGES], question=QUESTION, script={"mmapg_examine_texts": examine}, **wide)
    examined = [key for chunk in shown for key in chunk]
    assert (len(shown), len(set(examined))) == (2, len(examined))
    assert earlier == [0, 1]  # what earlier chunks said travels on
    assert values["planning_graph"][1]["search"]["examined"] == 8 > len(examined)
    assert asked.count("mmapg_compile") == 0  # they settle it, and there are two of them


@pytest.mark.parametrize(("related", "read"), [([], 1), ([0], 2), ([0, 1], 3)])
async def test_a_chunk_that_relates_nothing_is_the_last(related: list[int], read: int) -> None:
    wide: dict[str, Any] = {"candidates": 20, "text_radius": 2.0, "chunk": 2}
    shown: list[list[str]] = []

    def examine(inputs: Any) -> dict[str, Any]:
        shown.append([one.id for one in inputs.candidates])
        said = {"component": inputs.candidates[0].id, "says": "It says so."}
        return {"findings": [said] if len(shown) - 1 in related else []}

    await run([BRIDGES], question=QUESTION, script={"mmapg_examine_texts": examine}, **wide)
    assert len(shown) == read


async def test_findings_that_settle_nothing_are_compiled() -> None:
    def examine(inputs: Any) -> dict[str, Any]:
        return {"findings": [{"component": one.id, "says": "It says so."} for one in inputs.candidates[:2]]}

    _, asked = await run(
        [BRIDGES], question=QUESTION, script={"mmapg_examine_texts": examine}, candidates=6, text_radius=2.0
    )
    assert asked.count("mmapg_compile") == 1


async def test_a_finding_without_words_speaks_for_itself_and_nobody_is_asked_again() -> None:
    silent: dict[str, Any] = {
        "mmapg_examine_texts": lambda inputs: {"findings": [{"component": inputs.candidates[0].id}]}
    }
    values, asked = await run([BRIDGES], question=QUESTION, script=silent)
    assert values["planning_graph"][1]["status"] == "found"
    assert asked.count("mmapg_examine_texts") == 1


async def test_without_valid_queries_the_instruction_is_searched() -> None:
    nothing: dict[str, Any] = {"mmapg_prepare": lambda inputs: {"text_part": "Urania bridge", "image_kind": "targeted"}}
    values, asked = await run([BRIDGES], question=QUESTION, script=nothing)
    search = values["planning_graph"][1]["search"]
    assert (search["text_queries"], search["image_kind"]) == (["Urania bridge"], "none")
    assert asked.count("mmapg_prepare") == 1


async def test_nothing_near_costs_no_examination() -> None:
    _, asked = await run([retrieval(UNHEARD, "n0")], question=QUESTION, text_radius=0.05)
    assert asked[:3] == ["mmapg_open", "mmapg_prepare", "mmapg_plan"]


# --- rounds ------------------------------------------------------------------------------------------
def candidate(key: str) -> Candidate:
    return {
        "component": key, "modality": "text", "entries": [], "similarity": 0.5, "coverage": 0.5, "path_coverage": 0.0,
        "context": None, "parent": None, "row": None, "anchor": "", "pictured": key.startswith("i"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "image", "expected"),
    [
        ("a", "", [["t0 t1"], ["t2"], ["i0 i1"], ["i2"]]),
        ("", "b", [["i0 i1"], ["i2"], ["t0 t1"], ["t2"]]),
        ("a", "b", [["t0 t1", "i0 i1"], ["t2", "i2"]]),
    ],
)
def test_what_is_meant_is_examined_first(text: str, image: str, expected: list[list[str]]) -> None:
    near = [candidate(key) for key in ("t0", "i0", "i1", "t1", "i2", "t2")]
    settings = Settings(vlm="scripted", pictures=2, mmapg=SETTINGS.mmapg.model_copy(update={"chunk": 2}))
    rounds = rounds_of(near, text, image, settings)
    assert [[" ".join(chunk["components"]) for chunk in chunks] for chunks in rounds] == expected
    assert [chunk["index"] for chunks in rounds for chunk in chunks] == list(range(4))


@pytest.mark.parametrize("variant", ["ours", "published"])
@pytest.mark.parametrize("calls", [4, 7])
async def test_side_by_side_a_ceiling_on_calls_is_kept(variant: VariantName, calls: int) -> None:
    wide = {"candidates": 20, "text_radius": 2.0, "chunk": 2}
    values, asked = await run(
        [BRIDGES], [answer("", "n1")], question=QUESTION, variant=variant, budget=Budget(calls=calls), **wide
    )
    assert len(asked) <= calls
    assert values["stop_reason"] == "budget:calls"


# --- decisions by a chat model over real HTTP --------------------------------------------------------
POSTER = "What is on the poster of Night Ferry?"
RETRIEVAL = {
    "type": "retrieval", "parents": ["n0"], "instruction": "Poster of the film Night Ferry",
    "within": "corpus", "why": "",
}  # fmt: skip
NOTHING_MORE = {"type": "stop", "parents": [], "instruction": "", "within": "corpus", "why": ""}


async def run_over_http(
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
            return reply({"components": [{"text": POSTER}], "first": [RETRIEVAL["instruction"]]})
        if "You prepare a search. An instruction" in asked:
            return reply({"text_part": "", "image_part": RETRIEVAL["instruction"], "image_kind": "targeted"})
        if "question with which each picture" in asked:
            return reply({"queries": ["Poster of the film Night Ferry"], "question": "What is on it?"})
        return reply({"components": [{"text": POSTER, "needs": []}]})

    with OpenAIServer([answer], forever=True) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test1234")
        corpus = open_planning_corpus()
        graph = build(Toolbox(open_corpus=lambda name: corpus)).compile()
        settings = Settings(
            corpus="tiny", variant=variant, **{"planner": "openai:gpt-4o-mini", **roles},
            mmapg=MmapgSettings(text_radius=0.7, candidates=3),
        )  # fmt: skip
        values = await graph.ainvoke({"question": POSTER, "image": None}, context=settings)
        return values, list(server.chats)


async def test_the_vision_model_is_sent_the_picture_with_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    def plan(asked: str) -> dict[str, Any]:
        return NOTHING_MORE if '"id": "n1"' in asked else RETRIEVAL

    seen = {"related": True, "description": "A plain red field.", "answer": "nothing but red"}
    values, chats = await run_over_http(plan, seen, monkeypatch, vlm="openai:gpt-4o-mini")
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
    values, chats = await run_over_http(lambda asked: NOTHING_MORE, seen, monkeypatch, "ours", vlm="openai:gpt-4o-mini")
    [looked] = [one for one in chats if "A search brought pictures" in one.text]
    # Of the three posters two cannot be opened: they were never sent, and the reader knows.
    assert len(looked.images) == 1
    assert "Picture of poster#i0" in looked.text
    assert looked.text.count('"has_picture": false') == 2
    assert [one["error"] for one in values["failures"]] == ["PictureUnreadable"] * 2
    assert len({one["id"] for one in values["failures"]}) == 2
    assert values["planning_graph"][1]["content"] == "Night Ferry: A plain red field."
