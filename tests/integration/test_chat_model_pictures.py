"""Pictures over real HTTP: sent small, dropped where a model takes none, and never blocking the loop."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from blockbuster import blockbuster_ctx
from loopback.openai_server import OpenAIServer, Said, error, reply
from PIL import Image

from backtrail.state.answer_decisions import ANSWER, AnswerInputs, EvidenceText
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import Decider, PictureAttachment

INPUTS = AnswerInputs(
    question="Which colour is the flag?",
    evidence=[EvidenceText(id="d#i0", modality="image", title="Flag", score=1.0, has_picture=True)],
)
READING = {
    "answer": "Red.",
    "citations": [{"component": "d#i0", "row": None, "sentence": None}],
    "supported": True,
    "confidence": 0.9,
}


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test1234")


def flag() -> PictureAttachment:
    file = io.BytesIO()
    Image.new("RGB", (2000, 1000), "red").save(file, "PNG")
    return PictureAttachment(file.getvalue(), "image/png", "d#i0")


def reader(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> Decider:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    return open_decider("openai:gpt-4o-mini", temperature=0)


async def test_pictures_arrive_small_with_their_labels_and_an_unreadable_one_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bad = PictureAttachment(b"nothing", "image/png", "d#i9")
    with OpenAIServer([reply(READING)]) as server:
        decided = await reader(server, monkeypatch).decide(ANSWER, INPUTS, [flag(), bad])
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
        decider = reader(server, monkeypatch)
        first = await decider.decide(ANSWER, INPUTS, [flag()])
        second = await decider.decide(ANSWER, INPUTS, [flag()])
    assert [len(chat.images) for chat in server.chats] == [1, 0, 0]
    assert (first.charge["calls"], second.charge["calls"]) == (2, 1)
    for decided in (first, second):
        assert any("pictures were left out" in note for note in decided.notes)


async def test_nothing_blocks_the_event_loop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BACKTRAIL_RPM", "1000")
    with OpenAIServer([error(500), reply("prose"), reply(READING)]) as server, blockbuster_ctx():
        monkeypatch.setenv("BACKTRAIL_RECORD", str(tmp_path))
        recorded = await reader(server, monkeypatch).decide(ANSWER, INPUTS, [flag()])
        monkeypatch.setenv("BACKTRAIL_REPLAY", str(tmp_path))
        replayed = await reader(server, monkeypatch).decide(ANSWER, INPUTS, [flag()])
    assert recorded.charge["calls"] == 3
    assert replayed.output == recorded.output
