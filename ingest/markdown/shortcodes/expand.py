"""Shortcodes in a page, replaced by what they show."""

from __future__ import annotations

from backtrail.ingest.markdown.includes.includer import Includer, body, fenced, is_page
from backtrail.ingest.markdown.page import Page
from backtrail.ingest.markdown.shortcodes.families import FAMILIES
from backtrail.ingest.markdown.shortcodes.parse import Escaped, Shortcode, shortcodes
from backtrail.ingest.markdown.shortcodes.stated import said_within, stated

_INCLUDES = frozenset({"readfile", "include", "include-md", "code-include", "code_sample"})


def expand_shortcodes(text: str, includer: Includer) -> str:
    """The text with its shortcodes as Markdown or HTML. Of those of no known family stays what they hold or state."""
    if "{{<" not in text and "{{%" not in text:
        return text
    pieces: list[str] = []
    position = 0
    for mark in shortcodes(text):
        pieces.append(text[position : mark.start])
        pieces.append(mark.shown if isinstance(mark, Escaped) else _shown(mark, text, includer))
        position = mark.end
    return "".join([*pieces, text[position:]])


def _shown(mark: Shortcode, text: str, includer: Includer) -> str:
    page = includer.page
    family = FAMILIES.get(mark.name)
    line = text[max(text.rfind("\n", 0, mark.start) + 1, mark.start - 200) : mark.start]
    indent = line if not line.strip() else ""
    if mark.name in _INCLUDES:
        return "" if mark.closes else _included(mark, indent, includer)
    if family is None:
        return "" if mark.closes else _unknown(mark, text, indent, page)
    if mark.closes:
        return family.close(mark, indent) if mark.paired and family.close else ""
    if family.close and not mark.paired:  # without its end it holds nothing, and what follows is not in it
        if "disabled" in mark.named:  # a label in a row of tabs
            return ""
        return _included(mark, indent, includer) if mark.named.get("file") else _left_out(mark, page)
    shown = family.open(mark, indent, includer)
    return _left_out(mark, page) if shown is None else shown


def _included(mark: Shortcode, indent: str, includer: Includer) -> str:
    """The file that a mark names, in its place; shortcodes in it are expanded as well."""
    name = mark.value("file", "path", "src")
    read = includer.read(f"shortcode {mark.name}", name) if name else None
    if read is None:
        return "" if name else _left_out(mark, includer.page)
    path, text = read
    if mark.named.get("code", "").lower() == "true" or not is_page(path):
        shown = fenced(path, text)
    else:
        includer.open.append(path)
        shown = expand_shortcodes(body(text), includer)
        includer.open.pop()
    return "\n".join(f"{indent}{line}" for line in ("", *shown.split("\n"), ""))


def _unknown(mark: Shortcode, text: str, indent: str, page: Page) -> str:
    """What a mark states, on lines of its own or within one."""
    behind = text[mark.end : mark.end + 200].split("\n", 1)[0].strip()
    alone = not behind and (indent or text[mark.start - 1 : mark.start] in ("", "\n"))
    told = stated(mark) if alone else said_within(mark)
    page.leave_out("shortcode", f"{mark.name[:40]} (its arguments are shown)" if told else mark.name)
    return f"\n\n{indent}{told}\n\n{indent}" if told and alone else told


def _left_out(mark: Shortcode, page: Page) -> str:
    page.leave_out("shortcode", mark.name)
    return ""
