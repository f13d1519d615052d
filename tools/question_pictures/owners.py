"""Owners of questions' pictures: one empty file per owner.

``$BACKTRAIL_HOME/pictures/ab/<sha256>/<digest of the name>``. Everybody who sends a picture owns it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.home import home


def note_owner(sha256: str, owner: str) -> None:
    """Record an owner of a picture."""
    folder = _folder(sha256)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _digest(owner)).touch()


def is_owner(sha256: str, owner: str) -> bool:
    """Whether somebody owns a picture."""
    return (_folder(sha256) / _digest(owner)).exists()


def is_owned(sha256: str) -> bool:
    """Whether a picture has an owner; pictures found by a web search have none."""
    return _folder(sha256).exists()


def _folder(sha256: str) -> Path:
    BlobStore(home()).path(sha256)  # checks the name
    return home() / "pictures" / sha256[:2] / sha256


def _digest(owner: str) -> str:
    return hashlib.sha256(owner.encode()).hexdigest()[:32]
