"""The page that is being read: where it stands, and what of it could not be evaluated."""

from __future__ import annotations

import posixpath
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from backtrail.ingest.sites.front_matter import FrontMatter
from backtrail.ingest.sites.site import Site
from backtrail.ingest.sites.site_map import SiteMap

_WIKI_PAGES = ("Home.md", "home.md", "Home.markdown", "_Sidebar.md", "_Footer.md")


@dataclass
class Page:
    """One Markdown page on its way to HTML.

    ``left_out`` counts, by kind and name ("shortcode param"), what stands in the source and was not evaluated.
    ``is_mdx``: indented text is no code, and what stands between tags is Markdown.
    """

    document_id: str
    path: Path
    root: Path
    site_map: SiteMap
    front: FrontMatter
    left_out: Counter[str] = field(default_factory=Counter)
    is_mdx: bool = False

    @property
    def site(self) -> Site:
        """The site that the page belongs to."""
        return self.site_map.site_of(self.document_id)

    @property
    def in_wiki(self) -> bool:
        """Whether the page lies in a wiki of GitHub or GitLab, by the pages that these have."""
        folder = posixpath.dirname(self.document_id)
        return any(self.site_map.has_document(posixpath.join(folder, name)) for name in _WIKI_PAGES)

    def leave_out(self, kind: str, name: str) -> None:
        """Note that something was not evaluated; names are shortened, as they may be anything."""
        self.left_out[f"{kind} {name[:60]}".strip()] += 1
