"""What OCR is shown: grey, upright, of a good size, and never a picture beyond the bounds."""

import io

import pytest
from PIL import Image

from backtrail.tools.ocr.errors import OcrFailed
from backtrail.tools.ocr.page import GOOD_SIDE, LONGEST_SIDE, as_page


def packed(picture: Image.Image, kind: str = "PNG") -> bytes:
    stream = io.BytesIO()
    picture.save(stream, kind)
    return stream.getvalue()


def page(picture: Image.Image) -> Image.Image:
    shown = as_page(packed(picture))
    assert shown is not None
    return Image.open(io.BytesIO(shown.png))


def test_small_pictures_are_enlarged_and_large_ones_scaled_down() -> None:
    sizes = [(800, 400), (200, 100), (2_000, 1_000), (8_000, 2_000)]
    shown = [(GOOD_SIDE, GOOD_SIDE // 2), (600, 300), (2_000, 1_000), (LONGEST_SIDE, LONGEST_SIDE // 4)]
    assert [page(Image.new("RGB", size)).size for size in sizes] == shown


@pytest.mark.parametrize("mode", ["1", "LA", "P", "RGBA", "CMYK", "I;16"])
def test_every_kind_of_pixels_becomes_grey(mode: str) -> None:
    shown = as_page(packed(Image.new(mode, (40, 30)), "TIFF" if mode == "CMYK" else "PNG"))
    assert shown is not None
    assert Image.open(io.BytesIO(shown.png)).mode == "L"


def test_what_is_transparent_is_white_and_16_bits_keep_their_shades() -> None:
    assert page(Image.new("RGBA", (40, 30), (0, 0, 0, 0))).getextrema() == (255, 255)
    assert page(Image.new("I;16", (40, 30), 32_896)).getextrema() == (128, 128)
    assert page(Image.new("I;16", (40, 30), 65_535)).getextrema() == (255, 255)
    assert as_page(packed(Image.new("RGB", (500, 8)))) is None, "it is too small for letters"


def test_a_bomb_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backtrail.tools.corpus.open_picture.MAX_PIXELS", 40 * 30 - 1)
    with pytest.raises(OcrFailed, match="40 x 30 pixels, more than"):
        as_page(packed(Image.new("RGB", (40, 30))))


@pytest.mark.parametrize("content", [packed(Image.effect_noise((400, 300), 90))[:5_000], b"no picture"])
def test_a_damaged_file_is_said_to_be_so(content: bytes) -> None:
    with pytest.raises(OcrFailed, match="cannot be decoded"):
        as_page(content)
