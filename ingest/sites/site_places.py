"""The places of all pages of an ingested folder: by the navigation of their sites, else by their folders."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from backtrail.ingest.sites.page_heads import PageHead
from backtrail.ingest.sites.page_keys import without_suffix
from backtrail.ingest.sites.places import Place, by_folders, by_navigation, with_children
from backtrail.ingest.sites.site import DocumentAt, Site


class SitePlaces:
    """Where each page stands; made when it is asked for first.

    Args:
        sites: of the folder, innermost first.
        heads: what Markdown pages say of themselves, by document id.
        pages: ids of all pages.
        document_at: see ``SiteMap.document_at``.
    """

    def __init__(
        self, sites: Sequence[Site], heads: Mapping[str, PageHead], pages: Collection[str], document_at: DocumentAt
    ) -> None:
        self._sites = sites
        self._heads = heads
        self._pages = pages
        self._document_at = document_at

    def place(self, id_: str) -> Place:
        """Where a page stands among the others."""
        return self._all.get(id_) or Place()

    def title(self, id_: str) -> str:
        """What a page is called, as far as that is known without reading it."""
        head = self._heads.get(id_)
        return (head.title if head else "") or self.place(id_).title or posixpath.basename(without_suffix(id_))

    @cached_property
    def _all(self) -> dict[str, Place]:
        """By the navigation of each site; pages that are in none by the pages of their folders."""
        found: dict[str, Place] = {}
        for site in self._sites:
            if site.nav:
                named = by_navigation(site.nav, lambda path: self._document_at(path, names_folder=False))
                found |= {page: place for page, place in named.items() if page not in found}
        titles = {page: head.title for page, head in self._heads.items()}
        folders = by_folders(set(self._pages), titles, self._order)
        return with_children(found | {page: place for page, place in folders.items() if page not in found})

    def _order(self, id_: str) -> tuple[float, str]:
        """Pages with a weight first, by it; then by name. Hugo's weight of 0 is none."""
        head = self._heads.get(id_)
        weight = head.front.weight if head else None
        return (weight if weight else float("inf"), id_)
