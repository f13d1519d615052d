"""What generators do to a text before it is Markdown: inclusion, shortcodes, directives, templates, components."""

from __future__ import annotations

import re

from backtrail.ingest.markdown.components import expand_components
from backtrail.ingest.markdown.directives import expand_directives
from backtrail.ingest.markdown.gitbook_tags import expand_gitbook_tags
from backtrail.ingest.markdown.includes.embedded_notes import expand_embedded_notes
from backtrail.ingest.markdown.includes.includer import Includer
from backtrail.ingest.markdown.includes.notations import expand_includes
from backtrail.ingest.markdown.note_marks import without_comments
from backtrail.ingest.markdown.page import Page
from backtrail.ingest.markdown.prose import split_fences
from backtrail.ingest.markdown.shortcodes.expand import expand_shortcodes
from backtrail.ingest.markdown.templates import expand_templates

_ABBREVIATION = re.compile(r"^[ \t]*\*\[[^\]\n]{1,100}\]:[^\n]*$\n?", re.M)
_ID_IN_BRACKETS = re.compile(r"^( {0,3}#{1,6}[ \t][^\n]{0,500}?)[ \t]+\[#([^\s\[\]{}()]{1,100})\][ \t]*$", re.M)
_MARKDOWN_IN_HTML = re.compile(r"^([ \t]*)(<(\w+)(?=[^<>\n]*\bmarkdown\b)[^<>\n]{1,500}>)[ \t]*(?=\n)", re.M)


def expand(text: str, page: Page) -> str:
    """The text as Markdown with HTML. What cannot be evaluated is left out and noted on the page."""
    includer = Includer(page)
    text = expand_includes(text.replace("\r\n", "\n"), includer)
    text = expand_embedded_notes(text, includer)
    if page.site.flavour in ("hugo", "unknown"):
        text = expand_shortcodes(text, includer)
    if "{" in text:
        text = expand_directives(text, includer)
        text = expand_templates(expand_gitbook_tags(text), page)
    text = expand_components(without_comments(text), includer)
    return "".join(part if is_code else _plain(part) for is_code, part in split_fences(text))


def expand_markup(text: str, page: Page) -> str:
    """HTML with its inclusions, shortcodes and templates evaluated in the same way."""
    includer = Includer(page)
    text = expand_includes(text, includer)
    if page.site.flavour in ("hugo", "unknown"):
        text = expand_shortcodes(text, includer)
    return expand_templates(text, page)


def _plain(prose: str) -> str:
    """Without definitions of abbreviations; what stands in HTML that is marked as Markdown is set apart from it.

    Ids of headings, ``## Oars [#oars]`` in Nextra and Fumadocs, are written as elsewhere.
    """
    if "[#" in prose:
        prose = _ID_IN_BRACKETS.sub(r"\1 {#\2}", prose)
    if "*[" in prose:
        prose = _ABBREVIATION.sub("", prose)
    return _MARKDOWN_IN_HTML.sub(r"\1\2\n", prose) if "markdown" in prose else prose
