"""Links to files as office programs write them: relative, some with the slashes of Windows."""

from __future__ import annotations

import re

from backtrail.ingest.html.links import LinkTargets
from backtrail.state.component import Link

_DISK = re.compile(r"[a-z]:[\\/]|\\\\", re.I)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.I)


class FileLinks(LinkTargets):
    """Resolves the hrefs of one document of an office program."""

    def link(self, href: str, anchor: str = "", row: int | None = None, column: int | None = None) -> Link | None:
        """As ``LinkTargets.link``; what stands on a disk of the author's leads out."""
        if _DISK.match(href):
            return Link(target=href, anchor=anchor, row=row, column=column, kind="external")
        relative = href if _SCHEME.match(href) else href.replace("\\", "/")
        return super().link(relative, anchor, row, column)
