"""Detect a file's type by its first bytes."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import olefile

from backtrail.ingest.kinds import SourceKind

_HEAD_BYTES = 4096
_PICTURES = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*")


_MOST_BYTES = 1024 * 1024


@dataclass(frozen=True)
class Contents:
    """Recognised type: its kind if supported, its label for people, and advice if not."""

    kind: SourceKind | None
    label: str
    advice: str = "Give it the extension of its real format, or export it again"


_MAIN_PARTS = (
    (re.compile(rb"ms-excel\.sheet\.binary\.macroEnabled\.main"), Contents("old_excel", "a binary Excel workbook")),
    (re.compile(rb"(?:wordprocessingml|ms-word)\.[\w.]{1,60}\.main"), Contents("word", "a Word document")),
    (re.compile(rb"(?:presentationml|ms-powerpoint)\.[\w.]{1,60}\.main"), Contents("slides", "a PowerPoint deck")),
    (re.compile(rb"(?:spreadsheetml|ms-excel)\.[\w.]{1,60}\.main"), Contents("xlsx", "an Excel workbook")),
)
"""Types by the content type of a package's main part."""

_MEDIA_TYPES = {
    "application/epub+zip": Contents("epub", "an e-book"),
    "application/vnd.oasis.opendocument.spreadsheet": Contents("ods", "an OpenDocument spreadsheet"),
    "application/vnd.oasis.opendocument.text": Contents("odt", "an OpenDocument text"),
    "application/vnd.oasis.opendocument.presentation": Contents("odp", "an OpenDocument presentation"),
    "application/vnd.oasis.opendocument": Contents(None, "an OpenDocument file"),
}
_UNPACK = "Unpack it and ingest its files, or export it again"
_AGAIN = "Fetch it again, or export it again"

_BOOK = "META-INF/container.xml"
"""Part that locates the contents of an e-book."""

_STREAMS = {
    "EncryptedPackage": Contents(None, "an Office document locked with a password; save a copy without it"),
    "WordDocument": Contents(None, "a document in the old format of Word; save it as .docx"),
    "PowerPoint Document": Contents(None, "a presentation in the old format of PowerPoint; save it as .pptx"),
    "Workbook": Contents("old_excel", "a workbook in the old format of Excel"),
    "__properties_version1.0": Contents("outlook", "a message of Outlook"),
    "Book": Contents("old_excel", "a workbook in the old format of Excel"),
}


def recognise(path: Path) -> Contents | None:
    """Recognise the contents of a file by its signature; None without one, as for text.

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
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return _compound(path)
    if head.startswith(b"{\\rtf"):
        return Contents(None, "an RTF file")
    if head.startswith(b"\x1f\x8b"):
        return Contents(None, "a gzip archive", _UNPACK)
    return None


def _zipped(path: Path) -> Contents:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            declared = _small_part(archive, "mimetype").decode("ascii", "replace").strip()
            types = _small_part(archive, "[Content_Types].xml")
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError):
        return Contents(None, "a damaged archive", _AGAIN)
    for main_part, contents in _MAIN_PARTS:
        if main_part.search(types):
            return contents
    for media_type, contents in _MEDIA_TYPES.items():
        if declared.startswith(media_type):
            return contents
    if _BOOK in names:  # reading systems also open e-books without media type
        return _MEDIA_TYPES["application/epub+zip"]
    return Contents(None, f"a zip archive of {len(names)} {'file' if len(names) == 1 else 'files'}", _UNPACK)


def _small_part(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return a part that declares the archive's type; empty if missing or too large."""
    if name not in archive.namelist() or archive.getinfo(name).file_size > _MOST_BYTES:
        return b""
    return archive.read(name)


def _compound(path: Path) -> Contents:
    """Recognise files of Microsoft's older container by their streams."""
    try:
        with olefile.OleFileIO(str(path)) as container:
            for stream, contents in _STREAMS.items():
                if container.exists(stream):
                    return contents
    except (OSError, ValueError, TypeError, IndexError, AttributeError, struct.error, RecursionError):
        return Contents(None, "a damaged file of an older Office format", _AGAIN)
    return Contents(None, "a file of an older Office format")
