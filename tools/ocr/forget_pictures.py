"""Forget the OCR results of deleted pictures."""

from __future__ import annotations

from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.home import cache_folder, corpora_folder

FOLDER = "ocr"
"""Of the home's cache, where words are remembered by the picture's content."""


def forget_words() -> int:
    """Remove what was read in pictures that no corpus of this home holds; return how many went.

    Pages of scanned files are among them: no corpus keeps their pictures, so that none can be said to be needed. They
    are read again where their file is parsed again.
    """
    held = {sha256 for corpus in corpora_folder().glob("*") for sha256 in BlobStore(corpus).held()}
    removed = 0
    for file in (cache_folder() / FOLDER).glob("*/??/*.json"):
        if file.stem not in held:
            file.unlink(missing_ok=True)
            removed += 1
    return removed
