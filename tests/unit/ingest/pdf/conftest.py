from collections.abc import Callable
from pathlib import Path

import pytest
from fixtures.drawn_pdf import Step
from reportlab.pdfgen.canvas import Canvas

from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.pdf.parse import parse_pdf


@pytest.fixture
def drawn_all(tmp_path: Path) -> Callable[..., list[ParsedDocument]]:
    """Draw a PDF in some steps and parse it; pages of 400 x 500 points."""

    def parse(*steps: Step, title: str = "", **options) -> list[ParsedDocument]:
        path = tmp_path / "file name.pdf"
        sheet = Canvas(str(path), pagesize=(400, 500), **options)
        if title:
            sheet.setTitle(title)
        for step in steps:
            step(sheet)
        sheet.save()
        return parse_pdf(path, "docs/file name.pdf")

    return parse


@pytest.fixture
def drawn(drawn_all) -> Callable[..., ParsedDocument]:
    """The same for a PDF that is one document."""

    def parse(*steps: Step, **options) -> ParsedDocument:
        (document,) = drawn_all(*steps, **options)
        return document

    return parse
