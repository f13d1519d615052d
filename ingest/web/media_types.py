"""Media types and file extensions of a site that are read."""

from __future__ import annotations

import posixpath

from backtrail.ingest.kinds import KINDS
from backtrail.tools.web.crawling.address import path_of

_OFFICE = "application/vnd.openxmlformats-officedocument"
_ENDINGS = {
    "text/html": ".html",
    "application/xhtml+xml": ".xhtml",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/x-markdown": ".md",
    "text/x-rst": ".rst",
    "text/prs.fallenstein.rst": ".rst",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/pdf": ".pdf",
    "application/x-pdf": ".pdf",
    "application/epub+zip": ".epub",
    "application/x-ipynb+json": ".ipynb",
    "message/rfc822": ".eml",
    "application/mbox": ".mbox",
    "application/vnd.ms-outlook": ".msg",
    "application/vnd.ms-excel": ".xls",
    "application/vnd.oasis.opendocument.text": ".odt",
    "application/vnd.oasis.opendocument.presentation": ".odp",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
    f"{_OFFICE}.wordprocessingml.document": ".docx",
    f"{_OFFICE}.presentationml.presentation": ".pptx",
    f"{_OFFICE}.spreadsheetml.sheet": ".xlsx",
}
_BY_ENDING = frozenset({"text/plain", "application/octet-stream", "binary/octet-stream", "application/zip",
                        "application/x-zip-compressed", "application/force-download", "application/json",
                        "application/x-download"})  # fmt: skip
"""Types that servers also use for unknown files; the address's extension decides."""

PICTURE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/tiff",
                 "image/svg+xml")  # fmt: skip
PAGE_TYPES = (*_ENDINGS, *sorted(_BY_ENDING - set(_ENDINGS)))
SITE_MAP_TYPES = ("application/xml", "text/xml", "application/rss+xml", "application/atom+xml", "text/plain",
                  "application/gzip", "application/x-gzip", "application/octet-stream", "text/html")  # fmt: skip

_DOCUMENTS = frozenset(ending for kind in KINDS if kind.name != "image" for ending in kind.extensions)
_PAGES = frozenset(
    {"", ".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ".jsp", ".jspx", ".cgi", ".do", ".shtml", ".cfm"}
)
_NEVER = frozenset(
    {
        ".zip", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".zst", ".tar", ".exe", ".msi", ".dmg", ".iso", ".deb",
        ".rpm", ".apk", ".jar", ".whl", ".mp3", ".mp4", ".m4a", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".ogg",
        ".ogv", ".wav", ".flac", ".css", ".js", ".mjs", ".map", ".json", ".xml", ".rss", ".atom", ".ico",
        ".woff", ".woff2", ".ttf", ".otf", ".eot", ".ics", ".bin", ".doc", ".ppt", ".rtf", ".mobi", ".azw3",
    }
)  # fmt: skip
_PICTURES = frozenset(ending for kind in KINDS if kind.name == "image" for ending in kind.extensions)


def ending_of(address: str) -> str:
    """Return the extension of an address's path, in lower case."""
    return posixpath.splitext(path_of(address).rpartition("/")[2].lower())[1]


def may_be_page(address: str) -> bool:
    """Whether a link may lead to a page or document, by its extension."""
    return ending_of(address) not in _NEVER and ending_of(address) not in _PICTURES


def is_document(address: str) -> bool:
    """Whether the extension of an address is that of a document, such as a PDF."""
    return ending_of(address) in _DOCUMENTS and ending_of(address) not in _PAGES


def extension(media_type: str, address: str) -> str:
    """Return the extension of the file for an answer; "" for types that are not read."""
    ending = ending_of(address)
    if media_type in PICTURE_TYPES:
        return f".{media_type.partition('/')[2].partition('+')[0]}".replace(".jpeg", ".jpg")
    if media_type in _BY_ENDING and ending in _DOCUMENTS:
        return ending
    of_type = _ENDINGS.get(media_type, "")
    alike = ending in _DOCUMENTS and _KIND_OF.get(ending) == _KIND_OF.get(of_type)
    return ending if alike else of_type


_KIND_OF = {ending: kind.name for kind in KINDS for ending in kind.extensions}
