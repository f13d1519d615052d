"""What OCR is shown: grey, upright, of a good size, and never a picture beyond the bounds."""

from __future__ import annotations

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


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        ((800, 400), (GOOD_SIDE, GOOD_SIDE // 2)),
        ((200, 100), (600, 300)),
        ((2_000, 1_000), (2_000, 1_000)),
        ((8_000, 2_000), (LONGEST_SIDE, LONGEST_SIDE // 4)),
    ],
)
def test_small_pictures_are_enlarged_and_large_ones_scaled_down(size: tuple[int, int], shown: tuple[int, int]) -> None:
    assert page(Image.new("RGB", size)).size == shown


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_every_kind_of_pixels_becomes_grey(mode: str) -> None:
    picture = Image.new("CMYK", (40, 30)) if mode == "CMYK" else Image.new(mode, (40, 30))
    shown = as_page(packed(picture, "TIFF" if mode == "CMYK" else "PNG"))
    assert shown is not None
    assert Image.open(io.BytesIO(shown.png)).mode == "L"


def test_what_is_transparent_is_white() -> None:
    assert page(Image.new("RGBA", (40, 30), (0, 0, 0, 0))).getextrema() == (255, 255)


def test_grey_of_16_bits_keeps_its_shades() -> None:
    assert page(Image.new("I;16", (40, 30), 32_896)).getextrema() == (128, 128)
    assert page(Image.new("I;16", (40, 30), 65_535)).getextrema() == (255, 255)


def test_a_picture_too_small_for_letters_is_not_shown() -> None:
    assert as_page(packed(Image.new("RGB", (500, 8)))) is None


def test_a_bomb_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backtrail.tools.corpus.open_picture.MAX_PIXELS", 40 * 30 - 1)
    with pytest.raises(OcrFailed, match="40 x 30 pixels, more than"):
        as_page(packed(Image.new("RGB", (40, 30))))


def test_a_damaged_file_is_said_to_be_so() -> None:
    with pytest.raises(OcrFailed, match="cannot be decoded"):
        as_page(packed(Image.effect_noise((400, 300), 90))[:5_000])
    with pytest.raises(OcrFailed, match="cannot be decoded"):
        as_page(b"no picture")
