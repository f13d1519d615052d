"""Page hierarchy of a site: parent, trail and children of each page."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from backtrail.ingest.sites.page_heads import PageHead
from backtrail.ingest.sites.page_keys import ancestors, is_index


@dataclass
class Place:
    """Place of one page in the hierarchy.

    Attributes:
        parent: document id of the page above; "" for none.
        trail: names of the pages above, outermost first.
        children: document ids of the pages right below, in order.
    """

    parent: str = ""
    trail: tuple[str, ...] = ()
    children: list[str] = field(default_factory=list)


def places_of(pages: Iterable[str], heads: Mapping[str, PageHead]) -> dict[str, Place]:
    """Return the place of each page below an index page (``index``, ``_index``, ``README``) of its folder.

    Args:
        pages: document ids.
        heads: heads of Markdown pages. Pages with a weight come first; Hugo's weight of 0 means none.
    """
    nameless = PageHead()
    listed = sorted(pages, key=lambda page: (heads.get(page, nameless).front.weight or float("inf"), page))
    of_folder = {posixpath.dirname(page): page for page in reversed(listed) if is_index(page)}
    places: dict[str, Place] = defaultdict(Place)
    for page in listed:
        above = [name for folder in ancestors(page) if (name := of_folder.get(folder, page)) != page]
        if above:
            names = (heads.get(name, nameless).title for name in reversed(above))
            places[page].parent, places[page].trail = above[0], tuple(filter(None, names))
            places[above[0]].children.append(page)
    return dict(places)
