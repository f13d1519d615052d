"""Seeds of a crawl: the start address, the pages in the site's maps, or those of one given site map."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.ingest.web.bounds import CrawlBounds
from backtrail.ingest.web.errors import NoSuchSite
from backtrail.ingest.web.frontier import Frontier
from backtrail.ingest.web.media_types import PAGE_TYPES, SITE_MAP_TYPES
from backtrail.ingest.web.scope import Scope
from backtrail.tools.web.crawling.address import folder_of, host_key, normal
from backtrail.tools.web.crawling.polite_client import Moved, PoliteClient
from backtrail.tools.web.crawling.site_maps import MOST_BYTES, looks_like_site_map, read_site_map
from backtrail.tools.web.errors import Unfetched

MOST_SITE_MAPS = 100
_MOST_MOVES = 5


@dataclass(frozen=True)
class Opening:
    """The first answer of a site.

    Attributes:
        start: its address, after redirects within the site.
        site_map: its contents if it is a site map; else empty.
    """

    start: str
    scope: Scope
    site_map: bytes = b""


async def open_site(start: str, bounds: CrawlBounds, asking: PoliteClient) -> Opening:
    """Request the start address; the scope depends on whether it is a page or a site map.

    Raises:
        NoSuchSite: it cannot be fetched, or redirects to another site.
    """
    host, url = host_key(start), start
    types = tuple(dict.fromkeys((*PAGE_TYPES, *SITE_MAP_TYPES)))
    for _ in range(_MOST_MOVES + 1):
        here = url
        try:
            answer = await asking.answer(
                here, kinds=types, most_bytes=MOST_BYTES, same=lambda hop, here=here: normal(hop) == here
            )
        except Moved as moved:
            if host_key(moved.to) != host:
                raise NoSuchSite(
                    f"{start} redirects to another site, {moved.to}. Give that address to ingest it."
                ) from None
            url = moved.to
            continue
        except Unfetched as error:
            raise NoSuchSite(f"{start} cannot be ingested. {error} Pages ingested before are kept.") from error
        if not 200 <= answer.status < 300:
            kept = "Pages ingested before are kept."
            raise NoSuchSite(f"{start} cannot be ingested: it answers with HTTP {answer.status}. {kept}")
        site_map = answer.body if looks_like_site_map(answer.body) else b""
        scope = Scope(host, bounds.prefix or folder_of(url), listed_only=bool(site_map))
        return Opening(url, scope, site_map)
    raise NoSuchSite(f"{start} redirects more than {_MOST_MOVES} times.")


async def seed(
    opening: Opening, frontier: Frontier, asking: PoliteClient, bounds: CrawlBounds, problems: list[str]
) -> None:
    """Queue the seeds of a crawl; problems with site maps are added to ``problems``."""
    if opening.site_map:
        await _Listing(opening.scope, frontier, asking, bounds, problems).read([opening.start], opening.site_map)
        return
    frontier.start(opening.start)
    named = [normal(url, opening.start) for url in (await asking.site_maps(opening.start))[:MOST_SITE_MAPS]]
    if named:
        await _Listing(opening.scope, frontier, asking, bounds, problems).read(list(filter(None, named)))
    else:  # the usual address; many sites have one that robots.txt does not name
        usual = normal("/sitemap.xml", opening.start)
        await _Listing(opening.scope, frontier, asking, bounds, []).read([usual])


class _Listing:
    """Reads site maps, and those that they list, until enough pages are known."""

    def __init__(
        self, scope: Scope, frontier: Frontier, asking: PoliteClient, bounds: CrawlBounds, problems: list[str]
    ) -> None:
        self._scope = scope
        self._frontier = frontier
        self._asking = asking
        self._most = 2 * bounds.pages
        self._problems = problems
        self._listed = 0

    async def read(self, maps: list[str], first: bytes = b"") -> None:
        """Read site maps in order; ``first`` is the content of the first one."""
        read, waiting = 0, list(dict.fromkeys(maps))
        met = set(waiting)
        while waiting and self._listed < self._most:
            if read >= MOST_SITE_MAPS:
                self._problems.append(f"only {MOST_SITE_MAPS} site maps are read; {len(waiting)} are left")
                return
            url = waiting.pop(0)
            content = first if first and not read else await self._content(url)
            read += 1
            found = read_site_map(content) if content else None
            if found is None:
                continue
            if found.problem:
                self._problems.append(f"site map {url} – {found.problem}")
            for page in found.pages:
                self._listed += self._frontier.listed(normal(page.url, url), page.changed)
            more = [address for address in (normal(one, url) for one in found.maps) if address not in met]
            elsewhere = [address for address in more if not self._scope.same_site(address)]
            if elsewhere:
                self._problems.append(f"site map {url} – {len(elsewhere)} further ones are on another site")
            waiting += [address for address in dict.fromkeys(more) if self._scope.same_site(address)]
            met.update(more)

    async def _content(self, url: str) -> bytes:
        if not self._scope.same_site(url):
            self._problems.append(f"site map {url} – it is on another site")
            return b""
        try:
            answer = await self._asking.answer(url, kinds=SITE_MAP_TYPES, most_bytes=MOST_BYTES, same=self._same_site)
        except Unfetched as error:
            self._problems.append(f"site map {url} – {error}")
            return b""
        if not 200 <= answer.status < 300:
            self._problems.append(f"site map {url} – it answers with HTTP {answer.status}")
            return b""
        is_page = answer.kind == "text/html" and not looks_like_site_map(answer.body)
        return b"" if is_page else answer.body

    def _same_site(self, hop: str) -> bool:
        return self._scope.same_site(normal(hop))
