"""Resolve the ``src`` of a page's picture to a file inside the ingested folder."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

from backtrail.ingest.images import MAX_BYTES, UnusablePicture
from backtrail.ingest.parse_cache.trace_dependencies import record_file
from backtrail.ingest.sites.site_map import SiteMap

_MOST_LETTERS = 2 * MAX_BYTES
_SCHEME = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.-]+):")
_REMOTE = re.compile(r"(?:https?:)?//([^/?#\s\\]{1,300})", re.I)


def shorten(source: str) -> str:
    """Shorten a source for messages: data URLs can be megabytes long."""
    return source if len(source) <= 80 else source[:77] + "..."


def remote_host(source: str) -> str:
    """Return the host of a remote source, up to 100 letters; "" for other sources."""
    match = _REMOTE.match(source)
    return match[1].rpartition("@")[2].lower()[:100] if match else ""


@dataclass(frozen=True)
class PagePlace:
    """Page that shows a picture, within the sites of the ingested folder.

    ``folder`` is the base of its relative sources, relative to the ingested folder.
    """

    site_map: SiteMap
    document_id: str
    folder: str


def local_picture(source: str, folder: Path, root: Path, place: PagePlace | None = None) -> Path | bytes:
    """Return the file of a source, relative to the page or by the page's site, or embedded bytes.

    Args:
        source: the ``src`` as written.
        folder: base of relative sources (the page's folder with its ``<base>``).
        root: the ingested folder, which the file must not leave.
        place: the page in its site; without it absolute paths are refused.

    Raises:
        UnusablePicture: the source is remote, absolute, outside the folder, missing, or damaged.
    """
    if source[:5].lower() == "data:":
        return embedded_picture(source)
    refusal = _refusal(source, rooted=place is not None)
    if refusal:
        raise UnusablePicture(shorten(source), refusal, "Save the picture beside the page and link it relatively")
    plain = source.partition("#")[0]
    base = root.resolve()
    # crawlers may save files with a query or percent sign in the name
    for candidate in dict.fromkeys((unquote(plain.partition("?")[0]), unquote(plain), plain)):
        known = place.site_map.file(place.document_id, place.folder, candidate) if place else None
        if known is not None and known.resolve().is_relative_to(base):
            record_file(known)
            return known
        if candidate.startswith(("/", "\\")):
            continue
        try:
            record_file(folder / candidate)
            path = (folder / candidate).resolve()
            found = path.is_file()
        except (OSError, ValueError, RuntimeError):  # name too long or with NUL, loop of links
            continue
        if not path.is_relative_to(base):
            problem = "the picture is outside the ingested folder"
            raise UnusablePicture(shorten(source), problem, "Ingest the folder above both")
        if found:
            return path
    raise UnusablePicture(shorten(source), "no such file", "Save the picture beside the page")


def embedded_picture(source: str) -> bytes:
    """Decode a picture embedded as a ``data:`` URL, as in pages saved to one file.

    Raises:
        UnusablePicture: the picture is too large or damaged.
    """
    head, _, content = source.partition(",")
    if len(content) > _MOST_LETTERS:
        raise UnusablePicture(shorten(source), "the picture in the page is too large", "Scale it down")
    try:
        plain = unquote(content)
        is_encoded = head.lower().rstrip().endswith(";base64")
        return base64.b64decode("".join(plain.split())) if is_encoded else unquote_to_bytes(content)
    except ValueError as error:
        raise UnusablePicture(shorten(source), "the picture in the page is damaged", "Save the page again") from error


def _refusal(source: str, *, rooted: bool = False) -> str:
    scheme = _SCHEME.match(source)
    name = scheme.group(1).lower() if scheme else ""
    if not source:
        return "the picture names no file"
    if name in ("http", "https") or source.startswith("//"):
        return "pictures on the web are not fetched"
    if name:
        return f"pictures at {name}: addresses are not read"
    if unquote(source).startswith("\\" if rooted else ("/", "\\")) or re.match(r"^[a-zA-Z]:[\\/]", source):
        return "absolute paths are not followed"
    return ""
