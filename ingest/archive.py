"""Documents that are zip archives, read in memory within bounds; nothing is unpacked to disk."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.ingest.errors import UnreadableSource

MAX_MEMBERS = 20_000
MAX_UNPACKED = 512 * 2**20
"""Total bytes of all parts, which libraries hold in memory."""

MAX_XML = 64 * 2**20
"""Bytes of one XML part read as a tree, which takes up to ten times as much memory."""

MAX_MARKS = 5_000_000
"""Tags of all XML and pages read as trees (ours): each takes some ten microseconds and half a kilobyte, and a kilobyte
of archive may contain a hundred thousand. An ordinary document of 64 MB has some four million."""

BROKEN = (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)
"""Errors that zipfile raises for damaged archives."""

_DOCTYPE = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.I)
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
"""Namespaces of strict Office formats (ISO/IEC 29500), which are replaced by the transitional ones."""
_MACROS = ("Basic/", "Dialogs/", "Scripts/")
"""Folders of OpenDocument that are not read; their parts declare a document type."""
_XML_NAMES = (".xml", ".rels", ".opf", ".ncx")
_MANIFEST = "META-INF/manifest.xml"
"""Part of OpenDocument that lists encrypted parts."""
_STRINGS = "xl/sharedStrings.xml"
"""Texts of a workbook's cells, also read as a stream."""
_LEAST_OF_A_MARK = len("<a/>")
_CHUNK = 2**20


class Archive:
    """Parts of one document; a context manager.

    Args:
        path: the file.
        what: expected kind of document, for messages ("Word document").
        streamed: folders whose XML is read as a stream and may exceed the limit of trees.
        with_doctype: whether parts may declare a document type, as in e-books; entities are never expanded.

    Raises:
        UnreadableSource: the file is no archive, damaged, locked with a password, or over a limit.
    """

    def __init__(self, path: Path, what: str, *, streamed: tuple[str, ...] = (), with_doctype: bool = False) -> None:
        self.path = path
        self.what = what
        try:
            self._zip = zipfile.ZipFile(path)
        except (*BROKEN, ValueError) as error:
            raise self.damaged(error) from error
        self._by_name = {info.filename.lstrip("/"): info for info in self._zip.infolist() if not info.is_dir()}
        try:
            self._check(streamed, with_doctype)
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @property
    def names(self) -> list[str]:
        """Names of all parts in the order of the archive."""
        return list(self._by_name)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def size(self, name: str) -> int:
        """Return the unpacked size of a part in bytes; 0 if missing."""
        info = self._by_name.get(name)
        return info.file_size if info else 0

    def read(self, name: str) -> bytes:
        """Return the bytes of a part.

        Raises:
            KeyError: there is no such part.
            UnreadableSource: the part is damaged.
        """
        try:
            return self._zip.read(self._by_name[name])
        except BROKEN as error:
            raise self.damaged(error) from error

    def stream(self, name: str) -> Any:
        """Open a part as a stream of bytes; see ``read``."""
        return self._zip.open(self._by_name[name])

    def tree(self, name: str) -> Any | None:
        """Return the root element of an XML part; None if it is missing or not well-formed."""
        if name not in self._by_name or self.size(name) > MAX_XML:
            return None
        return parse_xml(_STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", self.read(name)))

    def damaged(self, error: BaseException) -> UnreadableSource:
        """Return the error for a file that is damaged or another kind of document."""
        advice = "Open it in the program it was made with and save it again, or fetch it again"
        problem = f"this is no {self.what}, or it is damaged ({type(error).__name__}: {error})"[:200]
        return UnreadableSource(str(self.path), problem, advice)

    def _check(self, streamed: tuple[str, ...], with_doctype: bool) -> None:
        # check all entries: of two names that differ in a leading slash, libraries may read the other one
        parts = [(info.filename.lstrip("/"), info) for info in self._zip.infolist() if not info.is_dir()]
        if any(info.flag_bits & 1 for _, info in parts):
            raise self._locked()
        unpacked = sum(info.file_size for _, info in parts)
        if len(parts) > MAX_MEMBERS or unpacked > MAX_UNPACKED:
            found = f"{len(parts):,} parts with {unpacked / 2**20:,.0f} MB"
            raise self._too_large(f"{found} unpacked, more than {MAX_MEMBERS:,} or {MAX_UNPACKED // 2**20} MB")
        for name, info in parts:
            if not name.lower().endswith(_XML_NAMES) or name.startswith(_MACROS):
                continue
            if info.file_size > MAX_XML and not name.startswith(streamed or "\0"):
                raise self._too_large(f"the part {name[:80]} has {info.file_size / 2**20:,.0f} MB of XML")
            if not with_doctype and self._declares_entities(info):
                problem = f"the part {name[:80]} declares a document type, which no {self.what} does"
                raise UnreadableSource(
                    str(self.path), problem, "Do not trust this file; export it again if it is yours"
                )
        if 0 < self.size(_MANIFEST) <= MAX_XML and b"encryption-data" in self.read(_MANIFEST):
            raise self._locked()
        self._check_marks([info for name, info in parts if not name.startswith((*streamed, _STRINGS))])

    def _locked(self) -> UnreadableSource:
        advice = "Save a copy without the password and ingest that"
        return UnreadableSource(str(self.path), "is locked with a password", advice)

    def _check_marks(self, parts: Sequence[zipfile.ZipInfo]) -> None:
        """Count tags before trees are built, if the size allows too many."""
        if sum(info.file_size for info in parts) < MAX_MARKS * _LEAST_OF_A_MARK:
            return
        marks = 0
        for info in parts:
            try:
                with self._zip.open(info) as stream:
                    marks += _marks_in(stream)
            except BROKEN as error:
                raise self.damaged(error) from error
            if marks > MAX_MARKS:
                raise self._too_large(f"its parts have more than {MAX_MARKS:,} tags (part {info.filename[:80]})")

    def _declares_entities(self, info: zipfile.ZipInfo) -> bool:
        try:
            with self._zip.open(info) as stream:
                head = stream.read(4096)
        except BROKEN as error:
            raise self.damaged(error) from error
        return _DOCTYPE.search(head.replace(b"\0", b"")) is not None

    def _too_large(self, problem: str) -> UnreadableSource:
        return UnreadableSource(str(self.path), problem, "Split it, or save it without embedded films and objects")


def _marks_in(stream: IO[bytes]) -> int:
    """Count the tags of a part; 0 if it is no markup, whatever its name."""
    chunk = stream.read(_CHUNK)
    if not chunk.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n").startswith(b"<"):
        return 0
    marks = 0
    while chunk:
        marks += chunk.count(b"<")
        chunk = stream.read(_CHUNK)
    return marks


def parse_xml(content: bytes) -> Any | None:
    """Parse XML without entities and network and with bounded depth; None if it is not well-formed."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
