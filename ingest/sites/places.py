"""The place of each page among the others: what stands above it, and what below, in the order of the site."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from backtrail.ingest.sites.page_keys import is_index
from backtrail.ingest.sites.site import NavEntry

Find = Callable[[str], str | None]


@dataclass
class Place:
    """Where one page stands.

    Attributes:
        title: what the site's navigation calls it.
        parent: document id of the page above; "" for none.
        trail: names of the sections above, outermost first, also of those without a page.
        children: document ids of the pages right below, in order.
    """

    title: str = ""
    parent: str = ""
    trail: tuple[str, ...] = ()
    children: list[str] = field(default_factory=list)


@dataclass
class _Section:
    """An open section of a navigation: its name, and its page once one is known."""

    title: str
    page: str


def by_navigation(entries: Sequence[NavEntry], find: Find) -> dict[str, Place]:
    """Places by a site's navigation; a page that stands in it twice has the first place.

    A section without a page of its own is that of the index that it begins with.
    """
    places: dict[str, Place] = {}
    above: list[_Section] = []
    for number, entry in enumerate(entries):
        del above[entry.depth :]
        page = (find(entry.path) if entry.path else None) or ""
        begins = bool(above) and not above[-1].page and is_index(page) and entries[number - 1].depth < entry.depth
        if page and page not in places:
            sections = above[:-1] if begins else above
            parent = next((section.page for section in reversed(sections) if section.page), "")
            title = entry.title or (above[-1].title if begins else "")
            places[page] = Place(title, parent, tuple(section.title for section in sections if section.title))
        if begins:
            above[-1].page = page
        above += [_Section("", "") for _ in range(entry.depth - len(above))]
        above.append(_Section(entry.title, page))
    return places


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
        above = [*([own] if own and own != page else []), *_above(folder, of_folder)]
        if above:
            places[page] = Place("", above[0], tuple(filter(None, (titles.get(name, "") for name in reversed(above)))))
    return places


def _above(folder: str, of_folder: Mapping[str, str]) -> list[str]:
    """The pages of the folders above one, innermost first."""
    found: list[str] = []
    while folder:
        folder = posixpath.dirname(folder)
        if folder in of_folder:
            found.append(of_folder[folder])
    return found


def with_children(places: dict[str, Place]) -> dict[str, Place]:
    """The places, each with the pages below it in the order of the mapping."""
    below: dict[str, list[str]] = defaultdict(list)
    for page, place in places.items():
        if place.parent and place.parent != page:
            below[place.parent].append(page)
    for page, children in below.items():
        places.setdefault(page, Place()).children = children
    return places
