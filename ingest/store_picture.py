"""Store the picture of a question, so that a run can refer to it."""

from __future__ import annotations

from pathlib import Path

from backtrail.ingest.images import check_picture
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.home import home


def store_picture(path: Path) -> str:
    """Check the picture of a question and store it in home; returns its SHA-256, by which a run refers to it.

    Raises:
        UnusablePicture: see ``check_picture``.
    """
    facts = check_picture(path)
    BlobStore(home()).put(facts.sha256, path)
    return facts.sha256
