"""Lines that report a crawl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backtrail.cli.show.ingest_lines import counted

if TYPE_CHECKING:
    from backtrail.ingest.web.report import SiteReport


def crawl_lines(site: SiteReport) -> Iterator[str]:
    """Yield the counts of pages, then the counts by cause of everything left out."""
    resumed = ", resumed" if site.resumed else ""
    yield (
        f"{site.start} (below {site.prefix}{resumed}): {site.read} pages read, {site.unchanged} unchanged, "
        f"{site.removed} gone, {site.alias_addresses} other addresses of these; {site.requests} requests, "
        f"{site.bytes / 1e6:.1f} MB; {site.seconds:.1f} s"
    )
    if site.refused:
        yield f"  refused: {counted(site.refused)}"
    if site.dead_links:
        yield f"  dead: {counted(site.dead_links)}"
        for cause, addresses in site.examples.items():
            yield f"    {cause}: {'; '.join(addresses)}"
    if site.pictures or site.pictures_refused:
        causes = f"; left out: {counted(site.pictures_refused)}" if site.pictures_refused else ""
        yield f"  pictures fetched or unchanged: {site.pictures}{causes}"
    if site.outside_bounds:
        yield f"  over bounds: {counted(site.outside_bounds)}"
    for problem in site.problems:
        yield f"  {problem}"
    if site.stopped == "seconds":
        yield "  stopped when the time was up: run the same command again to continue"
