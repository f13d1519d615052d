"""Saved pages: the addresses that they give themselves, and which come from one site."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from backtrail.ingest.sites.page_heads import read_start
from backtrail.ingest.sites.web_address import HEAD_CHARACTERS, address_key, canonical_address

_SUFFIXES = (".html", ".htm", ".xhtml")


class SavedPages:
    """The HTML pages of an ingested folder.

    Args:
        documents: files by their document id.
    """

    def __init__(self, documents: Mapping[str, Path]) -> None:
        self._documents = documents

    def at(self, key: str) -> str | None:
        """The page of an address, by its ``address_key``."""
        return self._by_address.get(key)

    def of_same_site(self, id_: str) -> frozenset[str]:
        """The pages with the host that a page names as its own; else those of its outermost folder that name none."""
        return self._of_site.get(self._site(id_), frozenset())

    @cached_property
    def _keys(self) -> dict[str, str]:
        pages = {id_: path for id_, path in self._documents.items() if id_.lower().endswith(_SUFFIXES)}
        return {id_: address_key(canonical_address(read_start(path, HEAD_CHARACTERS))) for id_, path in pages.items()}

    @cached_property
    def _by_address(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for id_, key in self._keys.items():
            found.setdefault(key, id_)
        found.pop("", None)
        return found

    def _site(self, id_: str) -> tuple[str, str]:
        host = self._keys.get(id_, "").partition("/")[0]
        return (host, "") if host else ("", id_.partition("/")[0] if posixpath.dirname(id_) else "")

    @cached_property
    def _of_site(self) -> dict[tuple[str, str], frozenset[str]]:
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for id_ in self._keys:
            found[self._site(id_)].add(id_)
        return {site: frozenset(pages) for site, pages in found.items()}
