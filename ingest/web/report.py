"""What a walk over a site met, for people and for scripts."""

from __future__ import annotations

from dataclasses import dataclass, field

from backtrail.tools.web.crawling.frontier_store import Ledger

EXAMPLES = 3


@dataclass
class SiteReport:
    """Counts of one walk, which may have been interrupted and resumed.

    Attributes:
        start: the address that was given.
        prefix: the start of the paths that were followed.
        read: pages and documents that are new or changed.
        unchanged: those that the site says, or their contents show, are as they were.
        same: addresses that lead to a page with another address.
        gone: pages and pictures that were held and that the site no longer has.
        refused: addresses left out by cause: robots.txt, noindex, a media type, an address that may not be asked.
        dead: addresses without an answer that can be used, by cause, with examples in ``examples``. Of those that were
            held, the earlier version stays.
        beyond: addresses over a bound, by which.
        pictures, pictures_refused: of pages; the latter by cause.
        problems: what could not be read of site maps and the like.
        stopped: the bound that ended the walk before its end; "" if none did. Run again, it goes on.
        requests: that went over the network in this process.
        bytes: new or changed contents.
    """

    start: str
    prefix: str = "/"
    read: int = 0
    unchanged: int = 0
    same: int = 0
    gone: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    dead: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)
    beyond: dict[str, int] = field(default_factory=dict)
    pictures: int = 0
    pictures_refused: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    stopped: str = ""
    resumed: bool = False
    requests: int = 0
    bytes: int = 0
    seconds: float = 0.0

    def count(self, ledger: Ledger, run: int) -> None:
        """Take the counts of a run from its ledger."""
        for outcome, cause, fresh, number, held in ledger.outcomes(run, ("page",)):
            if outcome == "held" and not cause:
                self.read += number if fresh else 0
                self.unchanged += 0 if fresh else number
            elif outcome == "same":
                self.same += number
            elif outcome == "gone" and fresh:
                self.gone += number
            elif outcome == "refused":
                self.refused[cause] = self.refused.get(cause, 0) + number
            else:
                self.dead[cause] = self.dead.get(cause, 0) + number
                of_cause = ledger.examples(run, outcome, cause, EXAMPLES)
                self.examples[cause] = [*self.examples.get(cause, []), *of_cause][:EXAMPLES]
            self.bytes += held
        for outcome, cause, _, number, held in ledger.outcomes(run, ("picture",)):
            if outcome in ("held", "same"):
                self.pictures += number
            else:
                self.pictures_refused[cause] = self.pictures_refused.get(cause, 0) + number
            self.bytes += held
        self.beyond = ledger.beyond(run)


def told(report: SiteReport) -> str:
    """What was left out, by cause, in a sentence each."""
    counted = (("refused", report.refused), ("dead", report.dead), ("over bounds", report.beyond))
    found = (
        f"{name}: {', '.join(f'{cause}: {n}' for cause, n in causes.items())}" for name, causes in counted if causes
    )
    return ". ".join((*found, *report.problems))
