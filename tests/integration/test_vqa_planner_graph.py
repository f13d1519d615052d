"""The VQA planner with every decision and search scripted: the four paths exactly, and what goes wrong on them."""

import hashlib
import json
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from fixtures.scripted_searches import PICTURE, ScriptedSearches, stored_picture
from fixtures.scripted_vqa import (
    ANSWER,
    CAPTION,
    GOLD,
    PAGE,
    PAGES,
    PICTURES,
    QUESTION,
    SETTINGS,
    UNSEEN,
    scripted_toolbox,
)
from langgraph.checkpoint.memory import InMemorySaver
from loopback.openai_server import OpenAIServer, Received, Said, error, reply

from backtrail.graphs.vqa_planner import build
from backtrail.state.settings import Budget, Settings
from backtrail.state.usage import charge
from backtrail.state.vqa_planner.settings import VqaPlannerSettings
from backtrail.tools.checkpoints.serializer import strict_serializer
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.home import home
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.errors import SearchRejected, SearchUnavailable
from backtrail.training.planner_prompt import planner_prompt

THREAD: Any = {"configurable": {"thread_id": "t"}}


class Ran:
    """The state at the end of a run, the nodes it went through, and who was asked for what."""

    def __init__(
        self, values: dict[str, Any], nodes: list[str], asked: dict[str, list[str]], searched: list[Any]
    ) -> None:
        self.values, self.nodes, self.asked, self.searched = values, nodes, asked, searched

    @property
    def failures(self) -> list[tuple[str, str]]:
        return [(failure["id"], failure["error"]) for failure in self.values["failures"]]


async def ask(
    option: str | Any = "D", *, picture: str | None = "stored", script: dict[str, Any] | None = None,
    searches: ScriptedSearches | None = None, settings: Settings = SETTINGS, question: str = QUESTION,
) -> Ran:  # fmt: skip
    chosen = option if callable(option) else lambda inputs: {"option": option, "why": "scripted"}
    toolbox, deciders, found = scripted_toolbox({"vqa_choose_path": chosen, **(script or {})}, searches)
    machine = build(toolbox).compile(checkpointer=InMemorySaver(serde=strict_serializer()))
    image = stored_picture(7) if picture == "stored" else picture
    nodes = [
        event["name"]
        async for event in machine.astream(
            {"question": question, "image": image}, THREAD, context=settings, stream_mode="tasks"
        )
        if "triggers" in event
    ]
    values = (await machine.aget_state(THREAD)).values
    asked = {name: [one.decision for one in decider.history] for name, decider in deciders.items()}
    return Ran(values, nodes, asked, found.asked)


BEFORE = ["contextualize", "check_picture", "choose_path"]
GOLD_AND_TEXT = ["write_gold_query", "search_text"]
PATHS = {
    "A": ("c1", "alone", ["answer_alone"], []),
    "C": ("c2", "text", [*GOLD_AND_TEXT, "rank_all_evidence", "answer"], [("text", UNSEEN)]),
    "B": ("c3", "image", ["search_images", "rank_all_evidence", "answer"], [("image-by-picture", PICTURE)]),
    "D": (
        "c4", "both", ["search_images", *GOLD_AND_TEXT, "rank_all_evidence", "answer"],
        [("image-by-picture", PICTURE), ("text", GOLD)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("option", PATHS)
async def test_exactly_the_path_that_was_chosen_runs(option: str) -> None:
    ran = await ask(option)
    category, name, nodes, searched = PATHS[option]
    assert ran.nodes == [*BEFORE, *nodes]
    assert ran.searched == searched
    assert ran.values["path"] == {
        "planned": option, "option": option, "category": category, "probabilities": {}, "why": "scripted"
    }  # fmt: skip
    assert ran.values["stop_reason"] == f"path:{name}"
    assert ran.values["answer"]["text"] == ("Known by heart" if option == "A" else ANSWER)
    assert ran.values["failures"] == []
    # planner and task model are asked for their own alone
    query = ["vqa_gold_query"] if option in ("C", "D") else []
    assert ran.asked == {
        "planner": ["vqa_choose_path"], "reader": [*query, "answer_alone" if option == "A" else "answer"],
    }  # fmt: skip


async def test_the_gold_query_is_written_from_what_the_picture_search_found() -> None:
    toolbox, deciders, _ = scripted_toolbox()
    values = (
        await build(toolbox).compile().ainvoke({"question": QUESTION, "image": stored_picture(7)}, context=SETTINGS)
    )
    [query, reading] = deciders["reader"].history
    assert [picture.text for picture in query.inputs.pictures] == [CAPTION]  # type: ignore[attr-defined]
    assert reading.inputs.queries == [GOLD]  # type: ignore[attr-defined]
    shown = {" ".join(item.sentences) for item in reading.inputs.evidence}  # type: ignore[attr-defined]
    assert shown == {CAPTION, PAGE}
    assert reading.pictures[0] == "Picture of the question"
    assert values["queries"] == [GOLD]


@pytest.mark.parametrize(("fixed", "option"), [("alone", "A"), ("image", "B"), ("text", "C"), ("both", "D")])
async def test_baselines_run_one_path_and_ask_no_planner(fixed: Any, option: str) -> None:
    always = SETTINGS.model_copy(update={"vqa_planner": VqaPlannerSettings(path=fixed)})
    ran = await ask("A" if option != "A" else "D", settings=always)
    assert ran.nodes == [*BEFORE, *PATHS[option][2]]
    assert ran.asked["planner"] == []
    assert (ran.values["path"]["planned"], ran.values["path"]["option"]) == (None, option)


@pytest.mark.parametrize(("planned", "run"), [("B", "A"), ("D", "C")])
async def test_without_a_picture_the_rest_of_the_path_runs(planned: str, run: str) -> None:
    ran = await ask(planned, picture=None)
    assert ran.nodes == [*BEFORE, *PATHS[run][2]]
    assert (ran.values["path"]["planned"], ran.values["path"]["option"]) == (planned, run)
    assert ran.failures == [("choose_path@0#picture", "PictureNeeded")]
    assert f"Path {run} runs instead" in ran.values["failures"][0]["message"]


async def test_an_unreadable_picture_is_as_none() -> None:
    content = b"not a picture"
    broken = hashlib.sha256(content).hexdigest()
    BlobStore(home()).put(broken, content)
    ran = await ask("D", picture=broken)
    assert ran.failures == [("check_picture@0", "PictureUnreadable"), ("choose_path@0#picture", "PictureNeeded")]
    assert ran.searched == [("text", UNSEEN)]
    assert ran.values["answer"]["text"] == ANSWER


@pytest.mark.parametrize(("picture", "run"), [("stored", "D"), (None, "C")])
async def test_a_planner_that_says_no_letter_rules_no_search_out(picture: str | None, run: str) -> None:
    ran = await ask("E", picture=picture)
    assert ran.failures == [("choose_path@0", "DecisionFailed")]
    assert ran.nodes == [*BEFORE, *PATHS[run][2]]
    assert ran.values["path"]["planned"] is None
    assert ran.values["answer"]["text"] == ANSWER


async def test_without_a_gold_query_the_question_is_searched_and_probabilities_of_a_planner_are_kept() -> None:
    shares = {"A": 0.1, "B": 0.2, "C": 0.6, "D": 0.1}
    failed = DecisionFailed("vqa_gold_query", "reader", "it points", charge(calls=3))
    ran = await ask(
        lambda inputs: {"option": "C", "probabilities": shares},
        script={"vqa_gold_query": lambda inputs: failed}, searches=ScriptedSearches({QUESTION: [PAGE]}),
    )  # fmt: skip
    assert ran.values["path"]["probabilities"] == shares
    assert ran.searched == [("text", QUESTION)]
    assert ran.failures == [("write_gold_query@0", "DecisionFailed")]
    assert ran.values["usage"]["write_gold_query@0"]["calls"] == 3
    assert ran.values["answer"]["text"] == ANSWER


async def test_searches_that_find_nothing_leave_own_knowledge() -> None:
    ran = await ask("D", searches=ScriptedSearches())
    assert ran.nodes == [*BEFORE, "search_images", *GOLD_AND_TEXT, "rank_all_evidence", "answer_alone"]
    assert [search["outcome"] for search in ran.values["searches"]] == ["empty", "empty"]
    assert ran.searched[1] == ("text", UNSEEN)  # nothing found tells what is seen
    assert ran.values["failures"] == []


async def test_failing_searches_are_recorded_and_the_answer_is_told_what_was_searched() -> None:
    one = await ask("D", searches=ScriptedSearches(PAGES, {PICTURE: SearchRejected("There is no key for SerpApi.")}))
    assert one.failures == [("search_images@1.0", "SearchRejected")]
    assert [search["outcome"] for search in one.values["searches"]] == ["failed", "found"]
    assert one.values["answer"]["text"] == ANSWER
    down = SearchUnavailable("The quota is used up.")
    unknown = {"answer": "I would need the name of the bridge.", "known": False, "confidence": 0.0}
    seen: list[Any] = []
    ran = await ask(
        "D",
        searches=ScriptedSearches({"*": down}, {PICTURE: down}),
        script={"answer_alone": lambda inputs: seen.append(inputs) or unknown},
    )
    assert ran.values["answer"]["abstained"]
    assert [failure[1] for failure in ran.failures] == ["SearchUnavailable", "SearchUnavailable"]
    assert all("quota" in line for line in seen[0].searched)


async def test_a_ceiling_reached_by_the_planner_ends_the_run() -> None:
    ran = await ask("D", settings=SETTINGS.model_copy(update={"budget": Budget(calls=1)}))
    assert ran.nodes == [*BEFORE, "answer_alone"]
    assert (ran.values["path"]["planned"], ran.values["path"]["option"]) == ("D", "A")
    assert ran.values["stop_reason"] == "budget:calls"
    assert ran.asked["reader"] == []  # the rules answer
    assert ran.values["answer"]["abstained"]


async def test_a_ceiling_of_steps_keeps_the_first_search() -> None:
    ran = await ask("D", settings=SETTINGS.model_copy(update={"budget": Budget(steps=1)}))
    assert ran.searched == [("image-by-picture", PICTURE)]
    assert ran.nodes == [*BEFORE, "search_images", "write_gold_query", "rank_all_evidence", "answer"]
    assert ran.values["stop_reason"] == "budget:steps"
    assert ran.values["answer"]["text"] == ANSWER


async def test_a_picture_belongs_to_its_question() -> None:
    toolbox, _, _ = scripted_toolbox()
    machine = build(toolbox).compile(checkpointer=InMemorySaver(serde=strict_serializer()))
    await machine.ainvoke({"question": QUESTION, "image": stored_picture(7)}, THREAD, context=SETTINGS)
    again: Any = {"question": "And its length?"}
    values = await machine.ainvoke(again, THREAD, context=SETTINGS)
    assert values["path"]["option"] == "C"  # the picture belonged to the first question


async def test_offline_another_language_and_no_provider_end_in_an_abstention() -> None:
    settings = Settings.model_validate({"web": {"provider": "none"}})
    values = await build(Toolbox()).compile().ainvoke(
        {"question": "这座桥是什么时候通车的？", "image": stored_picture(7)}, context=settings
    )  # fmt: skip
    assert values["path"]["option"] == "D"
    assert sum(values["path"]["probabilities"].values()) == pytest.approx(1, abs=1e-3)
    assert [search["outcome"] for search in values["searches"]] == ["failed", "failed"]
    assert len(values["failures"]) == 2
    assert values["answer"]["abstained"]
    assert values["answer"]["text"]


# --- real chat clients over HTTP ---------------------------------------------------------------------
def answering(option: object) -> Any:
    """A server's replies by what it is asked for: the path, the query, the answer."""

    def said(request: Received) -> Said:
        if "exactly one letter" in request.text:
            return reply(option)
        if "one query for a web search engine" in request.text:
            return reply({"gold_query": GOLD})
        offered = re.findall(r'"(web:[^"]+)"', request.text)
        citations = [{"component": offered[0], "row": None, "sentence": None}]
        return reply({"answer": "1931", "citations": citations, "supported": True, "confidence": 0.9})

    return said


async def ask_over_http(said: Callable[[Received], Said]) -> tuple[dict[str, Any], list[Received], ScriptedSearches]:
    searches = ScriptedSearches(PAGES, PICTURES)
    with OpenAIServer([said], forever=True) as server:
        model = f"openai-compatible:any@{server.url}"
        values = await build(Toolbox(open_searches=lambda settings: searches)).compile().ainvoke(
            {"question": QUESTION, "image": stored_picture(7)},
            context=Settings(planner=model, reader=model, variant="published"),
        )  # fmt: skip
        return values, list(server.chats), searches


async def test_one_letter_settles_the_path_and_every_call_sees_the_picture() -> None:
    values, chats, searches = await ask_over_http(answering({"option": "D", "why": "unknown bridge"}))
    assert values["path"]["option"] == values["path"]["planned"] == "D"
    assert searches.asked == [("image-by-picture", PICTURE), ("text", GOLD)]
    assert [len(chat.images) > 0 for chat in chats] == [True, True, True]
    assert PAGE.partition(": ")[2] in chats[2].text
    assert values["answer"]["text"] == "1931"
    assert values["failures"] == []


def with_logprobs(text: str, tokens: list[tuple[str, dict[str, float]]]) -> Said:
    """A reply whose tokens say how likely their rivals were."""
    content = [
        {
            "token": token,
            "bytes": None,
            "logprob": math.log(shares[token]),
            "top_logprobs": [
                {"token": other, "bytes": None, "logprob": math.log(share)} for other, share in shares.items()
            ],
        }
        for token, shares in tokens
    ]
    body = json.loads(reply(text).body)
    body["choices"][0]["logprobs"] = {"content": content, "refusal": None}
    return Said(json.dumps(body).encode())


def planning(said: Callable[[Received], Said]) -> Any:
    """A server's replies, its planner's by a function."""
    others = answering("A")
    return lambda request: said(request) if "exactly one letter" in request.text else others(request)


async def plan(said: Callable[[Received], Said]) -> tuple[dict[str, Any], list[Received]]:
    values, chats, _ = await ask_over_http(planning(said))
    return values, [chat for chat in chats if "exactly one letter" in chat.text]


SHARES = {"C": 0.6, "A": 0.2, "The": 0.2}


async def test_the_letters_probabilities_are_read_from_a_server_that_tells_them() -> None:
    tokens = [('{"option": "', {'{"option": "': 1.0}), ("C", SHARES), ('"}', {'"}': 1.0})]
    values, asked = await plan(lambda request: with_logprobs('{"option": "C"}', tokens))
    assert values["path"]["option"] == "C"
    assert values["path"]["probabilities"] == {"A": 0.25, "B": 0.0, "C": 0.75, "D": 0.0}
    assert [(chat.form, chat.body["logprobs"], chat.body["top_logprobs"]) for chat in asked] == [("schema", True, 20)]


async def test_a_trained_planner_behind_a_server_is_asked_as_it_was_trained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_BARE_LETTERS", "1")
    values, asked = await plan(lambda request: with_logprobs("C", [("C", SHARES)]))
    assert values["path"]["probabilities"] == {"A": 0.25, "B": 0.0, "C": 0.75, "D": 0.0}
    assert values["failures"] == []
    [chat] = asked
    assert chat.form == "text"
    trained_on = planner_prompt(QUESTION)
    assert chat.text == "\n".join(
        part if isinstance(part, str) else part["text"]
        for message in trained_on.messages
        for part in (message.content if isinstance(message.content, list) else [message.content])
        if isinstance(part, str) or part["type"] == "text"
    )


async def test_a_server_that_tells_no_probabilities_is_asked_without() -> None:
    def refusing(request: Received) -> Said:
        if "logprobs" in request.body:
            return error(400, "logprobs are not supported with this model.")
        return reply({"option": "C", "why": "known"})

    values, asked = await plan(refusing)
    assert (values["path"]["option"], values["path"]["probabilities"]) == ("C", {})
    assert ["logprobs" in chat.body for chat in asked] == [True, False]
    assert values["failures"] == []
