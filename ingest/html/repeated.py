"""Blocks that most pages of one site repeat: notices, disclaimers, lists of links. One page keeps each.

A sample of the pages of a site is read to find them. What stands amid a page's own blocks stays, however often it
recurs: it may be the page's own value, as "Status: closed" is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from backtrail.ingest.draft import Draft
from backtrail.ingest.sites.site_map import SiteMap

SAMPLE = 12
"""Pages of a site that are read twice; ours."""

LEAST_PAGES = 5
NEARLY_ALL = 0.9
"""Share of the sample that has a block at its start or end; ours."""

MOST = 0.6
"""Share of the sample that has a block which is mostly links; ours."""

_LINKED = 0.5

ReadPage = Callable[[str], Sequence[Draft]]
"""The blocks of the page with an id; none where it cannot be read."""


@dataclass
class _Site:
    """What the sample of one site has: for each block the page that keeps it, with the share of pages that have it."""

    keeper: dict[str, str] = field(default_factory=dict)
    shares: dict[str, float] = field(default_factory=dict)

    def repeats(self, draft: Draft, page: str, share: float) -> bool:
        """Whether so large a share of pages has a block, and another page keeps it."""
        return self.shares.get(_key(draft), 0.0) >= share and self.keeper[_key(draft)] != page


_read_sites: WeakKeyDictionary[SiteMap, dict[str, _Site]] = WeakKeyDictionary()


def without_repeated(
    drafts: Sequence[Draft], page: str, site_map: SiteMap, pages: Collection[str], read: ReadPage
) -> tuple[list[Draft], int]:
    """The blocks of a page that are its own, and how many were left out. Names in these lead to the first that stays.

    Args:
        pages: ids of all saved pages of its site, this one included.
        read: reads another page.
    """
    if len(pages) < LEAST_PAGES:
        return list(drafts), 0
    known = _read_sites.setdefault(site_map, {})
    name = min(pages)
    if name not in known:
        known[name] = _read_sample(sorted(pages), read)
    site = known[name]
    first, last = 0, len(drafts)
    while first < last and site.repeats(drafts[first], page, NEARLY_ALL):
        first += 1
    while last > first and site.repeats(drafts[last - 1], page, NEARLY_ALL):
        last -= 1
    own = [draft for draft in drafts[first:last] if not (_is_linked(draft) and site.repeats(draft, page, MOST))]
    kept = set(map(id, own))
    for draft in own[:1]:
        draft.ids.extend(name for other in drafts if id(other) not in kept for name in other.ids)
    return own, len(drafts) - len(own)


def _read_sample(pages: list[str], read: ReadPage) -> _Site:
    sample = [pages[number * len(pages) // min(SAMPLE, len(pages))] for number in range(min(SAMPLE, len(pages)))]
    having: dict[str, list[str]] = defaultdict(list)
    for page in sample:
        for key in dict.fromkeys(_key(draft) for draft in read(page)):
            if key:
                having[key].append(page)
    least = max(LEAST_PAGES - 1, MOST * len(sample))
    often = {key: found for key, found in having.items() if len(found) >= least}
    shares = {key: len(found) / len(sample) for key, found in often.items()}
    return _Site({key: found[0] for key, found in often.items()}, shares)


def _key(draft: Draft) -> str:
    """The text of a block without its section; "" for what is not compared."""
    return draft.text if draft.picture is None and draft.table is None else ""


def _is_linked(draft: Draft) -> bool:
    return sum(len(link.anchor) for link in draft.links) >= _LINKED * max(len(draft.text), 1)
