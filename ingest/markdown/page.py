"""The page that is being read: where it stands, and what of it could not be evaluated."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from backtrail.ingest.sites.front_matter import FrontMatter
from backtrail.ingest.sites.site_map import SiteMap


@dataclass
class Page:
    """One Markdown page on its way to HTML.

    ``left_out`` counts, by kind and name ("shortcode param"), what stands in the source and was not evaluated.
    ``is_mdx``: indented text is no code, and what stands between tags is Markdown. ``marks`` are those read so far.
    """

    document_id: str
    path: Path
    root: Path
    site_map: SiteMap
    front: FrontMatter
    left_out: Counter[str] = field(default_factory=Counter)
    is_mdx: bool = False
    marks: int = 0

    def leave_out(self, kind: str, name: str) -> None:
        """Note that something was not evaluated; names are shortened, as they may be anything."""
        self.left_out[f"{kind} {name[:60]}".strip()] += 1
