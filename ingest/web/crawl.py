"""Crawl one site, nearest pages first, at its allowed rate.

A killed crawl is resumed by the next one with the same start. After a finished crawl, the next one requests only what
may have changed. Pages that the site no longer has are removed; those that do not answer stay unchanged.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

from backtrail.ingest.web.bounds import CrawlBounds
from backtrail.ingest.web.errors import NoSuchSite
from backtrail.ingest.web.frontier import Frontier
from backtrail.ingest.web.mirror import Mirror
from backtrail.ingest.web.report import SiteReport, summary
from backtrail.ingest.web.seeds import Opening, open_site, seed
from backtrail.ingest.web.visit_page import Spent, Visitor
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.web.crawling.address import normal
from backtrail.tools.web.crawling.polite_client import PoliteClient
from backtrail.tools.web.errors import Unfetched

SECONDS = "seconds"
_ANSWERS_PER_PAGE = 10
"""Maximum of requested addresses in one run, per page of the bound: a site may have endless dead links."""


def start_of(text: str) -> str:
    """Return the start address in its normal form.

    Raises:
        NoSuchSite: it is not an address.
    """
    start = normal(text)
    if not start:
        raise NoSuchSite(f"{text!r} is not the address of a site. Example: https://example.org/docs/")
    return start


def walk(start: str, mirror: Mirror, bounds: CrawlBounds, progress: Progress) -> SiteReport:
    """Crawl a site to update its stored files.

    Args:
        start: an address of the mirror's site, in its normal form.

    Raises:
        NoSuchSite: the start cannot be fetched, or redirects to another site.
        SettingsError: an environment variable is invalid.
        OSError: contents cannot be written.
    """
    return asyncio.run(_Walk(start, mirror, bounds, progress).run())


class _Walk:
    def __init__(self, start: str, mirror: Mirror, bounds: CrawlBounds, progress: Progress) -> None:
        self._start = start
        self._mirror = mirror
        self._ledger = mirror.ledger
        self._bounds = bounds
        self._progress = progress
        self._began = time.monotonic()
        self._until = self._began + bounds.seconds
        self._asking = PoliteClient(rate=bounds.rate, timeout=bounds.timeout, until=self._until)

    async def run(self) -> SiteReport:
        opening = await self._open()
        run, resumed = self._ledger.begin(opening.scope.name)
        report = SiteReport(self._start, opening.scope.prefix, resumed=resumed)
        frontier = Frontier(self._ledger, run, opening.scope, self._bounds)
        visitor = Visitor(self._mirror, run, frontier, self._asking, self._bounds)
        self._progress.stage("fetch")
        await seed(opening, frontier, self._asking, self._bounds, report.problems)
        report.stopped = await self._visit_all(run, "page", visitor)
        if not report.stopped:
            for page in self._ledger.not_met(run, opening.scope.name, "page"):
                frontier.again(page.url, page.depth)
            report.stopped = await self._visit_all(run, "page", visitor)
        if report.stopped != SECONDS:
            report.stopped = await self._visit_all(run, "picture", visitor) or report.stopped
        if not report.stopped:
            self._forget_pictures(run, opening)
        report.count(self._ledger, run)
        self._close(run, report)
        if next(self._ledger.held(), None) is None:
            raise NoSuchSite(f"{self._start}: nothing readable was found. {summary(report)}")
        return report

    async def _open(self) -> Opening:
        try:
            await self._asking.keep_pace(self._start)
        except Unfetched as error:
            raise NoSuchSite(f"{self._start} cannot be ingested. {error}") from error
        return await open_site(self._start, self._bounds, self._asking)

    async def _visit_all(self, run: int, role: str, visitor: Visitor) -> str:
        """Visit pending addresses; return the bound that ended it, or ""."""
        while (address := self._ledger.next(run, role)) is not None:
            if over := self._over(visitor.spent, role):
                return over
            await visitor.visit(address)
            self._progress.advance()
        return ""

    def _over(self, spent: Spent, role: str) -> str:
        """Return the reached bound; "" for none."""
        if time.monotonic() > self._until:
            return SECONDS
        if role == "page" and spent.pages >= self._bounds.pages:
            return "pages"
        if spent.bytes >= self._bounds.megabytes * 1e6:
            return "megabytes"
        return "answers" if spent.answers >= _ANSWERS_PER_PAGE * self._bounds.pages + 100 else ""

    def _forget_pictures(self, run: int, opening: Opening) -> None:
        """Remove pictures that no page shows any longer."""
        for picture in self._ledger.not_met(run, opening.scope.name, "picture"):
            self._mirror.remove(picture.file)
            self._ledger.record(replace(picture, outcome="gone", file="", sha256="", etag="", modified=""))

    def _close(self, run: int, report: SiteReport) -> None:
        """Complete the report, and finish the run unless it is out of time: other bounds would be reached again."""
        if report.stopped != SECONDS:
            if report.stopped:
                left = self._ledger.waiting(run, "page") + self._ledger.waiting(run, "picture")
                report.outside_bounds[report.stopped] = left
            self._ledger.finish(run)
        report.requests = self._asking.tally.requests
        report.seconds = round(time.monotonic() - self._began, 3)
