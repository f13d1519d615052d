"""Read a page before its layout: words, drawings and links."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field

import pypdfium2
import pypdfium2.raw as pdfium

from backtrail.ingest.pdf.annotations import LinkAnnotation, read_jumps
from backtrail.ingest.pdf.drawings import MAX_OBJECTS, Drawing, count_objects, read_drawing
from backtrail.ingest.pdf.fragments import Fragment, read_fragments
from backtrail.ingest.pdf.geometry import UPRIGHT, Frame, page_frame
from backtrail.ingest.pdf.glyphs import MAX_GLYPHS, read_glyphs
from backtrail.ingest.pdf.unreadable.damage import without_noise

MAX_FRAGMENTS = 30_000
"""Maximum of words per page."""

UNREADABLE = "its fonts do not say which letters they draw; ingest it with --ocr (needs Tesseract)"
_UNKNOWN = 20  # unknown letters: with more, and more than known ones, a page counts as unreadable


@dataclass
class PageWords:
    """Contents of a page before its layout.

    ``shown`` is the frame of the displayed page, ``frame`` that in which most text is upright. Fragments, drawing
    and the boxes of jumps are in ``frame``. ``aside`` has texts of other directions, by direction, each in its own
    frame. ``notes`` tell what was left out. A ``blank`` page has no drawing at all, or nothing but running heads and
    rules.
    """

    number: int
    shown: Frame
    frame: Frame
    turn: int
    fragments: list[Fragment]
    aside: dict[int, list[Fragment]]
    drawing: Drawing
    jumps: list[LinkAnnotation]
    notes: list[str] = field(default_factory=list)
    blank: bool = False
    unreadable: bool = False

    def leave_out_noise(self) -> None:
        """Remove letters that damaged contents draw in place of words."""
        for fragments in (self.fragments, *self.aside.values()):
            kept = without_noise(fragments)
            if len(kept) < len(fragments):
                self.notes.append("damaged: what its broken contents draw in place of words was left out")
                fragments[:] = kept


def read_words(document: pypdfium2.PdfDocument, number: int) -> PageWords:
    """Read the words of a page (counted from 1).

    Raises:
        pypdfium2.PdfiumError: the page cannot be loaded.
    """
    with closing(document[number - 1]) as page:
        shown = page_frame(page)
        with closing(page.get_textpage()) as text_page:
            glyphs, unknown = read_glyphs(text_page, shown)
        turns = Counter(glyph.turn for glyph in glyphs)
        turn = turns.most_common(1)[0][0] if turns else UPRIGHT
        frame = shown.turned(turn)
        by_turn = {way: read_fragments([glyph for glyph in glyphs if glyph.turn == way]) for way in turns}
        main = by_turn.pop(turn, [])
        notes = _notes(len(glyphs), len(main))
        unreadable = unknown > _UNKNOWN and unknown > len(glyphs)
        if unreadable:  # the known letters are only a few of each word
            main, by_turn = [], {}
            notes.append(UNREADABLE)
        main = main[:MAX_FRAGMENTS]
        objects = count_objects(page, MAX_OBJECTS)
        blank = not objects and not glyphs and not pdfium.FPDFPage_GetAnnotCount(page)
        if objects > MAX_OBJECTS:
            notes.append(f"has more than {MAX_OBJECTS} drawing objects; only its text was read, without pictures")
            drawing = Drawing()
        else:
            drawing = read_drawing(page, frame)
        jumps = read_jumps(document, page, frame)
    return PageWords(number, shown, frame, turn, main, by_turn, drawing, jumps, notes, blank, unreadable)


def _notes(letters: int, words: int) -> list[str]:
    notes = []
    if letters >= MAX_GLYPHS or words > MAX_FRAGMENTS:
        notes.append(f"has more than {MAX_GLYPHS} letters or {MAX_FRAGMENTS} words; the rest was not read")
    return notes
