"""Parse site maps (sitemaps.org): XML, text or feed, possibly gzipped, of pages or further site maps.

Read incrementally by lxml, with bounds, without entities and network. Libraries for site maps fetch by themselves,
which would bypass the checks of addresses.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

MOST_ENTRIES = 50_000
MOST_BYTES = 50 * 2**20
_LONGEST_LINE = 2_000


@dataclass(frozen=True)
class Listed:
    """A page of a site map, with the time of its last change (seconds since 1970; 0 if unknown)."""

    url: str
    changed: float = 0.0


@dataclass
class SiteMapFile:
    """Contents of one file. ``problem``: why it was not read completely; "" if it was."""

    pages: list[Listed] = field(default_factory=list)
    maps: list[str] = field(default_factory=list)
    problem: str = ""


def looks_like_site_map(content: bytes) -> bool:
    """Whether a file is a site map in XML, gzipped or not."""
    head = unpacked(content, 4096)[0][:4096]
    return any(mark in head for mark in (b"<urlset", b"<sitemapindex"))


def unpacked(content: bytes, most: int = MOST_BYTES) -> tuple[bytes, str]:
    """Decompress a gzip body to at most ``most`` bytes; return them, and the problem if there is one."""
    if not content.startswith(b"\x1f\x8b"):
        return content[:most], ""
    unpack = zlib.decompressobj(wbits=31)
    try:
        found = unpack.decompress(content, most)
    except zlib.error:
        return b"", "it is not a gzip file"
    return found, "" if unpack.eof else f"it is cut off, or has more than {most} bytes"


def read_site_map(content: bytes) -> SiteMapFile:
    """Return the pages and further site maps that a file lists."""
    content, problem = unpacked(content)
    found = SiteMapFile(problem=problem)
    text = content.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"<"):
        _read_xml(text, found)
    else:
        lines = content.decode("utf-8", "replace").splitlines()
        wanted = (line.strip() for line in lines if line.strip().startswith(("http://", "https://")))
        found.pages = [Listed(line) for line in wanted if len(line) <= _LONGEST_LINE][:MOST_ENTRIES]
    return found


def _read_xml(content: bytes, found: SiteMapFile) -> None:
    try:
        for element in _entries(content):
            name = etree.QName(element).localname
            values = {etree.QName(child).localname: child for child in element if isinstance(child.tag, str)}
            address = _text(values.get("loc")) or _text(values.get("link")) or _href(values.get("link"))
            changed = next(filter(None, map(_text, map(values.get, ("lastmod", "updated", "pubDate")))), "")
            if address and name == "sitemap":
                found.maps.append(address)
            elif address:
                found.pages.append(Listed(address, _seconds(changed)))
            element.clear()
            if len(found.pages) + len(found.maps) >= MOST_ENTRIES:
                found.problem = f"only its first {MOST_ENTRIES} entries are read"
                return
    except etree.XMLSyntaxError as error:
        found.problem = f"parsing stopped ({str(error)[:100]})"


def _entries(content: bytes) -> Iterator[etree._Element]:
    options = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
    wanted = ("{*}url", "{*}sitemap", "{*}item", "{*}entry")
    for _, element in etree.iterparse(io.BytesIO(content), events=("end",), tag=wanted, **options):
        yield element


def _text(element: etree._Element | None) -> str:
    return (element.text or "").strip() if element is not None and len(element.text or "") <= _LONGEST_LINE else ""


def _href(element: etree._Element | None) -> str:
    return str(element.get("href", ""))[:_LONGEST_LINE] if element is not None else ""


def _seconds(text: str) -> float:
    """Parse a W3C time or a date as seconds since 1970; 0 for anything else and for the future."""
    try:
        moment = datetime.fromisoformat(text[:40])
    except ValueError:
        return 0.0
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    now = datetime.now(UTC)
    return moment.timestamp() if datetime(1990, 1, 1, tzinfo=UTC) < moment <= now else 0.0
