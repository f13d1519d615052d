"""A command whose work is done stays until the vector index that it began is complete."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from backtrail.ingest.enrich import Enricher
from backtrail.ingest.pipeline import ingest


def test_an_ingest_of_changes_leaves_a_new_vector_index(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "chroma")
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(30):
        (pages / f"p{number}.md").write_text(f"# Page {number}\n\nPump {number} stands in hall {number}.\n")
    ingest([pages], "pages", enricher=Enricher())
    assert stores(home) == 1
    for number in range(8):  # more than a tenth of the vectors, and fewer than half of the documents
        (pages / f"p{number}.md").write_text(f"# Page {number}\n\nValve {number} is kept in the cellar.\n")
    command = [sys.executable, "-m", "backtrail.cli.app", "ingest", str(pages), "--corpus", "pages", "--no-ocr"]
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=True)
    assert "was not built" not in done.stderr
    assert stores(home) == 2


def stores(home: Path) -> int:
    folder = home / "corpora" / "pages" / "vector_index" / "contents"
    return sum(entry.is_dir() and not entry.suffix for entry in folder.iterdir())
