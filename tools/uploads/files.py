"""Uploaded files: ``$BACKTRAIL_HOME/uploads/<corpus>/<path>``. A corpus is ingested from its folder."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from filelock import FileLock

from backtrail.state.errors import InputRefused
from backtrail.tools.home import corpus_folder, home

LONGEST_NAME = 200
"""Bytes of a file's name: file systems allow 255, and temporary names need some (ours)."""

DEEPEST = 16
"""Folders of a file's path (ours)."""

_PART = ".part-"
_SLASH = "|"
"""Stands for "/" in names of partial uploads; no name of a file has it."""


@dataclass(frozen=True)
class UploadedFile:
    """An uploaded file by its path in the folder, with its size in bytes and upload time in seconds since 1970."""

    name: str
    size: int
    uploaded_at: float


def uploads_folder(corpus: str) -> Path:
    """The folder of a corpus's files, which may not exist.

    Raises:
        SettingsError: not a valid name of a corpus.
    """
    return home() / "uploads" / corpus_folder(corpus).name


def safe_name(name: str) -> str:
    """Normalize and check a client's file name, which may be a path below the folder of its corpus.

    Raises:
        InputRefused: it or one of its folders is empty or hidden; it is too long, too deep, or not printable.
    """
    normal = unicodedata.normalize("NFC", name)
    parts = normal.split("/")
    printable = normal.isprintable() and not any(letter in normal for letter in '\\:*?"<>|')
    sound = all(part.strip() and not part.startswith(".") for part in parts) and len(parts) <= DEEPEST
    if not printable or not sound or len(normal.encode()) > LONGEST_NAME:
        raise InputRefused(
            f"{name[:80]!r} cannot name a file here. Use a plain name or path such as 'guide/start.pdf', "
            f"of at most {LONGEST_NAME} bytes."
        )
    return normal


def uploaded_files(corpus: str) -> list[UploadedFile]:
    """The files of a corpus, sorted by path."""
    folder = uploads_folder(corpus)
    found = list[UploadedFile]()
    for place in sorted(folder.rglob("*")):
        with suppress(FileNotFoundError):  # deleted meanwhile
            if place.is_file() and not place.name.startswith("."):
                name = place.relative_to(folder).as_posix()
                found.append(UploadedFile(name, (state := place.stat()).st_size, state.st_mtime))
    return found


def corpora_with_files() -> list[str]:
    """Names of corpora with uploads, sorted."""
    folder = home() / "uploads"
    return sorted(place.name for place in folder.iterdir() if place.is_dir()) if folder.is_dir() else []


@contextmanager
def uploads_lock() -> Iterator[None]:
    """Lock uploads, so that no other thread or process adds a file after a count."""
    folder = home() / "uploads"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / ".lock"):
        yield


def begin_upload(corpus: str, name: str, size: int) -> BinaryIO:
    """Open a file for an upload; its name and size count until ``end_upload`` or the end of the process.

    Args:
        size: expected bytes; 0 where unknown.
    """
    folder = uploads_folder(corpus)
    folder.mkdir(parents=True, exist_ok=True)
    suffix = f"-{safe_name(name).replace('/', _SLASH)}"
    written = tempfile.NamedTemporaryFile(dir=folder, prefix=_PART, suffix=suffix, delete=False)  # noqa: SIM115
    fcntl.flock(written, fcntl.LOCK_EX)  # released by the system when the process ends
    written.truncate(size)
    return written  # type: ignore[return-value]


def end_upload(written: BinaryIO, name: str | None) -> None:
    """Store an upload under its name, replacing an earlier file; without a name, delete it.

    Raises:
        InputRefused: the corpus was deleted meanwhile; a folder is in the place of the file, or the other way round.
    """
    place = Path(written.name)
    with written:
        if name is None:
            place.unlink(missing_ok=True)
            return
        written.truncate()
        written.flush()
        target = place.parent / safe_name(name)
        try:
            if target.parent != place.parent and place.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(place, target)
        except FileNotFoundError:
            raise InputRefused(f"The corpus was deleted while {name!r} was uploaded.") from None
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            raise InputRefused(f"{name!r} needs a name that a file or folder here has. Rename one of them.") from None


def pending_uploads(corpus: str, excluded: str = "") -> list[UploadedFile]:
    """Uploads in progress in all processes. Those of dead processes are deleted. Needs ``uploads_lock``.

    Args:
        excluded: path of one that is not counted.
    """
    folder, found = uploads_folder(corpus), list[UploadedFile]()
    for place in folder.glob(f"{_PART}*") if folder.is_dir() else ():
        if str(place) == excluded:
            continue
        with suppress(FileNotFoundError), place.open("rb") as part:  # it may end meanwhile
            if _is_held(part):
                state = os.fstat(part.fileno())
                name = place.name.split("-", 2)[2].replace(_SLASH, "/")
                found.append(UploadedFile(name, state.st_size, state.st_mtime))
            else:
                place.unlink()
    return found


def _is_held(part: BinaryIO) -> bool:
    try:
        fcntl.flock(part, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def delete_file(corpus: str, name: str) -> bool:
    """Delete a file; return whether it existed. The next ingest updates the corpus."""
    folder = uploads_folder(corpus)
    place = folder / safe_name(name)
    with uploads_lock():
        existed = place.is_file()
        if existed:
            place.unlink()
        for emptied in place.parents[: len(place.relative_to(folder).parts) - 1]:
            with suppress(OSError):  # it holds other files, or does not exist
                emptied.rmdir()
    return existed


def delete_files(corpus: str) -> None:
    """Delete all files of a corpus."""
    with uploads_lock():
        shutil.rmtree(uploads_folder(corpus), ignore_errors=True)
