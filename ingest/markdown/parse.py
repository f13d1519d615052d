"""Parser of Markdown files: expands generator syntax, renders to HTML, parses that as a page."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

from backtrail.ingest.empty_pages import note_empty_pages
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.html.parse import parse_page
from backtrail.ingest.html.source import read_source
from backtrail.ingest.markdown.dialect import parser
from backtrail.ingest.markdown.expand import expand, expand_markup
from backtrail.ingest.markdown.headings import first_title, name_headings
from backtrail.ingest.markdown.page import Page
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.sites.file_titles import named_by_file
from backtrail.ingest.sites.front_matter import FrontMatter, split_front_matter
from backtrail.ingest.sites.label_links import label_links
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.tools.untrusted_values import ValueTooLarge


def parse_markdown(path: Path, document_id: str, root: Path, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one Markdown file.

    The title comes from the front matter, the first heading or the file's name. A heading has the ids that the common
    generators give it. Raw HTML is parsed as HTML.

    Args:
        path: the file.
        document_id: its path relative to the ingested folder.
        root: that folder; nothing outside it is read.
        site_map: the files and sites of the folder; without it, links to other pages are not resolved.

    Raises:
        UnreadableSource: the file cannot be opened, is empty, binary or oversized, or its front matter is.
    """
    source, notes = read_source(path, "Markdown file")
    front, text = _split(source, path)
    page = Page(document_id, path, root, site_map or SiteMap(root), front)
    title, markup = to_html(expand(text, page), page)
    labels, title = label_links(front.values), front.title or title
    parsed = parse_page(markup, path, document_id, root, title, site_map, front.description, labels=labels, notes=notes)
    return note_empty_pages(replace(parsed, left_out=dict(sorted(page.left_out.items()))), text)


def parse_html_source(path: Path, document_id: str, root: Path, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse HTML that begins with front matter: a source page of Jekyll, Hugo or Eleventy.

    Raises:
        UnreadableSource: as ``parse_markdown``.
    """
    source, notes = read_source(path, "HTML page")
    front, text = _split(source, path)
    page = Page(document_id, path, root, site_map or SiteMap(root), front)
    markup = expand_markup(text, page)
    labels, title = label_links(front.values), front.title
    parsed = parse_page(markup, path, document_id, root, title, site_map, front.description, labels=labels, notes=notes)
    return replace(parsed, left_out=dict(sorted(page.left_out.items())))


def _split(source: str, path: Path) -> tuple[FrontMatter, str]:
    try:
        return split_front_matter(source)
    except ValueTooLarge as error:
        problem = f"its front matter is not read: {error}"
        raise UnreadableSource(str(path), problem, "Shorten the front matter") from error


def to_html(text: str, page: Page) -> tuple[str, str]:
    """Return the title from the headings, and the rendered body."""
    md = parser(mdx=page.is_mdx)
    env = {"page": page, "parser": md}
    tokens = md.parse(text, env)
    name_headings(tokens)
    rendered = md.renderer.render(tokens, md.options, env)
    title, first = first_title(tokens)
    if not title and "<h1" not in rendered.lower():  # parse_page finds a title in raw HTML
        title = first or named_by_file(page.document_id)
    byline = _byline(page.front.title or title, page, md)
    return title, f"<html><body>{rendered}{byline}</body></html>"


def _byline(title: str, page: Page, md: MarkdownIt) -> str:
    """Return the author line as HTML; it goes behind the text, so that the page begins with its topic."""
    if not title or not page.front.byline:
        return ""
    return f"<h1>{escape(title)}</h1><p>{md.renderInline(page.front.byline)}</p>"
