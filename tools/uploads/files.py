"""Uploaded files: ``$BACKTRAIL_HOME/uploads/<corpus>/<file>``. A corpus of uploads is what its folder holds."""

from __future__ import annotations

import os
import shutil
import tempfile
import unicodedata
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from backtrail.state.errors import InputRefused
from backtrail.tools.home import corpus_folder, home

LONGEST_NAME = 200
"""Bytes of a file's name: file systems take 255, and what is written beside it needs some (ours)."""

_PART = ".part-"


@dataclass(frozen=True)
class UploadedFile:
    """A file with its size in bytes and when it came, seconds since 1970."""

    name: str
    size: int
    since: float


def uploads_folder(corpus: str) -> Path:
    """The folder of a corpus's files; there may be none.

    Raises:
        SettingsError: the name can name no corpus.
    """
    return home() / "uploads" / corpus_folder(corpus).name


def safe_name(name: str) -> str:
    """A client's name of a file, where it can be one here.

    Raises:
        InputRefused: it is empty, hidden, too long, or would lead elsewhere.
    """
    normal = unicodedata.normalize("NFC", name)
    printable = normal.isprintable() and not any(letter in normal for letter in '/\\:*?"<>|')
    if not normal.strip() or not printable or normal.startswith(".") or len(normal.encode()) > LONGEST_NAME:
        raise InputRefused(
            f"{name[:80]!r} cannot name a file here. Use a plain name with its ending, such as 'handbook.pdf', "
            f"of at most {LONGEST_NAME} bytes."
        )
    return normal


def uploaded_files(corpus: str) -> list[UploadedFile]:
    """The files of a corpus by name."""
    folder = uploads_folder(corpus)
    places = sorted(folder.iterdir()) if folder.is_dir() else []
    held = [place for place in places if place.is_file() and not place.name.startswith(".")]
    return [UploadedFile(place.name, (state := place.stat()).st_size, state.st_mtime) for place in held]


def corpora_with_files() -> list[str]:
    """Corpora that files were brought for, by name."""
    folder = home() / "uploads"
    return sorted(place.name for place in folder.iterdir() if place.is_dir()) if folder.is_dir() else []


def begin_upload(corpus: str) -> BinaryIO:
    """A file to be written in pieces, beside the others; ``end_upload`` gives it its name."""
    folder = uploads_folder(corpus)
    folder.mkdir(parents=True, exist_ok=True)
    return tempfile.NamedTemporaryFile(dir=folder, prefix=_PART, delete=False)  # type: ignore[return-value]


def end_upload(written: BinaryIO, name: str | None) -> None:
    """Put what was written under its name, in place of an earlier one; without a name, drop it."""
    place = Path(written.name)
    written.close()
    if name is None:
        place.unlink(missing_ok=True)
    else:
        os.replace(place, place.parent / safe_name(name))


def delete_file(corpus: str, name: str) -> bool:
    """Remove a file; whether there was one. The corpus follows with its next ingest."""
    place = uploads_folder(corpus) / safe_name(name)
    there = place.is_file()
    place.unlink(missing_ok=True)
    return there


def delete_files(corpus: str) -> None:
    """Remove all files of a corpus."""
    shutil.rmtree(uploads_folder(corpus), ignore_errors=True)


def size_of_all(corpus: str, but: Collection[str] = ()) -> int:
    """Bytes of all files of a corpus, of those that still come too, without those of these names."""
    folder = uploads_folder(corpus)
    places = [place for place in (folder.iterdir() if folder.is_dir() else ()) if place.name not in but]
    sizes = 0
    for place in places:
        with suppress(FileNotFoundError):  # it was moved or deleted just now
            sizes += place.stat().st_size
    return sizes


def stale_parts(corpus: str, before: float) -> Iterator[Path]:
    """Pieces of uploads that broke off before a moment."""
    folder = uploads_folder(corpus)
    for place in folder.glob(f"{_PART}*") if folder.is_dir() else ():
        if place.stat().st_mtime < before:
            yield place
