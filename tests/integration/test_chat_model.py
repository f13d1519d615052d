"""The chat-model decider over real HTTP, against every way a server can behave; and the pictures that it sends."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from blockbuster import blockbuster_ctx
from loopback.openai_server import (
    Entry,
    OpenAIServer,
    Said,
    accepting,
    completion,
    error,
    late,
    refusal,
    reply,
    usage,
)
from PIL import Image

from backtrail.state.answer_decisions import ANSWER, AnswerInputs, EvidenceText
from backtrail.state.fif.choice_decisions import SELECT_COMPONENTS, Candidate, SelectInputs
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import Decided, Decider, DecisionFailed, PictureAttachment
from backtrail.tools.errors import ModelRefused, ModelRejected

SECRET = "sk-verysecretkey123456"
INPUTS = SelectInputs(
    subtask="Which river?",
    candidates=[Candidate(index=i, id=f"c{i}", title=f"T{i}", text=f"text {i}", similarity=0.5) for i in range(3)],
    keep=2,
)
GOOD = {"choices": [{"index": 1, "id": "c1", "score": 0.9}]}
BAD_ID = {"choices": [{"index": 7, "id": "c7", "score": 0.9}]}


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("BACKTRAIL_TRIES", "3")
    monkeypatch.setattr(
        "backtrail.tools.deciders.requests.backoff.Backoff.wait", lambda self, n, after: min(after or 0, 0.2)
    )


def decider_at(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch, model: str = "gpt-5-mini") -> Decider:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    return open_decider(f"openai:{model}", temperature=0.2)


async def decide(decider: Decider, **kwargs: Any) -> Decided[Any]:
    return await decider.decide(SELECT_COMPONENTS, INPUTS, **kwargs)


async def test_native_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer([reply(GOOD, tokens=usage(1000, 200, cached=400))]) as server:
        decided = await decide(decider_at(server, monkeypatch))
    assert decided.output.choices[0].id == "c1"
    assert decided.decider == "openai:gpt-5-mini"
    assert decided.notes == ()
    charge = decided.charge
    assert (charge["calls"], charge["input_tokens"], charge["output_tokens"]) == (1, 1000, 200)
    assert charge["cost_usd"] == pytest.approx((600 * 0.25 + 400 * 0.025 + 200 * 2.0) / 1e6)
    assert charge["seconds"]["model"] > 0
    sent = server.chats[0]
    assert sent.form == "schema"
    assert sent.body["response_format"]["json_schema"]["strict"] is True
    assert not sent.body.get("stream")
    assert sent.headers["authorization"] == f"Bearer {SECRET}"


@pytest.mark.parametrize("tried", [["schema", "tool"], ["schema", "tool", "json"], ["schema", "tool", "json", "text"]])
async def test_the_ladder_is_learnt(tried: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer([accepting(tried[-1], content=GOOD)], forever=True) as server:
        first = await decide(decider_at(server, monkeypatch))
        assert [chat.form for chat in server.chats] == tried
        assert first.charge["calls"] == len(tried)
        second = await decide(decider_at(server, monkeypatch))  # another decider of the same model knows it too
    assert second.charge["calls"] == 1
    assert server.chats[-1].form == tried[-1]
    assert ["JSON schema" in chat.text for chat in (server.chats[0], server.chats[-1])] == [False, tried[-1] != "tool"]


async def test_a_server_that_ignores_the_format_is_read_anyway(monkeypatch: pytest.MonkeyPatch) -> None:
    written = "<think>maybe {'choices': []}?</think>Here is {my} choice: " + json.dumps(GOOD) + " I hope it helps."
    with OpenAIServer([reply(written)]) as server:
        decided = await decide(decider_at(server, monkeypatch))
    assert [choice.id for choice in decided.output.choices] == ["c1"]
    assert decided.charge["calls"] == 1


@pytest.mark.parametrize(
    ("bad", "named", "form"),
    [
        (BAD_ID, "Index 7 was not offered; offered are 0 to 2.", "schema"),  # the format was honoured, so it is kept
        ({"choices": [{"index": 1, "id": "c1", "score": 9}]}, "choices.0.score", "schema"),
        ("I would take the second one.", "", "text"),
    ],
)
async def test_what_is_wrong_is_asked_for_again(
    bad: Any, named: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIServer([reply(bad), reply(GOOD)]) as server:
        decided = await decide(decider_at(server, monkeypatch))
    assert decided.output.choices[0].id == "c1"
    assert (decided.charge["calls"], decided.charge["input_tokens"]) == (2, 200)
    assert named in server.chats[1].text
    assert server.chats[1].form == form


async def test_failure_after_asking_again_carries_the_charge(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        OpenAIServer([reply(BAD_ID)], forever=True) as server,
        pytest.raises(DecisionFailed, match="Index 7 was not offered") as caught,
    ):
        await decide(decider_at(server, monkeypatch))
    charge = caught.value.charge
    assert len(server.chats) == charge["calls"] == 3
    assert [chat.text.count("Its JSON schema") for chat in server.chats] == [0, 1, 1]  # it stays in sight
    assert (charge["input_tokens"], charge["output_tokens"]) == (300, 60)
    assert charge["cost_usd"] > 0


@pytest.mark.parametrize(
    "said",
    [
        refusal("I can't help with that."),
        completion({"content": ""}, "content_filter", usage()),
        error(400, "filtered", code="content_filter"),
    ],
)
async def test_refusals(said: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer([said]) as server, pytest.raises(ModelRefused) as caught:
        await decide(decider_at(server, monkeypatch))
    assert caught.value.__dict__["charge"]["calls"] == len(server.chats) == 1


@pytest.mark.parametrize("status", [429, 502])
async def test_transient_errors_are_tried_again_when_the_server_says(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIServer([error(status, retry_after="0.1"), error(status), reply(GOOD)]) as server:
        decided = await decide(decider_at(server, monkeypatch))
    assert decided.charge["calls"] == len(server.chats) == 3
    assert decided.charge["input_tokens"] == 100
    assert decided.charge["seconds"]["model"] >= 0.1


async def test_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_TIMEOUT", "0.3")
    with OpenAIServer([late(3.0, reply(GOOD)), reply(GOOD)]) as server:
        decided = await decide(decider_at(server, monkeypatch))
    assert decided.charge["calls"] == 2


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        (error(400, "maximum context length exceeded", code="context_length_exceeded"), "smaller k"),
        (error(401, f"Incorrect API key provided: {SECRET}"), "Check the API key"),
        (error(403, "not allowed"), "may not use this model"),
        (error(404, "model not found"), "Check the model's name"),
        (error(429, "You exceeded your current quota", code="insufficient_quota"), "no credit"),
        (Said(b"<html>Welcome</html>", headers={"Content-Type": "text/html"}), "not a chat completion"),
    ],
)
async def test_rejections_say_what_to_do(said: Entry, advice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer([said]) as server, pytest.raises(ModelRejected, match=advice) as caught:
        await decide(decider_at(server, monkeypatch))
    assert len(server.chats) == 1
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None  # a traceback would print what the server echoed


async def test_missing_usage_is_estimated_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer([reply(GOOD, no_usage=True)]) as server:
        decided = await decide(decider_at(server, monkeypatch))
    shown = sum(len(message["content"]) for message in server.chats[0].body["messages"])
    assert decided.charge["input_tokens"] == pytest.approx(shown / 4, abs=3)
    assert decided.charge["output_tokens"] > 5
    assert any("estimated" in note for note in decided.notes)


async def test_a_server_of_ones_own() -> None:
    with OpenAIServer([reply(GOOD)]) as server:
        decided = await decide(open_decider(f"openai-compatible:org/qwen@{server.url}", temperature=0))
    assert server.chats[0].body["model"] == "org/qwen"
    assert SECRET not in server.chats[0].headers["authorization"]
    assert decided.charge["cost_usd"] == 0
    assert any("no price is known for 'org/qwen'" in note for note in decided.notes)


# --- pictures --------------------------------------------------------------------------------------
PICTURED = AnswerInputs(
    question="Which colour is the flag?",
    evidence=[EvidenceText(id="d#i0", modality="image", title="Flag", score=1.0, has_picture=True)],
)
READING = {
    "answer": "Red.",
    "citations": [{"component": "d#i0", "row": None, "sentence": None}],
    "supported": True,
    "confidence": 0.9,
}


def flag() -> PictureAttachment:
    file = io.BytesIO()
    Image.new("RGB", (2000, 1000), "red").save(file, "PNG")
    return PictureAttachment(file.getvalue(), "image/png", "d#i0")


async def test_pictures_arrive_small_with_their_labels_and_an_unreadable_one_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bad = PictureAttachment(b"nothing", "image/png", "d#i9")
    with OpenAIServer([reply(READING)]) as server:
        decided = await decider_at(server, monkeypatch, "gpt-4o-mini").decide(ANSWER, PICTURED, [flag(), bad])
    assert decided.output.text == "Red."
    assert any("d#i9" in note for note in decided.notes)
    [sent] = server.chats[0].images
    with Image.open(io.BytesIO(sent)) as picture:
        assert picture.size == (1024, 512)
    content = server.chats[0].body["messages"][1]["content"]
    assert [part["type"] for part in content][:3] == ["text", "text", "image_url"]
    assert '"d#i0"' in content[1]["text"]


@pytest.mark.parametrize(
    "complaint",
    [
        error(400, "Invalid content type. image_url is only supported by certain models."),
        error(500, "image input is not supported by this server"),
        error(404, "No endpoints found that support image input"),
        error(422, "messages.1.content: Input should be a valid string"),
    ],
)
async def test_a_model_without_eyes(complaint: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer([complaint, reply(READING), reply(READING)]) as server:
        decider = decider_at(server, monkeypatch, "gpt-4o-mini")
        first = await decider.decide(ANSWER, PICTURED, [flag()])
        second = await decider.decide(ANSWER, PICTURED, [flag()])
    assert [len(chat.images) for chat in server.chats] == [1, 0, 0]
    assert (first.charge["calls"], second.charge["calls"]) == (2, 1)
    for decided in (first, second):
        assert any("pictures were left out" in note for note in decided.notes)


async def test_nothing_blocks_the_event_loop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BACKTRAIL_RPM", "1000")
    with OpenAIServer([error(500), reply("prose"), reply(READING)]) as server, blockbuster_ctx():
        monkeypatch.setenv("BACKTRAIL_RECORD", str(tmp_path))
        recorded = await decider_at(server, monkeypatch, "gpt-4o-mini").decide(ANSWER, PICTURED, [flag()])
        monkeypatch.setenv("BACKTRAIL_REPLAY", str(tmp_path))
        replayed = await decider_at(server, monkeypatch, "gpt-4o-mini").decide(ANSWER, PICTURED, [flag()])
    assert recorded.charge["calls"] == 3
    assert replayed.output == recorded.output
