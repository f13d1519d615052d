"""Pictures of any client's form are kept, and in their place stands a reference."""

import io
from pathlib import Path
from typing import Any

import pytest
from fixtures.sent_pictures import FORMS, encoded
from langchain_core.messages import AIMessage, HumanMessage
from PIL import Image

from backtrail.graphs.model_alone import graph
from backtrail.state.errors import InputRefused
from backtrail.state.limits import limits
from backtrail.state.question_input import LOOK, check_input, question_in, read_messages
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.question_pictures.keep import LONGEST_SIDE, store_checked_picture
from backtrail.tools.question_pictures.owners import is_owned, is_owner
from backtrail.tools.question_pictures.receive import has_new_pictures, with_stored_pictures

WORDS = {"type": "text", "text": "What is this?"}
RED, BLUE = (200, 30, 30), (20, 40, 210)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path))
    return tmp_path


def asked(*blocks: Any, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": [*blocks, WORDS]}], **more}


def stored(home: Path, sha256: str) -> Image.Image:
    return Image.open(io.BytesIO(BlobStore(home).read(sha256)))


@pytest.mark.parametrize("form", FORMS)
def test_every_clients_form_is_understood(home: Path, form: str) -> None:
    sent = asked(FORMS[form](encoded(RED)))
    check_input(sent)
    assert has_new_pictures(sent)
    received = with_stored_pictures(sent, server="http://here")
    sha256 = received["image"]
    [picture, words] = received["messages"][0]["content"]
    assert picture == {
        "type": "image", "file_id": sha256, "mime_type": "image/png", "url": f"http://here/blobs/{sha256}",
    }  # fmt: skip
    assert words == WORDS
    assert stored(home, sha256).convert("RGB").getpixel((5, 5)) == RED
    assert not has_new_pictures(received), "what was kept is not kept again"
    assert with_stored_pictures(received, server="http://here") == received
    address = {"type": "image_url", "image_url": {"url": f"http://here/blobs/{sha256}?corpus=examples"}}
    assert with_stored_pictures(asked(address), server="http://here")["image"] == sha256


def test_every_form_of_a_message_is_understood() -> None:
    content: list[Any] = [FORMS["OpenAI"](encoded()), WORDS]
    for message in ({"role": "user", "content": content}, HumanMessage(content), ("user", content)):
        received = with_stored_pictures({"messages": [message]})
        [kept] = read_messages(received["messages"])
        assert kept.content == [{"type": "image", "file_id": received["image"], "mime_type": "image/png"}, WORDS]
    alone = {"messages": [{"role": "user", "content": content[:1]}]}
    check_input(alone)
    alone_words = read_messages(with_stored_pictures(alone)["messages"])
    assert question_in(None, alone_words) == question_in("", [], image=True) == LOOK
    earlier = [*alone["messages"], AIMessage("Red."), {"role": "user", "content": [WORDS]}]
    received = with_stored_pictures({"messages": earlier})
    assert received["image"] is None, "pictures of earlier messages are kept and not asked about"
    assert received["messages"][0]["content"][0]["file_id"]


def test_several_pictures_are_shown_as_one_sheet(home: Path) -> None:
    received = with_stored_pictures(asked(FORMS["OpenAI"](encoded(RED)), FORMS["Anthropic"](encoded(BLUE))))
    references = [block["file_id"] for block in received["messages"][0]["content"][:2]]
    assert received["image"] not in references
    seen = {colour for _, colour in stored(home, received["image"]).convert("RGB").getcolors(10**6) or []}
    assert {RED, BLUE} <= seen


def test_more_pictures_than_can_be_made_out_are_refused() -> None:
    many = [FORMS["OpenAI"](encoded((number, 0, 0))) for number in range(limits().pictures + 1)]
    with pytest.raises(InputRefused, match="9 pictures"):
        with_stored_pictures(asked(*many))


def test_what_is_kept_is_written_anew(home: Path) -> None:
    exif = Image.Exif()
    exif[0x010E] = "where it was taken"
    exif[0x0112] = 6  # lies on its side
    kept = store_checked_picture(encoded(kind="JPEG", exif=exif) + b"<script>alert(1)</script>", None)
    content = BlobStore(home).read(kept.sha256)
    assert b"taken" not in content
    assert b"script" not in content
    assert (kept.width, kept.height) == (60, 80)
    packed = io.BytesIO()
    Image.new("RGB", (LONGEST_SIDE * 2, 50)).save(packed, "PNG")
    assert store_checked_picture(packed.getvalue(), None).width == LONGEST_SIDE


@pytest.mark.parametrize(
    ("block", "problem"),
    [
        ({"type": "image", "base64": "%%%"}, "not valid base64"),
        ({"type": "image", "base64": "bm90IGEgcGljdHVyZQ=="}, "cannot be read"),
        ({"type": "image"}, "without content"),
        ({"type": "image_url", "image_url": {"url": "data:image/svg+xml,<svg/>"}}, "not valid base64"),
        ({"type": "image_url", "image_url": {"url": "https://a.example/x.png"}}, "BACKTRAIL_PICTURE_URLS"),
        ({"type": "image", "url": "file:///etc/passwd"}, "BACKTRAIL_PICTURE_URLS"),
        ({"type": "image", "file_id": "ab" * 32}, "There is no picture"),
        ({"type": "image", "id": "photo-1"}, "by the id 'photo-1'"),
        ({"type": "image", "file_id": "file-abc"}, "by the id 'file-abc'.*POST /pictures"),
        ({"type": "image_file", "image_file": {"file_id": "file-abc"}}, "type 'image_file', which is not read"),
        ({"type": "media", "mime_type": "image/png", "data": "aGk="}, "type 'media', which is not read"),
        ({"type": "input_text", "text": "Which?"}, "type 'input_text', which is not read.*of the type 'text'"),
        ({"type": "file", "mimeType": "application/pdf", "data": "JVBERg=="}, "ingest other files"),
    ],
)
def test_what_is_no_picture_is_refused_in_words(block: Any, problem: str) -> None:
    assert has_new_pictures(asked(block))
    for message in (
        {"role": "user", "content": [block, WORDS]},
        ("human", [block, WORDS]),
        HumanMessage([block, WORDS]),
    ):
        with pytest.raises(InputRefused, match=problem):
            with_stored_pictures({"messages": [message]})


@pytest.mark.parametrize("block", [{"type": "image", "id": "photo-1"}, {"type": "image_file", "file_id": "a"}])
async def test_a_picture_that_is_not_read_ends_a_run_before_it_begins(block: Any) -> None:
    sent = asked(block)
    with pytest.raises(InputRefused, match="POST /pictures"):
        check_input(sent)
    with pytest.raises(InputRefused, match="POST /pictures"):
        await graph.ainvoke(sent)


def test_what_models_say_is_taken_as_it_is() -> None:
    spoken = AIMessage([{"type": "reasoning", "text": "Hm."}, {"type": "text", "text": "Red."}])
    sent = {"messages": [{"role": "user", "content": "What?"}, spoken, {"role": "user", "content": [WORDS]}]}
    check_input(sent)
    assert with_stored_pictures(sent)["messages"][1] == spoken


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "http://127.0.0.1:1/x.png", "http://169.254.169.254/", "https://["]
)
def test_addresses_are_fetched_like_pages_of_strangers(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("BACKTRAIL_PICTURE_URLS", "yes")
    with pytest.raises(InputRefused, match="cannot be fetched"):
        with_stored_pictures(asked({"type": "image", "url": url}))


def test_a_picture_is_its_owners() -> None:
    sent = asked(FORMS["OpenAI"](encoded()))
    received = with_stored_pictures(sent, owner="anna")
    sha256 = received["image"]
    assert is_owner(sha256, "anna")
    assert with_stored_pictures({"question": "What?", "image": sha256}, owner="anna")["image"] == sha256
    for naming in ({"question": "What?", "image": sha256}, asked({"type": "image", "file_id": sha256})):
        with pytest.raises(InputRefused, match="There is no picture"):
            with_stored_pictures(naming, owner="bert")
    with_stored_pictures(sent, owner="bert")
    assert is_owner(sha256, "bert"), "who sends the same picture owns it too"
    assert not is_owned("cd" * 32)


@pytest.mark.parametrize("image", ["ab" * 32, "../../settings.toml", "x" * 10_000])
def test_an_unknown_picture_is_an_error(image: str) -> None:
    with pytest.raises(InputRefused, match="There is no picture"):
        with_stored_pictures({"question": "What?", "image": image})
