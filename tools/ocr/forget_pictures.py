"""Delete the OCR results of deleted pictures."""

from __future__ import annotations

from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.home import cache_folder, corpora_folder

FOLDER = "ocr"
"""Folder of OCR results in the home's cache, by the picture's content."""


def forget_words() -> int:
    """Delete the OCR results of pictures that are in no corpus of this home; return their number.

    This includes pages of scanned files, whose pictures no corpus keeps. They are read again when their file is parsed
    again.
    """
    stored = {sha256 for corpus in corpora_folder().glob("*") for sha256 in BlobStore(corpus).held()}
    removed = 0
    for file in (cache_folder() / FOLDER).glob("*/??/*.json"):
        if file.stem not in stored:
            file.unlink(missing_ok=True)
            removed += 1
    return removed
