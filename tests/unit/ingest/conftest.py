import io
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from PIL import Image

from backtrail.ingest.discover import discover
from backtrail.ingest.html.parse import parse_html
from backtrail.ingest.markdown.parse import parse_markdown
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument

ParsePage = Callable[..., ParsedDocument]
ParseSite = Callable[[Mapping[str, str]], dict[str, ParsedDocument]]


@pytest.fixture
def page(tmp_path: Path) -> ParsePage:
    def parsed(markup: str | bytes, name: str = "page.html") -> ParsedDocument:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(markup if isinstance(markup, bytes) else markup.encode())
        return parse_html(path, name, tmp_path)

    return parsed


@pytest.fixture
def note(tmp_path: Path) -> ParsePage:
    def parsed(text: str, name: str = "note.md") -> ParsedDocument:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return parse_markdown(path, name, tmp_path)

    return parsed


@pytest.fixture
def site(tmp_path: Path) -> ParseSite:
    """Write files and parse them as an ingest would: documents by id. Those that end in ``.png`` get a picture each."""

    def parsed(files: Mapping[str, str]) -> dict[str, ParsedDocument]:
        root = tmp_path / "site"
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(png(color=_color(name)) if name.endswith(".png") else text.encode())
        read = (entry for source in discover([root]) for entry in parse(source))
        return {entry.document.id: entry for entry in read if isinstance(entry, ParsedDocument)}

    return parsed


def _color(name: str) -> str:
    return f"#{zlib.crc32(name.encode()) % 0x1000000:06x}"


def png(width: int = 40, height: int = 40, color: str = "red") -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (width, height), color).save(stream, format="PNG")
    return stream.getvalue()


@pytest.fixture
def picture() -> Callable[..., bytes]:
    return png
