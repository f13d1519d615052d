"""Frontier of a crawl: pending addresses within the bounds, each once, nearest to the start first."""

from __future__ import annotations

from backtrail.ingest.web.bounds import CrawlBounds
from backtrail.ingest.web.references import References
from backtrail.ingest.web.scope import Scope
from backtrail.tools.web.crawling.address import endless, key, shape
from backtrail.tools.web.crawling.frontier_store import FrontierStore


class Frontier:
    """Pending addresses of one run. Addresses beyond a bound are stored with the bound and not requested."""

    def __init__(self, ledger: FrontierStore, run: int, scope: Scope, bounds: CrawlBounds) -> None:
        self._ledger = ledger
        self._run = run
        self._scope = scope
        self._bounds = bounds
        self._pending = ledger.waiting(run, "page") + ledger.waiting(run, "picture")

    def start(self, url: str) -> None:
        """Add the start address."""
        self._ledger.queue(self._run, key(url), url, "page", self._scope.name, 0)

    def listed(self, url: str, changed: float) -> bool:
        """Add an address of a site map; return whether it is within the bounds."""
        return self._scope.lists(url) and self._add(url, "page", 1, changed)

    def moved(self, url: str, depth: int, role: str) -> bool:
        """Add the target of a redirect; return whether it is within the bounds."""
        wanted = (
            self._scope.same_site(url) if role == "picture" else self._scope.has_page(url) or self._scope.lists(url)
        )
        return wanted and self._add(url, role, depth + 1)

    def again(self, url: str, depth: int) -> None:
        """Add a page of an earlier run, to check whether it still exists."""
        self._add(url, "page", depth)

    def refer(self, found: References, depth: int) -> None:
        """Add the links and pictures of a page."""
        for url in found.links:
            if self._scope.has_page(url):
                self._add(url, "page", depth + 1)
        for url in found.pictures if self._bounds.pictures else ():
            if self._scope.same_site(url):
                self._add(url, "picture", depth)

    def _add(self, url: str, role: str, depth: int, changed: float = 0.0) -> bool:
        name = key(url)
        known = self._ledger.is_queued(self._run, name)
        over = "" if known else self._over(url, depth)
        if over:
            self._ledger.note_beyond(self._run, over, name)
            return False
        self._ledger.queue(self._run, name, url, role, self._scope.name, depth, changed)
        self._pending += not known
        return True

    def _over(self, url: str, depth: int) -> str:
        if sign := endless(url):
            return sign
        if depth > self._bounds.depth:
            return "depth"
        if self._pending >= self._bounds.waiting:
            return "pending addresses"
        alike = shape(url)
        if alike and self._ledger.queries(self._run, alike) >= self._bounds.queries:
            return "addresses that differ in their query only"
        return ""
