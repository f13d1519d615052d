"""Pictures of requests: decoded within bounds, and from nowhere else than the request."""

import io
from pathlib import Path

import pytest
from fixtures.local_models import data_url
from fixtures.tiny_vlm import picture
from PIL import Image

from backtrail.tools.local.data_url import LONGEST_SIDE, decode_picture
from backtrail.tools.local.errors import RequestUnsuitable


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
