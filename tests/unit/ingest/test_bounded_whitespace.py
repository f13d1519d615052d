"""Runs of white space are bounded, by parsers or where they end; code keeps its lines and its indentation."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from backtrail.ingest.discover import discover
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument
from backtrail.state.text.whitespace import LONGEST_RUN

GAP = " " * 3000
LINES = "\n" * 3000
LONG_RUN = " " * (LONGEST_RUN + 1)


def _notebook() -> bytes:
    cells = [
        {"cell_type": "markdown", "source": f"# Pump{GAP}A\n\nThe pump{GAP}is low."},
        {"cell_type": "code", "source": f"if low:\n        pump({GAP})"},
    ]
    return json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}).encode()


FILES = {
    "page.html": f"<h1>Pump{GAP}A</h1><p>The pump{GAP}is low.</p><pre>if low:\n        pump({GAP})</pre>".encode(),
    "page.md": f"# Pump{GAP}A\n\nThe pump{GAP}is low.{LINES}\n```\nif low:\n        pump({GAP})\n```\n".encode(),
    "page.rst": f"Pump A\n======\n\nThe pump{GAP}is low.\n\n::\n\n  if low:\n          pump({GAP})\n".encode(),
    "page.txt": f"The pump{GAP}is low.{LINES}The seal{GAP}is soft.".encode(),
    "page.csv": f"Pump,Litres{GAP}each\nA{GAP}1,120\n".encode(),
    "page.ipynb": _notebook(),
}


def _texts(parsed: ParsedDocument) -> Iterator[str]:
    yield from (parsed.document.title, parsed.document.summary)
    for component in parsed.components:
        yield from (component.section, component.text or "", *(link.anchor for link in component.links))
        if component.table is not None:
            yield component.table.caption
            yield from (cell for row in (component.table.header, *component.table.rows) for cell in row)


def _read(folder: Path) -> list[str]:
    documents = [one for source in discover([folder]).sources for one in parse(source)]
    return [text for one in documents if isinstance(one, ParsedDocument) for text in _texts(one)]


@pytest.mark.parametrize("name", FILES)
def test_every_kind_of_file(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    texts = _read(tmp_path)
    assert any(" ".join(text.split()).startswith(("The pump is low.", "A 1")) for text in texts)
    assert not [text for text in texts if LONG_RUN in text or "\n" * (LONGEST_RUN + 1) in text]
    assert b"if low" not in FILES[name] or any("if low:\n        pump(" in text for text in texts)
