"""Bounds of a crawl."""

from __future__ import annotations

from dataclasses import dataclass, fields

from backtrail.tools.errors import SettingsError

MOST_RATE = 1000.0


@dataclass(frozen=True)
class CrawlBounds:
    """Bounds of one crawl of a site.

    Attributes:
        pages: maximum of pages and documents, unchanged ones included.
        depth: maximum of links from the start; pages of a site map have depth 1.
        seconds: time after which the crawl stops; the next run resumes it.
        megabytes: maximum fetched in one run.
        rate: requests per second; a longer delay in robots.txt takes precedence.
        prefix: start of the paths that are followed; "" means the folder of the address.
        pictures: whether the pictures of pages are fetched.
        page_bytes, document_bytes, picture_bytes: maximum of bytes; larger ones are left out.
        timeout: seconds for one page or picture, redirects included.
        queries: maximum of addresses that differ only in their query.
        page_links, page_pictures: maximum per page.
        waiting: maximum of pending addresses.
    """

    pages: int = 1000
    depth: int = 16
    seconds: float = 3600.0
    megabytes: float = 1000.0
    rate: float = 2.0
    prefix: str = ""
    pictures: bool = True
    page_bytes: int = 10_000_000
    document_bytes: int = 50_000_000
    picture_bytes: int = 20_000_000
    timeout: float = 60.0
    queries: int = 50
    page_links: int = 5_000
    page_pictures: int = 200
    waiting: int = 200_000

    def __post_init__(self) -> None:
        """Raise SettingsError for a bound that is not above 0, or a prefix that is not a path."""
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name == "depth" else 1e-9
            if isinstance(value, (int, float)) and not isinstance(value, bool) and not value >= least:
                raise SettingsError(f"{field.name} {value!r} is not a bound: give a number above 0.")
        if self.rate > MOST_RATE:
            raise SettingsError(f"rate {self.rate!r} is more than {MOST_RATE:g} requests per second.")
        if self.prefix and not self.prefix.startswith("/"):
            raise SettingsError(f"{self.prefix!r} is not the start of a path: begin with a slash, such as /docs/.")
