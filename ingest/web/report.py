"""Report of a crawl, for people and scripts."""

from __future__ import annotations

from dataclasses import dataclass, field

from backtrail.tools.web.crawling.frontier_store import FrontierStore

EXAMPLES = 3


@dataclass
class SiteReport:
    """Counts of one crawl, which may have been interrupted and resumed.

    Attributes:
        start: the start address.
        prefix: the start of the followed paths.
        read: new or changed pages and documents.
        unchanged: unchanged ones, by the site's answer or by their contents.
        alias_addresses: addresses of pages that have another address.
        removed: stored pages and pictures that the site no longer has.
        refused: addresses left out by cause: robots.txt, noindex, a media type, a forbidden address.
        dead_links: addresses without a usable answer, by cause, with ``examples``. Stored versions are kept.
        outside_bounds: addresses beyond the bounds, by bound.
        pictures, pictures_refused: pictures of pages; the latter by cause.
        problems: problems with site maps.
        stopped: the bound that stopped the crawl; "" if none did. The next run resumes it.
        requests: network requests of this process.
        bytes: new or changed contents.
    """

    start: str
    prefix: str = "/"
    read: int = 0
    unchanged: int = 0
    alias_addresses: int = 0
    removed: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    dead_links: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)
    outside_bounds: dict[str, int] = field(default_factory=dict)
    pictures: int = 0
    pictures_refused: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    stopped: str = ""
    resumed: bool = False
    requests: int = 0
    bytes: int = 0
    seconds: float = 0.0

    def count(self, ledger: FrontierStore, run: int) -> None:
        """Take the counts of a run from its ledger."""
        for outcome, cause, fresh, number, size in ledger.outcomes(run, ("page",)):
            if outcome == "held" and not cause:
                self.read += number if fresh else 0
                self.unchanged += 0 if fresh else number
            elif outcome == "same":
                self.alias_addresses += number
            elif outcome == "gone" and fresh:
                self.removed += number
            elif outcome == "refused":
                self.refused[cause] = self.refused.get(cause, 0) + number
            else:
                self.dead_links[cause] = self.dead_links.get(cause, 0) + number
                of_cause = ledger.examples(run, outcome, cause, EXAMPLES)
                self.examples[cause] = [*self.examples.get(cause, []), *of_cause][:EXAMPLES]
            self.bytes += size
        for outcome, cause, _, number, size in ledger.outcomes(run, ("picture",)):
            if outcome in ("held", "same"):
                self.pictures += number
            else:
                self.pictures_refused[cause] = self.pictures_refused.get(cause, 0) + number
            self.bytes += size
        self.outside_bounds = ledger.beyond(run)


def summary(report: SiteReport) -> str:
    """Return what was left out, by cause, one sentence each."""
    counted = (("refused", report.refused), ("dead", report.dead_links), ("over bounds", report.outside_bounds))
    found = (
        f"{name}: {', '.join(f'{cause}: {n}' for cause, n in causes.items())}" for name, causes in counted if causes
    )
    return ". ".join((*found, *report.problems))
