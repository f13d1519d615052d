"""Scope of a crawl: one host, below one path."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.ingest.web.media_types import is_document, may_be_page
from backtrail.tools.web.crawling.address import host_key, path_of


@dataclass(frozen=True)
class Scope:
    """The site of an address, below a path.

    Attributes:
        host: with its port, without ``www.``; http and https count as one.
        prefix: start of the paths of pages.
        listed_only: whether only pages in site maps are read, with their documents and pictures.
    """

    host: str
    prefix: str
    listed_only: bool = False

    @property
    def name(self) -> str:
        """Key of the scope in the ledger."""
        return f"{'listed ' if self.listed_only else ''}{self.prefix}"

    def same_site(self, address: str) -> bool:
        """Whether an address is on the host."""
        return host_key(address) == self.host

    def has_page(self, address: str) -> bool:
        """Whether a link may be followed: to pages below the path, and to documents anywhere on the host."""
        if not self.same_site(address) or not may_be_page(address):
            return False
        if self.listed_only:
            return is_document(address)
        return path_of(address).startswith(self.prefix) or is_document(address)

    def lists(self, address: str) -> bool:
        """Whether a page in a site map is read."""
        return self.same_site(address) and may_be_page(address) and path_of(address).startswith(self.prefix)
