"""How far a site is followed."""

from __future__ import annotations

from dataclasses import dataclass, fields

from backtrail.tools.errors import SettingsError

MOST_RATE = 1000.0


@dataclass(frozen=True)
class CrawlBounds:
    """The bounds of one walk over a site.

    Attributes:
        pages: pages and documents that are read, those that did not change included.
        depth: links from the start; pages of a site map count as one away from it.
        seconds: after which the walk stops; run again, it goes on.
        megabytes: of all that is fetched in one run.
        rate: requests a second; a longer delay that robots.txt asks for wins.
        prefix: start of the paths that are followed; "" takes the folder of the address.
        pictures: whether the pictures of pages are fetched.
        page_bytes, document_bytes, picture_bytes: most bytes of one; larger ones are left out.
        timeout: seconds for one page or picture, redirects included.
        queries: addresses that differ in their query only.
        page_links, page_pictures: taken of one page.
        waiting: addresses that are remembered for later.
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
        """Raises SettingsError: a bound that is not above 0, or a prefix that is no path."""
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name == "depth" else 1e-9
            if isinstance(value, (int, float)) and not isinstance(value, bool) and not value >= least:
                raise SettingsError(f"{field.name} {value!r} is no bound: give a number above 0.")
        if self.rate > MOST_RATE:
            raise SettingsError(f"rate {self.rate!r} is more than {MOST_RATE:g} requests a second.")
        if self.prefix and not self.prefix.startswith("/"):
            raise SettingsError(f"{self.prefix!r} is no start of a path: it begins with a slash, such as /docs/.")
