"""File links of office programs: relative, some with backslashes."""

from __future__ import annotations

import re

from backtrail.ingest.html.links import LinkTargets
from backtrail.state.component import Link

_DISK = re.compile(r"[a-z]:[\\/]|\\\\", re.I)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.I)


class FileLinks(LinkTargets):
    """Resolver of the hrefs of one office document."""

    def link(self, href: str, anchor: str = "", row: int | None = None, column: int | None = None) -> Link | None:
        """Resolve as ``LinkTargets.link``; a path on the author's disk is external."""
        if _DISK.match(href):
            return Link(target=href, anchor=anchor, row=row, column=column, kind="external")
        relative = href if _SCHEME.match(href) else href.replace("\\", "/")
        return super().link(relative, anchor, row, column)
