"""Package of an e-book (EPUB 3.3 and 2): title, chapters in order, table of contents."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from backtrail.ingest.archive import Archive
from backtrail.ingest.html.text import normalise

MAX_DEPTH = 10
"""Most levels of a table of contents (ours)."""

_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
_ABOUT = {"creator": "By ", "publisher": "Published by ", "date": "Date: ", "subject": "Subjects: ", "description": ""}
_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Algorithms that only obfuscate fonts; a part encrypted by any other is locked."""


@dataclass(frozen=True)
class Book:
    """Contents of a package; ``chapters`` are part names.

    ``labels`` maps parts, with or without fragment, to entries of the table of contents, outermost first.
    """

    title: str
    about: str
    chapters: list[str]
    labels: dict[str, tuple[str, ...]]


def read_book(archive: Archive) -> Book:
    """Read the package.

    Raises:
        UnreadableSource: the package is missing, lists no chapters, or the book is locked.
    """
    container = archive.tree("META-INF/container.xml")
    roots = container.iter("{*}rootfile") if container is not None else ()
    name = next((path for root in roots if (path := root.get("full-path") or "") in archive), "")
    package = archive.tree(name)
    if package is None:
        raise archive.damaged(ValueError("it has no package"))
    items = {item.get("id"): item for item in package.iter("{*}item")}
    spine = [items[ref.get("idref")] for ref in package.iter("{*}itemref") if ref.get("idref") in items]
    contents = next((item for item in items.values() if "nav" in (item.get("properties") or "").split()), None)
    chapters = [
        part
        for item in spine
        if item is not contents
        and item.get("media-type") in _PAGES
        and (part := part_name(name, item.get("href") or "")) in archive
    ]
    if not chapters:
        raise archive.damaged(ValueError("it lists no chapters"))
    locked = _locked(archive) & set(chapters)
    if locked:
        raise archive.damaged(ValueError(f"{len(locked)} chapters are locked by digital rights management"))
    return Book(
        next(_all(package, "title"), ""), _about(package), list(dict.fromkeys(chapters)), _labels(archive, name, items)
    )


def part_name(base: str, href: str) -> str:
    """Return the part name of an address in part ``base``, without fragment; it may not exist."""
    path = unquote(href.partition("#")[0].partition("?")[0], errors="replace")
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), path)).lstrip("/") if path else base


def _all(package: Any, name: str) -> Iterator[str]:
    for element in package.iter("{http://purl.org/dc/elements/1.1/}" + name):
        text = normalise(" ".join(element.itertext()))
        if text:
            yield text


def _about(package: Any) -> str:
    """Return author, publisher, date, subjects and description of the book."""
    parts = ((before, ", ".join(_all(package, name))) for name, before in _ABOUT.items())
    return "\n".join(f"{before}{text}" for before, text in parts if text)


def _locked(archive: Archive) -> set[str]:
    root = archive.tree("META-INF/encryption.xml")
    found: set[str] = set()
    for data in root.iter("{*}EncryptedData") if root is not None else ():
        method = next((one.get("Algorithm") or "" for one in data.iter("{*}EncryptionMethod")), "")
        if not method.startswith(_FONTS):
            found.update(unquote(one.get("URI") or "") for one in data.iter("{*}CipherReference"))
    return found


def _labels(archive: Archive, name: str, items: dict[Any, Any]) -> dict[str, tuple[str, ...]]:
    """Return the table of contents of EPUB 3, else of EPUB 2; the first entry for a part or fragment wins."""
    found: dict[str, tuple[str, ...]] = {}
    for item in items.values():
        part = part_name(name, item.get("href") or "")
        if "nav" in (item.get("properties") or "").split():
            root = archive.tree(part)
            lists = [nav for nav in root.iter("{*}nav") if _is_contents(nav)] if root is not None else []
            for nav in lists[:1]:
                _add_entries(nav.findall("{*}ol/{*}li"), (), part, found)
    for item in items.values() if not found else ():
        if item.get("media-type") == "application/x-dtbncx+xml":
            part = part_name(name, item.get("href") or "")
            root = archive.tree(part)
            _add_entries(root.findall("{*}navMap/{*}navPoint") if root is not None else (), (), part, found)
    return found


def _is_contents(nav: Any) -> bool:
    kind = next((value for key, value in nav.attrib.items() if key.endswith("}type") or key == "role"), "toc")
    return "toc" in kind


def _add_entries(entries: Iterable[Any], above: tuple[str, ...], base: str, found: dict[str, tuple[str, ...]]) -> None:
    """Add entries of EPUB 3 lists or EPUB 2 points with those below them."""
    for entry in entries if len(above) < MAX_DEPTH else ():
        link = next(entry.iterchildren("{*}a", "{*}span", "{*}content"), None)
        words = " ".join(link.itertext()) if link is not None else ""
        label = normalise(words or entry.findtext("{*}navLabel/{*}text") or "")
        path = (*above, label) if label else above
        href = (link.get("href") or link.get("src") or "") if link is not None else ""
        if href:
            part, fragment = part_name(base, href), unquote(href.partition("#")[2], errors="replace")
            found.setdefault(part, path)
            if fragment:
                found.setdefault(f"{part}#{fragment}", path)
        _add_entries([*entry.iterfind("{*}ol/{*}li"), *entry.iterfind("{*}navPoint")], path, base, found)
