"""Saved HTML pages by canonical address."""

from __future__ import annotations

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
        """Return the page with an ``address_key``; None if there is none."""
        return self._by_address.get(key)

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
