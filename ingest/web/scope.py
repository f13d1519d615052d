"""What belongs to a walk: one host, below one path."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.ingest.web.media_types import is_document, may_be_page
from backtrail.tools.web.crawling.address import host_key, path_of


@dataclass(frozen=True)
class Scope:
    """The site of an address, below a path.

    Attributes:
        host: with its port, without ``www.``; http and https are one.
        prefix: start of the paths of pages.
        listed_only: whether only what site maps list is read, and what it shows.
    """

    host: str
    prefix: str
    listed_only: bool = False

    @property
    def name(self) -> str:
        """What runs and addresses of this scope are kept under."""
        return f"{'listed ' if self.listed_only else ''}{self.prefix}"

    def same_site(self, address: str) -> bool:
        """Whether an address is one of the host."""
        return host_key(address) == self.host

    def has_page(self, address: str) -> bool:
        """Whether a link may be followed: to pages below the path, and to documents anywhere on the host."""
        if not self.same_site(address) or not may_be_page(address):
            return False
        if self.listed_only:
            return is_document(address)
        return path_of(address).startswith(self.prefix) or is_document(address)

    def lists(self, address: str) -> bool:
        """Whether a page that a site map lists is read."""
        return self.same_site(address) and may_be_page(address) and path_of(address).startswith(self.prefix)
