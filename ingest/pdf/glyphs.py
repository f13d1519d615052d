"""Read the glyphs of a page by pdfium, with box, size and weight."""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

from backtrail.ingest.pdf.geometry import DOWN, UPRIGHT, Frame

MAX_GLYPHS = 200_000
"""Maximum of letters per page: fifty times a full page of small print."""

# By name alone: of 60 fonts in 667 files that are bold by pdfium's weight, which is a guess from stems, 3 are bold.
_BOLD = re.compile(r"bold|black|heavy|demi|bd(cn|it)?$|(sf|cm|ec|lm)\w{0,40}?bx|medi(ital)?$", re.I)
_HYPHEN = 0x2  # pdfium's mark for a hyphen at the end of a line
_SOFT_HYPHEN = 0xAD
_UNKNOWN = (0x0, 0xFFFD, 0xFFFE, 0xFFFF)
# Of the font size: the same letter drawn again this near simulates bold type. Off: 5 of 1,060 files have letters twice.
_DOUBLED = 0.1
_STACKED = 3  # minimum of letters below each other that make vertical text, as in 4 of 1,060 files


@dataclass(slots=True)
class Glyph:
    """A letter (or a letter of a ligature) in a frame in which it reads from left to right.

    ``base`` is the y of its baseline, ``turn`` the direction of its text on the page, ``spaced`` whether a space
    precedes it, ``object`` the number of its text object.
    """

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    base: float
    size: float
    bold: bool
    turn: int
    spaced: bool
    object: int


@dataclass(slots=True)
class _Style:
    size: float
    bold: bool
    turn: int
    key: int


def read_glyphs(text_page: Any, frame: Frame) -> tuple[list[Glyph], int]:
    """Return the letters of a page in drawing order, and the number of those without a Unicode value.

    Args:
        text_page: pdfium's text page.
        frame: map from the page's coordinates to the displayed page.
    """
    kept: dict[tuple[str, int, int], list[Glyph]] = {}
    glyphs: list[Glyph] = []
    unknown = 0
    for glyph in _drawn(text_page, frame):
        if glyph.text == "\ufffd":
            unknown += 1
        elif (twin := _twin(glyph, kept)) is not None and not (glyphs and _of_one_sign(glyphs[-1], glyph)):
            twin.bold = True
        else:
            glyphs.append(glyph)
    stand_vertical(glyphs, frame)
    return glyphs, unknown


def _drawn(text_page: Any, frame: Frame) -> Iterator[Glyph]:
    rect, x, y = pdfium.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    styles: dict[int | None, _Style] = {}
    fonts: dict[int | None, bool] = {}
    frames: dict[int, Frame] = {UPRIGHT: frame}
    # pdfium guesses spaces from the width of the font's own, and is right wherever letters do not touch. After letters
    # that lean to the right ("of"), the gap alone is too small: without it, a line of 21 in 45 real files had "ofthe".
    spaced = guessed = False
    reach = 0.0
    for index in range(min(pdfium.FPDFText_CountChars(text_page), MAX_GLYPHS)):
        code = pdfium.FPDFText_GetUnicode(text_page, index)
        if code in (0x20, 0x09, 0x0A, 0x0D, 0xA0, 0x3000) or 0x2000 <= code <= 0x200B:
            if pdfium.FPDFText_IsGenerated(text_page, index):
                guessed = code == 0x20
            else:
                spaced = True
            continue
        drawn = pdfium.FPDFText_GetTextObject(text_page, index)
        key = ctypes.cast(drawn, ctypes.c_void_p).value
        style = styles.get(key)
        if style is None:
            style = styles[key] = _style(text_page, index, drawn, frame, fonts, len(styles))
        if not style.size or not pdfium.FPDFText_GetLooseCharBox(text_page, index, rect):
            continue
        pdfium.FPDFText_GetCharOrigin(text_page, index, x, y)
        if style.turn not in frames:
            frames[style.turn] = frame.turned(style.turn)
        mapped = frames[style.turn]
        x0, top, x1, bottom = mapped.box(rect.left, rect.bottom, rect.right, rect.top)
        _, base = mapped.point(x.value, y.value)
        if bottom - top > 3 * style.size or bottom - top < 0.3 * style.size:  # off: 2 of 1,098 odd pages get worse
            top, bottom = base - 0.8 * style.size, base + 0.2 * style.size
        spaced = spaced or (guessed and x0 > reach)
        yield Glyph(_letter(code), x0, top, x1, bottom, base, style.size, style.bold, style.turn, spaced, style.key)
        spaced, guessed, reach = False, False, x1


def _letter(code: int) -> str:
    if code in (_HYPHEN, _SOFT_HYPHEN):
        return "-"
    if code in _UNKNOWN or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF or 0xE000 <= code <= 0xF8FF:
        return "\ufffd"
    letter = chr(code)
    return letter if letter.isprintable() else "\ufffd"


def _style(text_page: Any, index: int, drawn: Any, frame: Frame, fonts: dict[int | None, bool], number: int) -> _Style:
    """Return the common style of the letters of a text object."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(text_page, index, matrix)
    scale = math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
    size = pdfium.FPDFText_GetFontSize(text_page, index) * scale
    bold = False
    if drawn:
        font = pdfium.FPDFTextObj_GetFont(drawn)
        key = ctypes.cast(font, ctypes.c_void_p).value
        if key not in fonts:
            fonts[key] = _is_bold(font)
        bold = fonts[key] or pdfium.FPDFTextObj_GetTextRenderMode(drawn) == pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE
    if not math.isfinite(size):
        size = 0.0
    return _Style(abs(size), bold, frame.direction(matrix.a, matrix.b), number)


def _is_bold(font: Any) -> bool:
    name = ctypes.create_string_buffer(256)
    pdfium.FPDFFont_GetBaseFontName(font, name, 256)
    return bool(_BOLD.search(name.value.decode("utf-8", "replace")))


def _of_one_sign(last: Glyph, glyph: Glyph) -> bool:
    """Whether two letters come from one ligature: they have the same box."""
    return glyph.object == last.object and glyph.x0 == last.x0 and glyph.x1 == last.x1 and glyph.base == last.base


def _twin(glyph: Glyph, kept: dict[tuple[str, int, int], list[Glyph]]) -> Glyph | None:
    """Return the same letter drawn before in the same position."""
    near = _DOUBLED * glyph.size
    column, row = int(glyph.x0 // 4), int(glyph.base // 4)
    for cell in ((column, row), (column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)):
        for other in kept.get((glyph.text, *cell), ()):
            if abs(other.x0 - glyph.x0) <= near and abs(other.base - glyph.base) <= near and other.turn == glyph.turn:
                return other
    kept.setdefault((glyph.text, column, row), []).append(glyph)
    return None


def stand_vertical(glyphs: list[Glyph], frame: Frame) -> None:
    """Turn upright letters drawn below each other into vertical text, column by column from the right."""
    run: list[Glyph] = []
    for glyph in [*glyphs, None]:
        if run and glyph is not None and _below(run[-1], glyph):
            run.append(glyph)
            continue
        if len(run) >= _STACKED and any(_is_wide(one.text) for one in run):
            for one in run:
                _lay_down(one, frame)
        run = [glyph] if glyph is not None and glyph.turn == UPRIGHT else []


def _below(above: Glyph, glyph: Glyph) -> bool:
    middle = (above.x0 + above.x1) / 2 - (glyph.x0 + glyph.x1) / 2
    return (
        glyph.turn == UPRIGHT
        and abs(middle) <= 0.3 * glyph.size
        and 0.7 * glyph.size <= glyph.base - above.base <= 1.6 * glyph.size
    )


def _lay_down(glyph: Glyph, frame: Frame) -> None:
    x0, x1 = glyph.x0, glyph.x1
    middle = frame.width - (x0 + x1) / 2
    glyph.x0, glyph.x1 = glyph.top, glyph.bottom
    glyph.top, glyph.bottom = middle - glyph.size / 2, middle + glyph.size / 2
    glyph.base = middle + 0.3 * glyph.size
    glyph.turn = DOWN


def _is_wide(text: str) -> bool:
    return unicodedata.east_asian_width(text) in ("W", "F")
