"""Corpora of the measurement: ingested again when documents or ingestion code changed, else reused."""

from __future__ import annotations

import shutil
import subprocess
import sys

from backtrail.ingest.prepare_document import TEXTS_VERSION
from backtrail.tools.atomic_file import write_atomically
from backtrail.tools.home import corpus_folder, home
from measure.digests import code, digest_of_files, ingestion
from measure.plan import Part
from measure.skipped import Skipped

VECTORS = "vectors"
"""The part of a corpus that is kept: vectors by the hash of their text."""


def make_corpus(part: Part) -> None:
    """Ingest the corpus of a part with this checkout, unless it is up to date.

    Raises:
        Skipped: its documents, or the program that reads its pictures, are not on this machine.
        CalledProcessError: the ingest failed.
    """
    folder = part.folder()
    if not folder.is_dir():
        raise Skipped(f"there is no {folder}. {part.task.setup}")
    if "--ocr" in part.ingest and shutil.which("tesseract") is None:
        raise Skipped("its pictures are read by Tesseract, which is not installed: apt-get install tesseract-ocr")
    made_of = _made_of(part)
    mark = home() / "made_of" / part.task.corpus
    if mark.exists() and mark.read_text() == made_of:
        return
    mark.unlink(missing_ok=True)
    clear(part.task.corpus)
    command = ["ingest", str(folder.resolve()), "--corpus", part.task.corpus, "--json", *part.ingest]
    # run in the home, so that no .env of the checkout is read
    subprocess.run(
        [sys.executable, "-m", "backtrail.cli.app", *command], check=True, cwd=home(), stdout=subprocess.DEVNULL
    )
    write_atomically(mark, made_of)


def clear(corpus: str) -> None:
    """Remove a corpus except its vectors."""
    folder = corpus_folder(corpus)
    for entry in folder.iterdir() if folder.is_dir() else ():
        if entry.is_dir() and entry.name != VECTORS:
            shutil.rmtree(entry)
        elif not entry.is_dir():
            entry.unlink()


def _made_of(part: Part) -> str:
    """Return a key of everything that a corpus depends on; for a knowledge graph, all code of the product."""
    by = code() if "--knowledge-graph" in part.ingest else ingestion()
    return " ".join([by, str(TEXTS_VERSION), digest_of_files([part.folder()]), *part.ingest])
