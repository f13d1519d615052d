"""What a person says in a chat that is no question, or corrects the last one."""

import json
import re
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from backtrail.graphs.methods import METHODS
from backtrail.nodes.streaming.small_talk import AT_ONCE
from backtrail.nodes.streaming.small_talk_replies import REPLIES
from backtrail.state.answer_decisions import ContextualizeInputs, Turn
from backtrail.state.chat.answer_payload import payload_of
from backtrail.state.settings import Settings
from backtrail.tools.checkpoints.serializer import strict_serializer
from backtrail.tools.corpus.errors import CorpusNotFound, PagesMissing
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

pytestmark = pytest.mark.usefixtures("in_offline_home")

TINY = Settings(corpus="tiny")


def chat(method: str = "bm25") -> Any:
    saver = InMemorySaver(serde=strict_serializer())
    graph = METHODS[method].build(Toolbox()).compile(name=method, checkpointer=saver)

    async def say(text: str, settings: Settings = TINY) -> Any:
        config: Any = {"configurable": {"thread_id": "t"}}
        return await graph.ainvoke({"messages": [("user", text)]}, config, context=settings)

    return say


@pytest.mark.parametrize("method", METHODS)
async def test_every_method_answers_small_talk_without_a_search(method: str) -> None:
    say = chat(method)
    values = await say("Danke!")
    assert values["messages"][-1].content == REPLIES["de"]["thanks"]
    assert (values["stop_reason"], values["ranking"], values["evidence"]) == (AT_ONCE, [], {})
    assert values["answer"]["abstained"] is False
    if method == "page_images":
        with pytest.raises(PagesMissing):  # the corpus has no page vectors
            await say("When was Voyager 2 launched?")
        return
    asked = await say("When was Voyager 2 launched?")
    assert asked["stop_reason"] != AT_ONCE, "the next question is a question"
    if method in ("dense", "bm25", "hybrid", "dense_multimodal", "lilac", "ircot"):
        assert "1977" in asked["answer"]["text"]


@pytest.mark.parametrize("method", ["fif", "lilac", "ircot", "hybrid", "cogplanner", "mmapg", "hm_rag", "vqa_planner"])
async def test_the_next_question_of_a_thread_starts_from_an_empty_memory(method: str) -> None:
    first, second = "When was Cassini launched?", "When was Voyager 2 launched?"
    say = chat(method)
    await say(first)
    later, alone = await say(second), await chat(method)(second)
    kept = (*METHODS[method].records, "ranking", "evidence", "failures", "stop_reason", "answer")
    examples = [
        json.loads(re.sub(r'"seconds": [^,}]*', '"seconds": 0', json.dumps(one)))
        for one in ({key: values.get(key) for key in kept} for values in (later, alone))
    ]
    assert examples[0] == examples[1]
    assert [message.type for message in later["messages"]] == ["human", "ai", "human", "ai"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [("What can you answer?", "4 documents with 8 texts"), ("was weißt du", "4 Dokumente mit 8 Texten")],
)
async def test_what_can_be_asked_is_told_from_the_corpus(asked: str, expected: str) -> None:
    values = await chat()(asked)
    assert expected in values["messages"][-1].content
    assert "- About voyager" in values["messages"][-1].content
    with pytest.raises(CorpusNotFound, match="nowhere"):
        await chat()(asked, Settings(corpus="nowhere"))


async def test_a_correction_asks_the_last_question_as_it_was_meant() -> None:
    say = chat()
    await say("When was Voyager 2 launched?")
    assert (await say("No, I meant Cassini."))["question"] == "When was Cassini launched?"
    assert (await say("Thank you"))["stop_reason"] == AT_ONCE
    assert (await say("And Voyager 2?"))["question"] == "When was Voyager 2 launched?"


@pytest.mark.parametrize("method", ["fif", "bm25"])
async def test_of_several_questions_the_first_is_answered_and_the_others_are_named(method: str) -> None:
    first, second = "When was Voyager 2 launched?", "What did its camera weigh?"
    say = chat(method)
    values = await say(f"{first} {second}")
    message = values["messages"][-1]
    payload = payload_of(message)
    assert payload
    assert (values["question"], payload.get("other_questions")) == (first, [second])
    assert "1977" in message.content
    assert f"- {second}" in message.content
    values = await say(second)
    assert "Voyager 2" in values["question"], "asked next, it is read with what was said before"
    assert payload_of(values["messages"][-1]).get("other_questions") is None  # type: ignore[union-attr]


async def test_a_model_is_asked_all_questions_at_once() -> None:
    asked = "When was Voyager 2 launched? What did its camera weigh?"
    published = await chat()(asked, TINY.model_copy(update={"variant": "published"}))
    assert published["question"] == asked, "as published nothing is taken apart"


@pytest.mark.parametrize("form", ["question", "messages"])
async def test_a_rewrite_stands_beside_the_persons_words_and_a_failed_one_is_dropped(form: str) -> None:
    said = ["When was Voyager 2 launched?", "And its camera?", "And then?"]
    seen: list[list[Turn]] = []

    def rewrite(inputs: ContextualizeInputs) -> dict[str, Any]:
        seen.append(inputs.conversation)
        return {"question": "Which camera has Voyager 2?" if len(seen) == 2 else "???"}

    saver = InMemorySaver(serde=strict_serializer())
    for text in (said[0], said[1], said[1], said[2]):  # each turn goes on from the checkpoint, in another graph
        decider = ScriptedDecider({"contextualize": rewrite})
        toolbox = Toolbox(open_decider=lambda model, settings, decider=decider: decider)
        graph = METHODS["bm25"].build(toolbox).compile(checkpointer=saver)
        asked = {"question": text} if form == "question" else {"messages": [("user", text)]}
        settings = Settings(corpus="tiny", planner="scripted")
        values = await graph.ainvoke(asked, {"configurable": {"thread_id": "t"}}, context=settings)
    human = [(turn.text, turn.standalone) for turn in seen[-1] if turn.speaker == "human"]
    assert human == [(said[0], ""), (said[1], ""), (said[1], "Which camera has Voyager 2?")]
    assert values["question"] == said[2]
    assert [message.text for message in values["messages"][::2]] == [said[0], said[1], said[1], said[2]]
