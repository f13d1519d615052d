"""The place of each page among the others: what stands above it, and what below, in the order of the site."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from backtrail.ingest.sites.page_keys import ancestors, is_index


@dataclass
class Place:
    """Where one page stands.

    Attributes:
        parent: document id of the page above; "" for none.
        trail: names of the pages above, outermost first.
        children: document ids of the pages right below, in order.
    """

    parent: str = ""
    trail: tuple[str, ...] = ()
    children: list[str] = field(default_factory=list)


def by_folders(pages: Iterable[str], titles: Mapping[str, str], order: Callable[[str], object]) -> dict[str, Place]:
    """Places by the pages of folders (``index``, ``_index``, ``README``); pages in folders without one have none.

    Args:
        pages: document ids.
        titles: what pages are called.
        order: what pages of one folder are sorted by.
    """
    listed = sorted(pages, key=lambda page: (posixpath.dirname(page), order(page)))
    of_folder: dict[str, str] = {}
    for page in listed:
        if is_index(page):
            of_folder.setdefault(posixpath.dirname(page), page)
    places: dict[str, Place] = {}
    for page in listed:
        folder = posixpath.dirname(page)
        own = of_folder.get(folder)
        above = [
            *([own] if own and own != page else []),
            *(of_folder[name] for name in ancestors(folder) if name in of_folder),
        ]
        if above:
            places[page] = Place(above[0], tuple(filter(None, (titles.get(name, "") for name in reversed(above)))))
    return places


def with_children(places: dict[str, Place]) -> dict[str, Place]:
    """The places, each with the pages below it in the order of the mapping."""
    below: dict[str, list[str]] = defaultdict(list)
    for page, place in places.items():
        if place.parent and place.parent != page:
            below[place.parent].append(page)
    for page, children in below.items():
        places.setdefault(page, Place()).children = children
    return places
