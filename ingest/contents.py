"""What a file is by its first bytes, whatever its name says."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path

from backtrail.ingest.kinds import SourceKind

_HEAD_BYTES = 4096
_PICTURES = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*")


@dataclass(frozen=True)
class Contents:
    """What contents were recognised: the kind that reads them (None if none does), and what people call them."""

    kind: SourceKind | None
    label: str


def recognise(path: Path) -> Contents | None:
    """The contents of a file by its signature; None where it has none, as all text.

    Raises:
        OSError: the file cannot be opened.
    """
    with path.open("rb") as stream:
        head = stream.read(_HEAD_BYTES)
    if head.startswith(_PICTURES) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP"):
        return Contents("image", "a picture")
    if head.startswith(b"%PDF-"):
        return Contents("pdf", "a PDF")
    if head.startswith(b"PK\x03\x04"):
        return _zipped(path)
    if head.startswith(b"{\\rtf"):
        return Contents(None, "an RTF file")
    if head.startswith(b"\x1f\x8b"):
        return Contents(None, "a gzip archive")
    return None


def _zipped(path: Path) -> Contents:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return Contents(None, "a damaged archive")
    return Contents(None, f"a zip archive of {len(names)} files")
