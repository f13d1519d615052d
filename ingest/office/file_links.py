"""Links to files as office programs write them: relative, with the slashes of Windows, or from the root of a disk."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote

from backtrail.ingest.html.links import LinkTargets
from backtrail.state.component import Link

_DISK = re.compile(r"^(?:file:/*|[a-z]:[\\/]|\\\\)", re.I)
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]+:", re.I)
_MOST_FOLDERS = 50


class FileLinks(LinkTargets):
    """Resolves the hrefs of one document of an office program, which is moved with others or alone.

    A path from the root of the author's disk leads to the file of the ingested folder whose path is its end.
    """

    def link(self, href: str, anchor: str = "", row: int | None = None, column: int | None = None) -> Link | None:
        """As ``LinkTargets.link``."""
        if _DISK.match(href):
            path, _, fragment = unquote(href, errors="replace").replace("\\", "/").partition("#")
            found = self._ending(path)
            if found is None:
                return Link(target=href, anchor=anchor, row=row, column=column, kind="external")
            return Link(target=found, anchor=anchor, row=row, column=column, component=fragment or None)
        if not _SCHEME.match(href):
            href = href.replace("\\", "/")
        return super().link(href, anchor, row, column)

    def _ending(self, path: str) -> str | None:
        """The document whose path is the longest end of a path, from the ingested folder or the document's own."""
        parts = [part for part in path.split("/") if part][-_MOST_FOLDERS:]
        for start in range(len(parts)):
            tail = "/".join(parts[start:])
            for candidate in (tail, posixpath.join(posixpath.dirname(self.document_id), tail)):
                if self.site_map is not None and self.site_map.has_document(candidate):
                    return candidate
        return None
