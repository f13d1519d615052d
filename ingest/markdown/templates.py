"""Tags of template languages in a text: MkDocs macros and Jinja, Liquid, Vue. Values that are known stand for them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from html import escape
from urllib.parse import quote

from backtrail.ingest.markdown.page import Page
from backtrail.ingest.markdown.prose import in_prose
from backtrail.ingest.markdown.template_tags import TemplateTags
from backtrail.ingest.sites.front_matter import plain
from backtrail.ingest.sites.page_keys import normal_path

_TAG = re.compile(
    r"(?<!\\)\{\{(?![<%#])(?P<value>[^{}\n]{1,500}?)\}\}"
    r"|(?<!\{)\{%-?\s{0,9}(?P<name>[\w-]{1,50})[^%\n]{0,500}%\}"
    r"|\{#(?![\w-]+\s*\})[^\n]{0,500}?#\}"
)
_RAW = re.compile(r"\{%-?\s{0,9}(end)?raw\s{0,9}-?%\}")
_HIGHLIGHT = re.compile(r"\{%-?[ \t]*(?P<end>end)?highlight\b[^%\n]{0,200}%\}")
_DOTTED = re.compile(r"[A-Za-z_][\w.\-]*")
_TEXT = re.compile(r"""\s*(["'`])([^"'`\n]*)\1\s*""")
_LITERAL = frozenset({"mdbook", "docusaurus", "sphinx", "hugo"})
"""Generators that show such tags as they are written, or have none."""


def expand_templates(text: str, page: Page) -> str:
    """The text with each tag outside code as the value that the page, or its site's configuration, gives it."""
    site = page.site
    if site.flavour in _LITERAL or (site.flavour == "mkdocs" and not site.macros):
        return text
    if "{%" not in text and "{{" not in text and "{#" not in text:
        return text
    if "endhighlight" in text:
        text = _with_listings(text)
    tags = TemplateTags(text, page)
    only_tags = site.flavour == "unknown"  # nobody says that values in braces are evaluated here

    def replace(match: re.Match[str]) -> str:
        value = match["value"]
        if value is None:
            if match["name"] in ("link", "post_url"):
                return _file_linked(match[0], page)
            return tags.shown(match, match["name"]) if match["name"] else ""
        if only_tags and not _known(value, page):
            return match[0]
        known = _known(value, page)
        if known is None:
            page.leave_out("macro", value.strip().split("(")[0].split("|")[0].strip())
        return known or ""

    return "".join(
        part if is_raw else in_prose(part, lambda prose: _by_line(prose, replace)) for is_raw, part in _raw(text)
    )


def _with_listings(text: str) -> str:
    """The text with what stands between a tag ``highlight`` and the next end of one as a listing."""
    shown: list[str] = []
    opened: re.Match[str] | None = None
    done = 0
    for tag in _HIGHLIGHT.finditer(text):
        if not tag["end"]:
            opened = tag
        elif opened is not None:
            code = escape(text[opened.end() : tag.start()].strip("\n"))
            shown += [text[done : opened.start()], f"\n<pre><code>{code}</code></pre>\n"]
            opened, done = None, tag.end()
    return "".join([*shown, text[done:]])


def _by_line(prose: str, replace: Callable[[re.Match[str]], str]) -> str:
    """The text with its tags replaced. In HTML a line of tags that say nothing goes: a blank one would end the HTML."""
    if "{%" not in prose and "{{" not in prose and "{#" not in prose:
        return prose
    lines = _TAG.sub(replace, prose).split("\n")
    if len(lines) != prose.count("\n") + 1:
        return "\n".join(lines)
    kept: list[str] = []
    written = prose.split("\n")
    for number, line in enumerate(lines):
        if not line.strip() and written[number].strip() and kept and kept[-1].strip():
            below = lines[number + 1].lstrip() if number + 1 < len(lines) else ""
            if kept[-1].rstrip().endswith(">") or below.startswith("<"):
                continue
        kept.append(line)
    return "\n".join(kept)


def _file_linked(tag: str, page: Page) -> str:
    """The address that ``{% link _docs/a.md %}`` or ``{% post_url 2024-05-01-b %}`` stands for, from the page."""
    name, _, written = tag.strip("{%-} \t").partition(" ")
    site_map = page.site_map
    place = normal_path(posixpath.join(page.site.folder, written.strip()))
    found = place if place and site_map.has_document(place) else site_map.page_named(page.document_id, written.strip())
    if found is None:
        page.leave_out("tag", name)
        return ""
    return quote(posixpath.relpath(found, posixpath.dirname(page.document_id) or "."))


def _raw(text: str) -> Iterator[tuple[bool, str]]:
    """The text in stretches: whether tags say that it is to be shown as it is written, and the stretch."""
    position, is_raw = 0, False
    for edge in _RAW.finditer(text):
        if bool(edge[1]) == is_raw:
            yield is_raw, text[position : edge.start()]
            position, is_raw = edge.end(), not is_raw
    yield is_raw, text[position:]


def _known(written: str, page: Page) -> str | None:
    """The value of a text or of a dotted name without calls; filters are passed over."""
    text = _TEXT.fullmatch(written)
    if text:
        return text[2]
    name = written.partition("|")[0].strip()
    if not _DOTTED.fullmatch(name):
        return None
    variables = page.site.variables
    own = name.removeprefix("page.meta.").removeprefix("page.").removeprefix("$frontmatter.").removeprefix("extra.")
    found = variables.get(name) or variables.get(own) or plain(page.front.values.get(own.lower()))
    return found or None
