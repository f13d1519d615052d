from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from backtrail.ingest.html.parse import parse_html
from backtrail.ingest.parsed import ParsedDocument

ParsePage = Callable[..., ParsedDocument]


@pytest.fixture
def page(tmp_path: Path) -> ParsePage:
    """Write a page and parse it."""

    def parse(markup: str | bytes, name: str = "page.html") -> ParsedDocument:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(markup if isinstance(markup, bytes) else markup.encode())
        return parse_html(path, name, tmp_path)

    return parse


def png(width: int = 40, height: int = 40, color: str = "red") -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (width, height), color).save(stream, format="PNG")
    return stream.getvalue()


@pytest.fixture
def picture() -> Callable[..., bytes]:
    """Bytes of a small PNG."""
    return png
