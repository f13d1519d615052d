"""Links from a page to its parent and children, and lists of pages for empty section pages."""

from __future__ import annotations

from backtrail.ingest.draft import Draft
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.state.component import Link

MOST_CHILDREN = 1000


def hierarchy_links(document_id: str, site_map: SiteMap) -> list[Link]:
    """Return links to the parent, with the section path as anchor, and to children, with their titles."""
    place = site_map.place(document_id)
    above = [Link(target=place.parent, anchor=" > ".join(place.trail), kind="parent")] if place.parent else []
    children = place.children[:MOST_CHILDREN]
    return above + [Link(target=child, anchor=site_map.title(child), kind="child") for child in children]


def list_of_pages(document_id: str, site_map: SiteMap) -> Draft | None:
    """List the child pages with their descriptions, as generators do on a section page without contents."""
    lines: list[str] = []
    links: list[Link] = []
    for child in site_map.place(document_id).children[:MOST_CHILDREN]:
        head = site_map.head(child)
        about = head.front.description if head else ""
        title = site_map.title(child)
        lines.append(f"{title}: {about}" if about else title)
        links.append(Link(target=child, anchor=title))
    return Draft(section="", text="\n".join(lines), links=links) if lines else None
