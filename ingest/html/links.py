"""Resolve hrefs to document ids or external addresses.

A document id is the file's POSIX path relative to the ingested folder. Addresses known to the folder's sites come
first; else the path determines the document, and the link resolver checks that it exists.
"""

from __future__ import annotations

import posixpath
import re
from contextlib import suppress
from typing import Literal
from urllib.parse import unquote, urljoin, urlsplit

from backtrail.ingest.sites.site_map import SiteMap
from backtrail.state.component import Link

SCHEME = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.-]*):")
DROPPED = frozenset({"javascript", "vbscript", "data", "blob", "about"})
CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_MOST_REMEMBERED = 20_000


class LinkTargets:
    """Resolver of the hrefs of one page.

    Args:
        document_id: the page's id, to which hrefs are relative.
        base: the page's ``<base href>``; honoured only if relative and inside the ingested folder.
        site_map: the pages and sites of the ingested folder; without it links name files.
        address: original address of a saved page, the base of relative links that lead to no file.
    """

    def __init__(self, document_id: str, base: str = "", site_map: SiteMap | None = None, address: str = "") -> None:
        self.document_id = document_id
        self.site_map = site_map
        self._address = address
        self._met: dict[str, tuple[str, str | None, Literal["internal", "external", "dead"]] | None] = {}
        self.base = relative_base(base)
        folder = posixpath.join(posixpath.dirname(document_id), self.base)
        self.folder = posixpath.dirname(document_id) if _leaves(posixpath.normpath(folder)) else folder

    def link(self, href: str, anchor: str = "", row: int | None = None, column: int | None = None) -> Link | None:
        """Return the link of an href as written; None for scripts, data URLs and empty links."""
        if href not in self._met:
            if len(self._met) >= _MOST_REMEMBERED:
                self._met.clear()
            self._met[href] = self._where(href)
        met = self._met[href]
        if met is None:
            return None
        target, component, kind = met
        return Link(target=target, anchor=anchor, row=row, column=column, component=component, kind=kind)

    def _where(self, href: str) -> tuple[str, str | None, Literal["internal", "external", "dead"]] | None:
        """Return target, fragment and kind of an href; None if ``link`` returns None."""
        href = CONTROL.sub("", href).strip()
        scheme = SCHEME.match(href)
        if scheme and scheme.group(1).lower() in DROPPED:
            return None
        if href.startswith("//"):
            href, scheme = f"https:{href}", SCHEME.match("https:")
        if not scheme and self._is_web(href):
            with suppress(ValueError):  # an invalid address
                href, scheme = urljoin(self._address, href), SCHEME.match("https:")
        path, _, fragment = href.partition("#")
        fragment = unquote(fragment, errors="replace")
        if scheme:
            page = self.site_map.page_at(self.document_id, path) if self.site_map else None
            return (href, None, "external") if page is None else (page, fragment or None, "internal")
        path = unquote(path.partition("?")[0], errors="replace")
        if not path and not fragment:
            return None
        named = self._named_target(path, fragment)
        if named is not None:
            return (*named, "internal")
        target = self._target(path)
        return (href, None, "dead") if target is None else (target, fragment or None, "internal")

    def _named_target(self, path: str, fragment: str) -> tuple[str, str] | None:
        """Return the page and fragment of a label that a link names, as a path or as a fragment without page."""
        if self.site_map is None or (path and fragment):
            return None
        label = self.site_map.label(path or fragment)
        is_page = bool(path) and self.site_map.page(self.document_id, self.folder, path) is not None
        return None if is_page or label is None else (label.page, label.fragment)

    def _is_web(self, href: str) -> bool:
        """Return whether a relative link of a saved page leads to no file, and so to the original site."""
        path = unquote(href.partition("#")[0].partition("?")[0], errors="replace")
        if not self._address or not self.site_map or not path:
            return False
        return self.site_map.page(self.document_id, self.folder, path) is None

    def _target(self, path: str) -> str | None:
        """Return the document id of a decoded path; None outside the ingested folder."""
        if not path:
            return self.document_id
        page = self.site_map.page(self.document_id, self.folder, path) if self.site_map else None
        if page is not None:
            return page
        # a leading slash means the site's root, which is the ingested folder
        joined = path.lstrip("/") if path.startswith("/") else posixpath.join(self.folder, path)
        target = posixpath.normpath(joined) if joined else "."
        if _leaves(target):
            return None
        if path.endswith(("/", "/.", "/..")) or path in (".", ".."):
            target = posixpath.join(target, "index.html")
        return posixpath.normpath(target)


def relative_base(base: str) -> str:
    """Return the folder of a relative ``<base href>``; empty for absolute paths and URLs."""
    base = base.strip()
    if not base or base.startswith("/") or SCHEME.match(base):
        return ""
    return posixpath.dirname(unquote(urlsplit(base).path, errors="replace"))


def _leaves(path: str) -> bool:
    return path == ".." or path.startswith("../")
