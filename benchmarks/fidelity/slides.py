"""Write known documents as decks: a slide per section and table, text left, tables and pictures below."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pptx
from pptx.util import Inches

from fidelity.source import Grid, Known, Section, Shown, Text

_ROWS = 40
"""Rows on one slide; longer tables continue on the next."""


def write_slides(known: Known, path: Path) -> None:
    """Write a deck; captions are boxes below pictures, and names of tables."""
    deck: Any = pptx.Presentation()
    slides = {section.heading: _slide(deck, section) for section in known.sections}
    for section in known.sections:
        slide, top = slides[section.heading], 1.6
        for block in section.blocks:
            if isinstance(block, Text):
                top = _text(slide, block, top, slides)
            elif isinstance(block, Grid):
                top = _tables(slide, block, top)
            else:
                top = _picture(slide, block, top)
    deck.save(str(path))


def _slide(deck: Any, section: Section) -> Any:
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = section.heading
    return slide


def _text(slide: Any, text: Text, top: float, slides: dict[str, Any]) -> float:
    box = slide.shapes.add_textbox(Inches(0.5), Inches(top), Inches(8), Inches(0.4))
    paragraph = box.text_frame.paragraphs[0]
    paragraph.add_run().text = text.words
    if text.link is not None and not text.link.target.startswith("#"):
        run = paragraph.add_run()
        run.text = f" {text.link.anchor}"
        run.hyperlink.address = text.link.target
    elif text.link is not None:
        jump = slide.shapes.add_textbox(Inches(0.5), Inches(top + 0.5), Inches(8), Inches(0.4))
        jump.text_frame.text = text.link.anchor
        jump.click_action.target_slide = slides[text.link.target[1:]]
        top += 0.6
    return top + 0.6


def _tables(slide: Any, grid: Grid, top: float) -> float:
    for start in range(0, len(grid.rows), _ROWS):
        rows = grid.rows[start : start + _ROWS]
        head = 2 if grid.groups else 1
        height = 0.3 * (head + len(rows))
        size = (Inches(0.5), Inches(top), Inches(8), Inches(height))
        frame = slide.shapes.add_table(head + len(rows), len(grid.header), *size)
        frame._element.nvGraphicFramePr.cNvPr.set("descr", grid.caption)
        _fill(frame.table, grid, rows, head)
        if start == 0:
            for first, last in grid.merged:
                frame.table.cell(head + last, 0).text = ""
                frame.table.cell(head + first, 0).merge(frame.table.cell(head + last, 0))
        top += height + 0.2
    return top


def _fill(table: Any, grid: Grid, rows: tuple[tuple[str, ...], ...], head: int) -> None:
    if grid.groups:
        column = 1
        for name, width in grid.groups:
            table.cell(0, column).text = name
            table.cell(0, column).merge(table.cell(0, column + width - 1))
            column += width
        table.cell(0, 0).merge(table.cell(1, 0))
    for column, name in enumerate(grid.header):
        table.cell(0 if grid.groups and column == 0 else head - 1, column).text = name
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            table.cell(head + number, column).text = text


def _picture(slide: Any, shown: Shown, top: float) -> float:
    picture = slide.shapes.add_picture(io.BytesIO(shown.png), Inches(0.5), Inches(top), Inches(2), Inches(1))
    picture._element.nvPicPr.cNvPr.set("descr", shown.alt)
    caption = slide.shapes.add_textbox(Inches(0.5), Inches(top + 1.1), Inches(8), Inches(0.3))
    caption.text_frame.text = shown.caption
    return top + 1.6
