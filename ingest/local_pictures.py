"""From the ``src`` of a page's picture to a file inside the ingested folder, or the reason why there is none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from backtrail.ingest.images import UnusablePicture
from backtrail.ingest.sites.site_map import SiteMap

_SCHEME = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.-]+):")


def shorten(source: str) -> str:
    """A source as messages show it: data URLs can be megabytes long."""
    return source if len(source) <= 80 else source[:77] + "..."


@dataclass(frozen=True)
class PagePlace:
    """The page that shows a picture, among the sites of the ingested folder.

    ``folder`` is where its relative sources start, relative to the ingested folder.
    """

    site_map: SiteMap
    document_id: str
    folder: str


def local_picture(source: str, folder: Path, root: Path, place: PagePlace | None = None) -> Path:
    """The file that a source names: relative to the page, or as the page's site would find it.

    Args:
        source: the ``src`` as written.
        folder: where relative sources start (the page's folder, with its base).
        root: the ingested folder, which the file must not leave.
        place: the page in its site; without it absolute paths are refused.

    Raises:
        UnusablePicture: remote, embedded, absolute, outside the folder, or missing.
    """
    refusal = _refusal(source, rooted=place is not None)
    if refusal:
        raise UnusablePicture(shorten(source), refusal, "Save the picture beside the page and link it relatively")
    plain = source.partition("#")[0]
    base = root.resolve()
    # a page saved by a crawler may have a query or a percent sign in the file's real name
    for candidate in dict.fromkeys((unquote(plain.partition("?")[0]), unquote(plain), plain)):
        known = place.site_map.file(place.document_id, place.folder, candidate) if place else None
        if known is not None and known.resolve().is_relative_to(base):
            return known
        if candidate.startswith(("/", "\\")):
            continue
        try:
            path = (folder / candidate).resolve()
            found = path.is_file()
        except (OSError, ValueError, RuntimeError):  # name too long, NUL in it, a loop of links
            continue
        if not path.is_relative_to(base):
            problem = "the picture lies outside the ingested folder"
            raise UnusablePicture(shorten(source), problem, "Ingest the folder that holds both")
        if found:
            return path
    raise UnusablePicture(shorten(source), "no such file", "Save the picture beside the page")


def _refusal(source: str, *, rooted: bool = False) -> str:
    scheme = _SCHEME.match(source)
    name = scheme.group(1).lower() if scheme else ""
    if not source:
        return "the picture names no file"
    if name == "data":
        return "pictures embedded in the page are not read"
    if name in ("http", "https") or source.startswith("//"):
        return "pictures on the web are not fetched"
    if name:
        return f"pictures at {name}: addresses are not read"
    if unquote(source).startswith("\\" if rooted else ("/", "\\")) or re.match(r"^[a-zA-Z]:[\\/]", source):
        return "absolute paths are not followed"
    return ""
