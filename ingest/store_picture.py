"""Store the picture of a question, so that a run can refer to it."""

from __future__ import annotations

from pathlib import Path

from backtrail.ingest.images import check_picture
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.home import home


def store_picture(path: Path) -> str:
    """Check a question's picture, store it in the home, and return its SHA-256, to which runs refer.

    Raises:
        UnusablePicture: see ``check_picture``.
    """
    facts = check_picture(path)
    BlobStore(home()).put(facts.sha256, path)
    return facts.sha256
