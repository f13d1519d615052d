"""A page's place in its site: links up and down, and what a page without contents shows of those below it."""

from __future__ import annotations

from backtrail.ingest.draft import Draft
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.state.component import Link

MOST_CHILDREN = 1000


def hierarchy_links(document_id: str, site_map: SiteMap) -> list[Link]:
    """Links to the page above, with the names of the sections above as anchor, and to those below, by their titles."""
    place = site_map.place(document_id)
    above = [Link(target=place.parent, anchor=" > ".join(place.trail), kind="parent")] if place.parent else []
    children = place.children[:MOST_CHILDREN]
    return above + [Link(target=child, anchor=site_map.title(child), kind="child") for child in children]


def list_of_pages(document_id: str, site_map: SiteMap) -> Draft | None:
    """What generators show where a section's page has no contents: the pages below it, with what they are about."""
    lines: list[str] = []
    links: list[Link] = []
    for child in site_map.place(document_id).children[:MOST_CHILDREN]:
        head = site_map.head(child)
        about = head.front.description if head else ""
        title = site_map.title(child)
        lines.append(f"{title}: {about}" if about else title)
        links.append(Link(target=child, anchor=title))
    return Draft(section="", text="\n".join(lines), links=links) if lines else None
