"""Local models: their pictures come from the request alone, their text goes out in whole pieces, their environment."""

import io
from pathlib import Path

import pytest
from fixtures.local_models import data_url
from fixtures.tiny_vlm import picture
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from backtrail.tools.errors import SettingsError
from backtrail.tools.local.data_url import LONGEST_SIDE, decode_picture
from backtrail.tools.local.errors import RequestUnsuitable
from backtrail.tools.local.options import LocalOptions, local_options
from backtrail.tools.local.stream_text import TokenDecoder


def test_a_picture_comes_out_small_in_colours_and_on_white() -> None:
    decoded = decode_picture(data_url(picture(size=(3000, 1500))))
    assert (decoded.mode, decoded.size) == ("RGB", (LONGEST_SIDE, LONGEST_SIDE // 2))
    packed = io.BytesIO()
    Image.new("RGBA", (4, 4), (0, 0, 0, 0)).save(packed, "PNG")
    assert decode_picture(data_url(packed.getvalue())).getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize("url", ["https://example.org/a.png", "file://{file}", "{file}", "data:text/html,x", ""])
def test_nothing_is_fetched_or_opened(url: str, tmp_path: Path) -> None:
    file = tmp_path / "a.png"
    file.write_bytes(picture())
    with pytest.raises(RequestUnsuitable, match=r"must be a data URL.*nothing is fetched or opened"):
        decode_picture(url.replace("{file}", str(file)))


def bomb() -> bytes:
    packed = io.BytesIO()
    Image.new("1", (9000, 9000)).save(packed, "PNG")
    return packed.getvalue()


@pytest.mark.parametrize("content", [b"", b"no picture", picture()[:40], bomb(), b"<svg/>", None])
def test_what_is_no_picture_is_said(content: bytes | None) -> None:
    url = "data:image/png;base64,AA*A" if content is None else data_url(content)
    with pytest.raises(RequestUnsuitable, match="cannot be decoded"):
        decode_picture(url)


class Bytes:
    """A tokenizer with a token for each byte: letters of other scripts take several."""

    def decode(self, tokens: list[int], **_: object) -> str:
        return bytes(tokens).decode("utf-8", "replace")


def heard(text: bytes, *stop: str) -> tuple[list[str], TokenDecoder]:
    spoken = TokenDecoder(Bytes(), stop)
    pieces: list[str] = []
    for token in text:
        pieces.append(spoken.hear(token))
        if spoken.stopped:
            break
    return [*pieces, spoken.end()], spoken


@given(st.text(alphabet=st.characters(exclude_characters="\ufffd", codec="utf-8")))
def test_the_pieces_are_the_text(text: str) -> None:
    pieces, spoken = heard(text.encode())
    assert "".join(pieces) == spoken.text == text


@example("aca", ["c", "aca"])
@given(st.text("ab\nc"), st.lists(st.text("ab\nc", min_size=1, max_size=3), max_size=2))
def test_nothing_of_a_stop_sequence_gets_out(text: str, stop: list[str]) -> None:
    # A model writes no further than the first sequence that is complete: a longer one may have begun before it.
    written = next((text[:end] for end in range(len(text) + 1) if any(one in text[:end] for one in stop)), text)
    places = [written.find(one) for one in stop if one in written]
    pieces, spoken = heard(text.encode(), *stop)
    assert "".join(pieces) == spoken.text == text[: min(places, default=len(text))]


def test_letters_of_several_tokens_come_whole_and_the_beginning_of_a_stop_sequence_waits() -> None:
    assert heard("Zürich".encode())[0] == ["Z", "", "ü", "r", "i", "c", "h", ""]
    assert heard(b"a\xff")[0] == ["a", "", "\ufffd"], "bytes that are no text are given out at the end"
    assert heard(b"x\n", "\n\n")[0] == ["x", "", "\n"]
    assert heard(b"x\ny", "\n\n")[0] == ["x", "", "\ny", ""]


def test_variables_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("DEVICE", "cuda:1"), ("DTYPE", "bfloat16"), ("BATCH", "2"), ("TOKENS", "64"), ("PREFIX", "0")):
        monkeypatch.setenv(f"BACKTRAIL_LOCAL_{name}", value)
    assert local_options() == LocalOptions("cuda:1", "bfloat16", 2, 64, 0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEVICE", "cuda:x"),
        ("DTYPE", "int4"),
        ("BATCH", "0"),
        ("TOKENS", "many"),
        ("PREFIX", "-1"),
    ],
)
def test_what_cannot_be_used_is_named(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"BACKTRAIL_LOCAL_{name}", value)
    with pytest.raises(SettingsError, match=f"BACKTRAIL_LOCAL_{name}='{value}'"):
        local_options()
