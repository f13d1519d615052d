"""Remove blocks that most pages of a site repeat; one page keeps them.

They are found in a sample of the site's pages. Repeated text between a page's own blocks is kept, since it may be a
value of the page, such as "Status: closed".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from weakref import WeakKeyDictionary

from backtrail.ingest.adjacent_captions import with_captions
from backtrail.ingest.draft import Draft
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.html.boilerplate import mark_boilerplate
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.markup import parse_markup
from backtrail.ingest.html.short_block_boxes import mark_entries
from backtrail.ingest.html.source import read_text
from backtrail.ingest.html.walk_tree import PageWalker
from backtrail.ingest.parse_cache.trace_dependencies import question
from backtrail.ingest.sites.site_map import SiteMap

LEAST_PAGES = 5
NEARLY_ALL = 0.9
"""Minimum share of the sample with a block at the start or end of pages (ours)."""

MOST = 0.6
"""Minimum share of the sample with a block that is mostly links (ours)."""

_LINKED = 0.5

_SHARES = {"end": NEARLY_ALL, "amid": MOST}


@dataclass
class _Site:
    """Repeated blocks of a site: the page that keeps each, and its share of the sample."""

    keeper: dict[str, str] = field(default_factory=dict)
    shares: dict[str, float] = field(default_factory=dict)


_read_sites: WeakKeyDictionary[SiteMap, dict[tuple[str, str], _Site]] = WeakKeyDictionary()


def without_repeated(drafts: Sequence[Draft], page: str, site_map: SiteMap) -> tuple[list[Draft], int]:
    """Return the blocks of a saved page that are its own, and the number of removed ones.

    Names in removed blocks lead to the first kept one.
    """

    def repeats(draft: Draft, where: str) -> bool:
        key = _key(draft)
        return bool(key) and is_repeated(site_map, page, key, where)

    first, last = 0, len(drafts)
    while first < last and repeats(drafts[first], "end"):
        first += 1
    while last > first and repeats(drafts[last - 1], "end"):
        last -= 1
    own = [draft for draft in drafts[first:last] if not (_is_linked(draft) and repeats(draft, "amid"))]
    kept = set(map(id, own))
    for draft in own[:1]:
        draft.ids.extend(name for other in drafts if id(other) not in kept for name in other.ids)
    return own, len(drafts) - len(own)


@question
def is_repeated(site_map: SiteMap, page: str, key: str, where: str) -> bool:
    """Return whether a block is repeated on the page's site and another page keeps it.

    Args:
        key: digest of the block.
        where: "end" for a block before or after all of the page's own, "amid" for one that is mostly links.
    """
    if len(site_map.saved.of_same_site(page)) < LEAST_PAGES:
        return False
    known = _read_sites.setdefault(site_map, {})
    name = site_map.saved.site(page)
    if name not in known:
        known[name] = _read_sample(site_map.saved.sample(page), site_map)
    site = known[name]
    return site.shares.get(key, 0.0) >= _SHARES[where] and site.keeper[key] != page


def _read_sample(sample: Sequence[str], site_map: SiteMap) -> _Site:
    having: dict[str, list[str]] = defaultdict(list)
    for page in sample:
        for key in dict.fromkeys(_key(draft) for draft in _blocks(page, site_map)):
            if key:
                having[key].append(page)
    least = max(LEAST_PAGES - 1, MOST * len(sample))
    often = {key: found for key, found in having.items() if len(found) >= least}
    shares = {key: len(found) / len(sample) for key, found in often.items()}
    return _Site({key: found[0] for key, found in often.items()}, shares)


def _blocks(document_id: str, site_map: SiteMap) -> list[Draft]:
    """Return the blocks of another page of the folder; none if it cannot be read."""
    path = site_map.path_of(document_id)
    if path is None:
        return []
    try:
        tree, _ = parse_markup(read_text(path, "HTML page"))
    except UnreadableSource:
        return []
    body = tree.find("body")
    body = tree if body is None else body
    mark_boilerplate(body)
    mark_entries(body)
    return with_captions(PageWalker("", LinkTargets(document_id)).walk(body))


def _key(draft: Draft) -> str:
    """Return a digest of a block's text without its section; "" for blocks that are not compared."""
    if draft.picture is not None or draft.table is not None or not draft.text:
        return ""
    return blake2b(draft.text.encode(errors="surrogatepass"), digest_size=12).hexdigest()


def _is_linked(draft: Draft) -> bool:
    return sum(len(link.anchor) for link in draft.links) >= _LINKED * max(len(draft.text), 1)
