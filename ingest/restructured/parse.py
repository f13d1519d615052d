"""Parser of reStructuredText files: renders to HTML with docutils, parses that as a page."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.core import publish_parts
from docutils.utils import SystemMessage

from backtrail.ingest.empty_pages import note_empty_pages
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.html.parse import parse_page
from backtrail.ingest.html.source import read_source
from backtrail.ingest.markdown.includes.includer import Includer
from backtrail.ingest.markdown.page import Page
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.restructured.directives import Reading, register
from backtrail.ingest.sites.front_matter import FrontMatter
from backtrail.ingest.sites.site_map import SiteMap

MAX_CHARACTERS = 4 * 2**20
"""Most characters of one file: docutils takes about a second for 100,000."""

# docutils takes quadratic time on a long run: from each letter it searches the underscore that ends a name
_LONG_RUN = re.compile(r"[\w.:+-]{400}")
_LABEL = re.compile(r"^\.\. _`?([^:`\n]{1,400})`?:[ \t]*$", re.M)
_SETTINGS: dict[str, Any] = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "report_level": 5,
    "halt_level": 5,
    "line_length_limit": 1_000_000,
    "input_encoding": "unicode",
    "initial_header_level": 1,
    "doctitle_xform": False,
    "embed_stylesheet": False,
    "stylesheet_path": "",
    "syntax_highlight": "none",
    "math_output": "LaTeX",
    "toc_backlinks": False,
}


def parse_restructured(path: Path, document_id: str, root: Path, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one file. Content of Sphinx directives is kept; output that Sphinx generates is counted.

    Raises:
        UnreadableSource: the file cannot be opened, is empty, binary or oversized, or docutils fails on it.
    """
    text, notes = read_source(path, "reStructuredText file")
    if len(text) > MAX_CHARACTERS:
        problem = f"has {len(text):,} characters, more than {MAX_CHARACTERS:,}"
        raise UnreadableSource(str(path), problem, "Split it into smaller files")
    page = Page(document_id, path, root, site_map or SiteMap(root), FrontMatter())
    reading = Reading(Includer(page), page.site_map.label)
    try:
        markup = render(text, reading)
    except ValueError as error:
        problem = f"docutils cannot read it ({error})"[:200]
        raise UnreadableSource(str(path), problem, "Check its markup with `docutils FILE`") from error
    parsed = parse_page(f"<html><body>{markup}</body></html>", path, document_id, root, site_map=site_map, notes=notes)
    return note_empty_pages(replace(parsed, left_out=dict(sorted(page.left_out.items()))), text)


def render(text: str, reading: Reading) -> str:
    """Return the body of a text as HTML; ``reading`` counts what is not evaluated.

    Raises:
        ValueError: docutils fails on it.
    """
    text = _LONG_RUN.sub(r"\g<0> ", text)
    reading.labels |= {nodes.fully_normalize_name(label) for label in _LABEL.findall(text)}
    register(text)
    settings = {**_SETTINGS, "reading": reading, "warning_stream": io.StringIO()}
    try:
        parts: Any = publish_parts(text, writer="html5", settings_overrides=settings)
    except (SystemMessage, RecursionError, ValueError, KeyError, AttributeError, IndexError, TypeError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error
    # notes and admonitions are content; as asides they would be dropped with navigation
    return re.sub(r"(</?)aside\b", r"\1div", parts["html_body"])
