"""Parse HTML pages to paragraphs, tables and figures with sections, links and fragments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from backtrail.ingest.adjacent_captions import with_captions
from backtrail.ingest.finish import finish
from backtrail.ingest.html.boilerplate import mark_boilerplate
from backtrail.ingest.html.components import PageAssembler
from backtrail.ingest.html.markup import parse_markup
from backtrail.ingest.html.served_links import ServedLinks, link_targets
from backtrail.ingest.html.short_block_boxes import mark_entries
from backtrail.ingest.html.source import read_source
from backtrail.ingest.html.text import normalise
from backtrail.ingest.html.walk_tree import PageWalker
from backtrail.ingest.local_pictures import PagePlace, local_picture
from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.ingest.site_navigation import hierarchy_links, list_of_pages
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.ingest.sites.web_address import canonical_address
from backtrail.state.component import Document, Link


def parse_html(path: Path, document_id: str, root: Path, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one page.

    Args:
        path: the file.
        document_id: its path relative to the ingested folder; links are resolved against it.
        root: the ingested folder; pictures outside it are not read.
        site_map: the pages and sites of that folder.

    Raises:
        UnreadableSource: the file cannot be opened, is empty, binary or oversized. Broken markup is no error.
    """
    markup, notes = read_source(path, "HTML page")
    return parse_page(markup, path, document_id, root, site_map=site_map, saved=True, notes=notes)


def parse_page(
    markup: str,
    path: Path,
    document_id: str,
    root: Path,
    title: str = "",
    site_map: SiteMap | None = None,
    description: str = "",
    saved: bool = False,
    labels: Sequence[Link] = (),
    notes: Sequence[str] = (),
) -> ParsedDocument:
    """Parse markup that came from a file.

    Args:
        title, description: override those of the markup.
        saved: whether it is a saved page with the boilerplate of its site.
        labels: its tags and date.
        notes: notes on the file for the report.
    """
    tree, losses = parse_markup(markup)
    title = normalise(title) or _title(tree) or path.stem
    base = tree.find(".//base[@href]")
    saved_from = canonical_address(markup)
    targets = link_targets(document_id, base.get("href") if base is not None else "", site_map, saved_from)
    served = targets.served_at if isinstance(targets, ServedLinks) else ""
    body = tree.find("body")
    body = tree if body is None else body
    looks_like = mark_boilerplate(body) if saved else ""
    if saved:
        mark_entries(body)
    drafts = with_captions(PageWalker(title, targets).walk(body))
    if site_map:
        listed = list_of_pages(document_id, site_map) if not drafts else None
        drafts = [listed] if listed else drafts
        for draft in drafts[:1]:
            draft.links.extend(hierarchy_links(document_id, site_map))
    for draft in drafts[:1]:
        draft.links.extend(labels)
    place = PagePlace(site_map, document_id, targets.folder) if site_map else None
    beside = partial(local_picture, folder=path.parent / targets.base, root=root, place=place)
    find = targets.picture if isinstance(targets, ServedLinks) else beside
    page = PageAssembler(document_id, find)
    page.assemble(drafts)
    skipped = [SkippedPart(document_id, reason) for reason in filter(None, (*notes, *losses, looks_like))]
    if not page.components:
        skipped.append(SkippedPart(document_id, "the page has no text, tables or pictures to read"))
    return finish(
        Document(id=document_id, title=title, source=str(path), url=served or saved_from),
        page.components,
        fragments=page.fragments,
        blobs=page.blobs,
        skipped=skipped + page.skipped,
        description=normalise(description),
    )


_SITE = re.compile(r"\s*(?:[-–—|·•:»«/]|::|<<)\s+\S")
_MOST_HEADINGS = 5


def _title(tree: Any) -> str:
    """Return the ``<title>``, else a top heading, else the Open Graph title.

    A site name after a heading is removed.
    """
    headings = [_text(heading).rstrip("¶#§ ") for heading in islice(tree.iter("h1"), _MOST_HEADINGS)]
    named = [_text(title) for title in tree.iter("title") if next(title.iterancestors("svg"), None) is None]
    shared = [normalise(meta.get("content", "")) for meta in tree.iter("meta") if meta.get("property") == "og:title"]
    candidates = list(filter(None, (*named, *headings, *shared[:1])))
    title = next(iter(candidates), "")
    for heading in filter(None, headings):
        if title.casefold().startswith(heading.casefold()) and _SITE.match(title, len(heading)):
            return heading
    return title


def _text(element: Any) -> str:
    return normalise("".join(element.itertext())) if element is not None else ""
