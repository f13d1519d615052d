"""Saved HTML pages by canonical address and by site."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path

from backtrail.ingest.sites.page_heads import read_start
from backtrail.ingest.sites.web_address import HEAD_CHARACTERS, address_key, canonical_address

SAMPLE = 12
"""Pages of a site that are read twice, to find parts that all of them repeat (ours)."""

_SUFFIXES = (".html", ".htm", ".xhtml")


class SavedPages:
    """The HTML pages of an ingested folder.

    Args:
        documents: files by their document id.
    """

    def __init__(self, documents: Mapping[str, Path]) -> None:
        self._documents = documents

    def at(self, key: str) -> str | None:
        """Return the page with an ``address_key``; None if there is none."""
        return self._by_address.get(key)

    def of_same_site(self, id_: str) -> frozenset[str]:
        """Return the pages of a page's site: same canonical host, else same outermost folder."""
        return self._of_site.get(self.site(id_), frozenset())

    def sample(self, id_: str) -> list[str]:
        """Return a sample of the pages of a page's site."""
        return _sample(self.of_same_site(id_))

    def samples(self) -> list[list[str]]:
        """Return the sample of each site."""
        return [_sample(pages) for pages in self._of_site.values()]

    @cached_property
    def keys(self) -> dict[str, str]:
        """The ``address_key`` of each page's canonical address; "" for none."""
        pages = {id_: path for id_, path in self._documents.items() if id_.lower().endswith(_SUFFIXES)}
        return {id_: address_key(canonical_address(read_start(path, HEAD_CHARACTERS))) for id_, path in pages.items()}

    @cached_property
    def _by_address(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for id_, key in self.keys.items():
            found.setdefault(key, id_)
        found.pop("", None)
        return found

    def site(self, id_: str) -> tuple[str, str]:
        """Return a page's canonical host, or else its outermost folder."""
        host = self.keys.get(id_, "").partition("/")[0]
        return (host, "") if host else ("", id_.partition("/")[0] if posixpath.dirname(id_) else "")

    @cached_property
    def _of_site(self) -> dict[tuple[str, str], frozenset[str]]:
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for id_ in self.keys:
            found[self.site(id_)].add(id_)
        return {site: frozenset(pages) for site, pages in found.items()}


def _sample(pages: Collection[str]) -> list[str]:
    ordered = sorted(pages)
    count = min(SAMPLE, len(ordered))
    return [ordered[number * len(ordered) // count] for number in range(count)]
