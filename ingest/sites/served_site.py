"""Site map of files fetched from the web: resolves addresses to documents and pictures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urldefrag

from backtrail.ingest.kinds import kind_of
from backtrail.ingest.parse_cache.trace_dependencies import question
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.tools.web.crawling.address import host_key, key, normal
from backtrail.tools.web.crawling.frontier_store import Address

_LONGEST_CHAIN = 10


class ServedSite(SiteMap):
    """A ``SiteMap`` whose pages have web addresses; links are resolved from there to fetched files.

    Args:
        root: the folder of the files.
        addresses: all requested addresses with their outcomes.
    """

    def __init__(self, root: Path, addresses: Iterable[Address]) -> None:
        super().__init__(root)
        self._of_document: dict[str, str] = {}
        self._held: dict[str, str] = {}
        self._moved: dict[str, str] = {}
        self._dead: set[str] = set()
        self._hosts: set[str] = set()
        for address in addresses:
            if address.outcome == "held":
                self._held[address.key] = address.file
                self._of_document[address.file] = address.url
                self._hosts.add(host_key(address.url))
            elif address.outcome == "same":
                self._moved[address.key] = address.same_as
            elif address.outcome in ("dead", "gone"):
                self._dead.add(address.key)

    @question
    def served_at(self, document_id: str) -> str:
        """Return the address of a document; "" if it has none."""
        return self._of_document.get(document_id, "")

    @question
    def document_served_at(self, url: str) -> str | None:
        """Return the document that an address leads to; None if none was fetched."""
        name = self._file(url)
        return name if name is not None and kind_of(Path(name)) != "image" else None

    @question
    def file_served_at(self, url: str) -> Path | None:
        """Return the fetched file of an address; None if there is none."""
        name = self._file(url)
        return self.root / name if name is not None else None

    @question
    def is_dead(self, url: str) -> bool:
        """Return whether the site has nothing at a requested address."""
        return key(normal(url)) in self._dead

    @question
    def is_own(self, url: str) -> bool:
        """Return whether an address belongs to a host of this site."""
        return host_key(normal(url)) in self._hosts

    def fields(self) -> list[object]:
        """Return what is known of addresses, for digests."""
        return [self._of_document, self._held, self._moved, sorted(self._dead), sorted(self._hosts)]

    def _file(self, url: str) -> str | None:
        name = key(normal(urldefrag(url)[0]))
        for _ in range(_LONGEST_CHAIN):
            if name in self._held:
                return self._held[name]
            name = self._moved.get(name, "")
        return None
