"""The Markdown page that is being parsed, with counts of what could not be evaluated."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from backtrail.ingest.sites.front_matter import FrontMatter
from backtrail.ingest.sites.site_map import SiteMap


@dataclass
class Page:
    """One Markdown page that is being parsed.

    ``left_out`` counts source syntax that was not evaluated, by kind and name ("shortcode param"). In a page that
    ``is_mdx``, indented text is not code, and text between tags is Markdown. ``marks`` counts those parsed so far.
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
        """Count something that was not evaluated; long names are cut."""
        self.left_out[f"{kind} {name[:60]}".strip()] += 1
