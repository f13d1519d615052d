from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.pdf.parse import parse_pdf

Draw = Callable[[Canvas], None]


@pytest.fixture
def drawn_all(tmp_path: Path) -> Callable[..., list[ParsedDocument]]:
    """Draw a PDF with a function and parse it; pages of 400 x 500 points unless told."""

    def parse(draw: Draw, title: str = "", pagesize=(400, 500), **options) -> list[ParsedDocument]:
        path = tmp_path / "file name.pdf"
        sheet = Canvas(str(path), pagesize=pagesize, **options)
        if title:
            sheet.setTitle(title)
        draw(sheet)
        sheet.save()
        return parse_pdf(path, "docs/file name.pdf")

    return parse


@pytest.fixture
def drawn(drawn_all) -> Callable[..., ParsedDocument]:
    """The same for a PDF that is one document."""

    def parse(draw: Draw, title: str = "", **options) -> ParsedDocument:
        (document,) = drawn_all(draw, title, **options)
        return document

    return parse
