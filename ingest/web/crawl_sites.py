"""Crawl sites and ingest their pages together with files and folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from backtrail.ingest.web.bounds import CrawlBounds
from backtrail.ingest.web.mirror import Mirror, open_mirror
from backtrail.ingest.web.report import SiteReport
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.web.crawling.address import host_key


@contextmanager
def crawled_sites(
    addresses: Sequence[str], corpus: str, bounds: CrawlBounds, progress: Progress
) -> Iterator[tuple[list[Mirror], list[SiteReport]]]:
    """Crawl sites and keep their mirrors locked while they are ingested.

    Raises:
        NoSuchSite: an address is invalid, or its site cannot be reached.
        CorpusLocked: another process crawls one of the sites for this corpus.
        SettingsError: an environment variable is invalid.
    """
    if not addresses:
        yield [], []
        return
    from backtrail.ingest.web.crawl import start_of, walk

    starts = [start_of(address) for address in addresses]
    mirrors: dict[str, Mirror] = {}
    reports: list[SiteReport] = []
    with ExitStack() as opened:
        for start in dict.fromkeys(starts):
            host = host_key(start)
            if host not in mirrors:
                mirrors[host] = opened.enter_context(open_mirror(corpus, start))
            reports.append(walk(start, mirrors[host], bounds, progress))
        yield list(mirrors.values()), reports
