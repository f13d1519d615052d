"""A command whose work is done stays until the vector index that it began is complete."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_an_ingest_of_changes_leaves_a_new_vector_index(tmp_path: Path) -> None:
    pages, home = tmp_path / "pages", tmp_path / "home"
    pages.mkdir()
    for number in range(30):
        (pages / f"p{number}.md").write_text(f"# Page {number}\n\nPump {number} stands in hall {number}.\n")
    ingest(pages, home)
    assert stores(home) == 1
    for number in range(8):  # more than a tenth of the vectors, and fewer than half of the documents
        (pages / f"p{number}.md").write_text(f"# Page {number}\n\nValve {number} is kept in the cellar.\n")
    ingest(pages, home)
    assert stores(home) == 2


def ingest(pages: Path, home: Path) -> None:
    environment = {**os.environ, "BACKTRAIL_HOME": str(home), "BACKTRAIL_VECTOR_STORE": "chroma"}
    command = [sys.executable, "-m", "backtrail.cli.app", "ingest", str(pages), "--corpus", "pages", "--no-ocr"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "was not built" not in done.stderr


def stores(home: Path) -> int:
    folder = home / "corpora" / "pages" / "vector_index" / "contents"
    return sum(entry.is_dir() and not entry.suffix for entry in folder.iterdir())
