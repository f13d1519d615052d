"""The places of all pages of an ingested folder, by the pages of their folders."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping
from functools import cached_property

from backtrail.ingest.sites.page_heads import PageHead
from backtrail.ingest.sites.page_keys import without_suffix
from backtrail.ingest.sites.places import Place, by_folders, with_children


class SitePlaces:
    """Where each page stands; made when it is asked for first.

    Args:
        heads: what Markdown pages say of themselves, by document id.
        pages: ids of all pages.
    """

    def __init__(self, heads: Mapping[str, PageHead], pages: Collection[str]) -> None:
        self._heads = heads
        self._pages = pages

    def place(self, id_: str) -> Place:
        """Where a page stands among the others."""
        return self._all.get(id_) or Place()

    def title(self, id_: str) -> str:
        """What a page is called, as far as that is known without reading it."""
        head = self._heads.get(id_)
        return (head.title if head else "") or posixpath.basename(without_suffix(id_))

    @cached_property
    def _all(self) -> dict[str, Place]:
        titles = {page: head.title for page, head in self._heads.items()}
        return with_children(by_folders(set(self._pages), titles, self._order))

    def _order(self, id_: str) -> tuple[float, str]:
        """Pages with a weight first, by it; then by name. Hugo's weight of 0 is none."""
        head = self._heads.get(id_)
        weight = head.front.weight if head else None
        return (weight if weight else float("inf"), id_)
