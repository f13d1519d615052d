"""What OCR is shown, and how what it reads becomes a text."""

import io

import pytest
from PIL import Image

from backtrail.tools.ocr.errors import OcrFailed
from backtrail.tools.ocr.lines import MOST_CHARACTERS, joined, lines_of, merged
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


HEADER = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"


def table(*lines: tuple[str, int, str, int, int]) -> str:
    """A table of lines: block and line as 'block.line', confidence, words, left, top. Words are 10 pixels a letter."""
    rows = [HEADER, "1\t1\t0\t0\t0\t0\t0\t0\t800\t400\t-1\t"]
    for place, confidence, text, left, top in lines:
        block, line = place.split(".")
        for number, word in enumerate(text.split(), start=1):
            box = f"{left}\t{top}\t{10 * len(word)}\t20"
            rows.append(f"5\t1\t{block}\t1\t{line}\t{number}\t{box}\t{confidence}\t{word}")
            left += 10 * len(word) + 10
    return "\n".join(rows) + "\n"


def text(*lines: tuple[str, int, str, int, int]) -> str:
    return joined(lines_of(table(*lines)))


def test_labels_are_set_apart_and_rows_stay_rows() -> None:
    rows = ("1.1", 96, "Spirit 185 kg", 0, 0), ("1.2", 96, "Curiosity 899 kg", 0, 30), ("2.1", 96, "Rovers", 0, 90)
    assert text(*rows) == "Spirit 185 kg; Curiosity 899 kg; Rovers"


def test_running_text_goes_on_and_divided_words_are_whole_again() -> None:
    page = (
        ("1.1", 96, "The ferry leaves the harbour of", 0, 0),
        ("1.2", 96, "Lindau at seven and reaches Bre-", 0, 30),
        ("1.3", 96, "genz an hour later.", 0, 60),
        ("2.1", 96, "Tickets are sold on board.", 0, 120),
    )
    assert text(*page) == (
        "The ferry leaves the harbour of Lindau at seven and reaches Bregenz an hour later. Tickets are sold on board."
    )


def test_what_is_no_word_or_unsure_is_noise() -> None:
    assert text(("1.1", 59, "Crater", 0, 0), ("2.1", 96, "| = ~", 0, 40), ("3.1", 96, "x", 0, 80)) == ""
    assert text(("1.1", 89, "Rye", 0, 0), ("2.1", 90, "500", 0, 40), ("3.1", 60, "Vesta", 0, 80)) == "500; Vesta"
    assert text() == joined(lines_of("")) == ""
    beside = ("1.1", 91, "Quillberg", 0, 0), ("1.1", 30, "lighthouse of", 100, 0), ("2.1", 30, "lighthouse", 0, 90)
    assert text(*beside) == "Quillberg lighthouse", "an unsure word is believed beside a sure one"


def test_a_second_reading_completes_lines_and_adds_what_was_missed() -> None:
    first = lines_of(table(("1.1", 96, "Parts of", 0, 0), ("2.1", 96, "ion tail", 0, 90)))
    second = lines_of(
        table(("1.1", 96, "Parts of a comet", 0, 0), ("2.1", 96, "tail", 40, 90), ("3.1", 96, "nucleus", 300, 200))
    )
    assert joined(merged(first, second)) == "Parts of a comet; ion tail; nucleus"
    assert joined(merged([], second)) == "Parts of a comet; tail; nucleus"
    assert merged(first, []) == first


def test_a_long_text_is_cut_at_a_word() -> None:
    cut = text(*((f"{n}.1", 96, "seven words on every line of it", 0, 30 * n) for n in range(300)))
    assert MOST_CHARACTERS - 20 < len(cut) <= MOST_CHARACTERS
    assert cut.endswith("…")
    assert cut[:-1].split()[-1] in {"seven", "words", "on", "every", "line", "of", "it"}
