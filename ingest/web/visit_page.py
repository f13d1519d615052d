"""Visit one address of a site: fetch, store, extract links."""

from __future__ import annotations

import hashlib
import re
import time
from dataclasses import dataclass, replace

from backtrail.ingest.web.bounds import CrawlBounds
from backtrail.ingest.web.frontier import Frontier
from backtrail.ingest.web.media_types import PAGE_TYPES, PICTURE_TYPES, extension, is_document
from backtrail.ingest.web.mirror import Mirror
from backtrail.ingest.web.references import References, header_directives, page_references
from backtrail.tools.charsets import decode_charset
from backtrail.tools.web.crawling.address import key, normal
from backtrail.tools.web.crawling.frontier_store import Address
from backtrail.tools.web.crawling.polite_client import Moved, PoliteClient
from backtrail.tools.web.errors import Refused, Unfetched
from backtrail.tools.web.fetching.fetch import Fetched

TRUSTED_SECONDS = 30 * 86_400
"""Maximum age of a stored page that counts as unchanged by its site map."""

_HTML = (".html", ".htm", ".xhtml")
_GONE = (404, 410)
_TAG = re.compile(rb"<[^<>]{0,2000}>")
_WORD = re.compile(rb"[\w\x80-\xff]{2,40}")
_ALIKE = 0.9


@dataclass
class Spent:
    """Usage of a run's bounds: stored pages and documents, requested addresses, new or changed bytes."""

    pages: int = 0
    answers: int = 0
    bytes: int = 0


class Visitor:
    """Visits addresses for one run. ``spent`` includes what the run used before an interruption."""

    def __init__(self, mirror: Mirror, run: int, frontier: Frontier, asking: PoliteClient, bounds: CrawlBounds) -> None:
        self._mirror = mirror
        self._ledger = mirror.ledger
        self._run = run
        self._frontier = frontier
        self._asking = asking
        self._bounds = bounds
        self.spent = Spent()
        for role in ("page", "picture"):
            for outcome, _, _, number, size in self._ledger.outcomes(run, (role,)):
                self._spend(role, outcome, size, number)

    def _spend(self, role: str, outcome: str, size: int, number: int = 1) -> None:
        self.spent.answers += number
        self.spent.pages += number if role == "page" and outcome == "held" else 0
        self.spent.bytes += size

    async def visit(self, address: Address, *, nested: bool = False) -> None:
        """Request one address and store the outcome.

        Args:
            nested: the address is visited because it is the canonical address of another page.

        Raises:
            OSError: its contents cannot be written.
        """
        intact = self._mirror.intact(address)
        if intact and self._listed_as_unchanged(address):
            self._still_there(address)
            return
        try:
            answer = await self._ask(address, intact)
        except Moved as moved:
            self._moved(address, moved.to)
        except Refused as error:
            self._drop(address, "refused", error.cause)
        except Unfetched as error:
            self._no_answer(address, error.cause)
        else:
            address = replace(address, fetched=time.time())
            if answer.status == 304 and intact:
                self._still_there(address)
            elif answer.status in _GONE:
                self._drop(address, "gone", f"HTTP {answer.status}")
            elif not 200 <= answer.status < 300:
                self._no_answer(address, f"HTTP {answer.status}")
            else:
                await self._take(address, answer, nested=nested)

    async def _ask(self, address: Address, intact: bool) -> Fetched:
        picture = address.role == "picture"
        most = self._bounds.picture_bytes if picture else self._bounds.page_bytes
        if not picture and is_document(address.url):
            most = self._bounds.document_bytes
        conditions = {"If-None-Match": address.etag, "If-Modified-Since": address.modified} if intact else {}
        return await self._asking.answer(
            address.url,
            kinds=PICTURE_TYPES if picture else PAGE_TYPES,
            most_bytes=most,
            same=lambda hop: key(normal(hop)) == address.key,
            conditions={name: value for name, value in conditions.items() if value},
        )

    def _listed_as_unchanged(self, address: Address) -> bool:
        """Whether a page is older than our recent copy, by its site map."""
        young = time.time() - address.fetched < TRUSTED_SECONDS
        return young and 0 < address.changed < address.fetched - 86_400 * (address.changed % 86_400 == 0)

    # --- answers with contents ---------------------------------------------------------------------------

    async def _take(self, address: Address, answer: Fetched, *, nested: bool) -> None:
        ending = extension(answer.kind, address.url)
        if not ending or not answer.body.strip():
            self._drop(address, "refused", answer.kind if answer.body.strip() else "no contents")
            return
        url = normal(answer.url) or address.url
        content = _in_utf8(answer) if answer.kind.startswith("text/") else answer.body
        header = answer.headers.get("x-robots-tag", "")
        found = self._references(content, url, header) if ending in _HTML else _directed(header)
        if not found.index:
            self._drop(address, "refused", "noindex", found)
            return
        digest = hashlib.sha256(content).hexdigest()
        other = await self._same_page(address, content, digest, found.canonical, nested=nested)
        if other is not None:
            self._drop(replace(address, same_as=other), "same", "", found)
            return
        before = self._mirror.intact(address)
        changed = not before or digest != address.sha256 or not address.file.endswith(ending)
        file = self._mirror.keep(address.key, url, ending, content, address.file) if changed else address.file
        kept = replace(
            address, url=url, outcome="held", file=file, sha256=digest, bytes=len(content), kind=answer.kind,
            etag=answer.headers.get("etag", "")[:500], modified=answer.headers.get("last-modified", "")[:100],
        )  # fmt: skip
        self._record(kept, fresh=changed, found=found)

    def _still_there(self, address: Address) -> None:
        """Record that the stored copy is current."""
        content = self._mirror.path(address).read_bytes() if address.file.endswith(_HTML) else b""
        self._record(address, found=self._references(content, address.url, "") if content else References())

    def _references(self, content: bytes, url: str, header: str) -> References:
        return page_references(
            content,
            url,
            header=header,
            most_links=self._bounds.page_links,
            pictures=self._bounds.page_pictures if self._bounds.pictures else 0,
        )

    async def _same_page(
        self, address: Address, content: bytes, digest: str, canonical: str, *, nested: bool
    ) -> str | None:
        """Return the key of a page that replaces this one: with the same contents, or at its canonical address."""
        if address.role == "picture":
            return None
        holder = self._ledger.holder(digest, self._run)
        if holder is not None and holder.key != address.key:
            return holder.key
        if not canonical or key(canonical) == address.key:
            return None
        if not nested and self._frontier.moved(canonical, address.depth - 1, "page"):
            other = self._ledger.get(key(canonical))
            if other is not None and other.visited < self._run:
                await self.visit(other, nested=True)
        other = self._ledger.get(key(canonical))
        if other is None or other.visited < self._run or other.outcome != "held" or not self._mirror.intact(other):
            return None
        return other.key if _adds_nothing(content, self._mirror.path(other).read_bytes()) else None

    # --- answers without contents ------------------------------------------------------------------------

    def _moved(self, address: Address, to: str) -> None:
        """Record a redirect; redirects in a circle count as dead."""
        met, there = {address.key}, key(to)
        while there and there not in met:
            met.add(there)
            other = self._ledger.get(there)
            there = other.same_as if other and other.visited == self._run and other.outcome == "same" else ""
        if there:
            self._drop(address, "dead", "redirects without end")
        elif self._frontier.moved(to, address.depth, address.role):
            self._drop(replace(address, same_as=key(to)), "same", "")
        else:
            self._drop(address, "refused", "redirects out of the bounds")

    def _drop(self, address: Address, outcome: str, cause: str, found: References | None = None) -> None:
        """Remove the file of an address and record why."""
        self._mirror.remove(address.file)
        dropped = replace(address, outcome=outcome, cause=cause, file="", sha256="", bytes=0, etag="", modified="")
        self._record(dropped, cause=cause, fresh=address.outcome == "held", found=found)

    def _no_answer(self, address: Address, cause: str) -> None:
        """Record a failed request; the stored copy is kept."""
        outcome = address.outcome if self._mirror.intact(address) else "dead"
        self._record(replace(address, outcome=outcome), cause=cause)

    def _record(
        self, address: Address, *, cause: str = "", fresh: bool = False, found: References | None = None
    ) -> None:
        self._spend(address.role, address.outcome, address.bytes if fresh else 0)
        with self._ledger.together():
            self._ledger.record(replace(address, visited=self._run, cause=cause, fresh=int(fresh)))
            if found is not None:
                self._frontier.refer(found, address.depth)


def _directed(header: str) -> References:
    """Return the directives of X-Robots-Tag for a file without links."""
    robots = header_directives(header)
    return References(index=robots.index, follow=robots.follow)


def _in_utf8(answer: Fetched) -> bytes:
    """Convert a text to UTF-8 whose charset is only given in the header."""
    if answer.charset in ("", "utf-8", "utf8", "us-ascii"):
        return answer.body
    try:
        answer.body.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return answer.body
    text = decode_charset(answer.body, answer.charset, "replace")
    return answer.body if text is None else text.encode("utf-8-sig")


def _adds_nothing(content: bytes, other: bytes) -> bool:
    """Whether another page has nearly all words of a page: some sites give their start page as canonical for all."""
    words, there = (set(_WORD.findall(_TAG.sub(b" ", text))) for text in (content, other))
    return len(words & there) >= _ALIKE * len(words)
