"""Template marks: ``{{< name >}}``, ``{{% name %}}``, ``{% name %}`` and ``<Name>``.

Text between a mark and its end is kept, under the mark's title if it has one. A mark without an end becomes the picture
that it names, the address if it is in a link, or the text of its arguments. Nothing is run; dropped marks are counted
by name.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from urllib.parse import quote

from backtrail.ingest.markdown.arguments import picture_of, read_arguments, said_by
from backtrail.ingest.markdown.includes.includer import Includer
from backtrail.ingest.markdown.labels import closed, label_of, opened
from backtrail.ingest.markdown.mdx import without_statements
from backtrail.ingest.markdown.page import Page
from backtrail.ingest.markdown.prose import FENCE, prose_of
from backtrail.ingest.sites.front_matter import plain

_BRACES = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\}){0,200}\}){0,2000}\}"
_MARK = re.compile(
    r"\{\{<(?P<angle>(?:[^>{]|>(?!\}\})|\{(?!\{)){1,2000})>\}\}"
    r"|\{\{%(?P<percent>(?:[^%{]|%(?!\}\})|\{(?!\{)){1,2000})%\}\}"
    r"|(?<![{\\])\{%-?(?P<tag>[^%]{1,1000}?)-?%\}"
    r"|<(?P<component>(?:/[ \t]*)?[A-Z][\w.-]*"
    rf"""(?:\s+(?:[^\s<>"'{{}}=/]|/(?!>))+(?:=(?:"[^"]*"|'[^']*'|{_BRACES}|[^\s"'{{}}<>]+))?){{0,50}}\s*)(?P<own>/?)>"""
)
_NAME = re.compile(r"\s*(?P<end>/\s*|end(?=[\w-]))?(?P<name>\w[\w./-]{0,80})")
_IN_LINK = re.compile(r"(?:\](?:\(|:[ \t])<?|\b(?:href|src)=[\"']?)\s*\Z")


@dataclass
class _Mark:
    """One mark; ``closing`` is the text that replaces an end mark.

    A mark that ``is_whole`` has no end (``<Name />``).
    """

    start: int
    stop: int
    kind: str
    name: str
    ends: bool
    is_whole: bool
    arguments: dict[str, str]
    closing: str = ""


def expand_marks(text: str, includer: Includer) -> str:
    """Replace the marks outside code by Markdown and HTML."""
    if includer.page.is_mdx:
        text = without_statements(text, includer)
    if not any(sign in text for sign in ("{%", "{{<", "{{%", "<")):
        return text
    pieces: list[str] = []
    position = 0
    for mark, end in _marks(text):
        shown = mark.closing if mark.ends else _shown(mark, end, text, includer)
        alone = _indent(text, mark) is not None
        # a blank line in place of a mark would end the HTML around it
        pieces += [text[position : mark.start], shown or ("<!-- -->" if alone else "")]
        position = mark.stop
    return "".join([*pieces, text[position:]])


def _marks(text: str) -> list[tuple[_Mark, _Mark | None]]:
    """Return the marks in order, each with its end mark if it begins a block."""
    found = [
        mark for start, stop in prose_of(text) for one in _MARK.finditer(text, start, stop) if (mark := _read(one))
    ]
    ends: dict[int, _Mark] = {}
    waiting: dict[str, list[_Mark]] = {}
    for mark in found:
        begun = waiting.setdefault(mark.name, [])
        if not mark.ends and not mark.is_whole:
            begun.append(mark)
        elif mark.ends and begun:
            ends[begun.pop().start] = mark
    return [(mark, ends.get(mark.start)) for mark in found]


def _read(written: re.Match[str]) -> _Mark | None:
    inside = written["angle"] or written["percent"] or written["tag"] or written["component"]
    name = _NAME.match(inside)
    kind = "tag" if written["tag"] else "component" if written["component"] else "shortcode"
    if name is None or (kind == "component" and name["name"].isupper()):
        return None  # HTML may be written in capitals
    ends = bool(name["end"]) and (kind == "tag" or name["end"] != "end")
    mark_name = name["name"] if ends else name[0].strip()
    arguments = read_arguments(inside[name.end() :])
    mark_name = mark_name if kind == "component" else mark_name.lower()
    return _Mark(written.start(), written.end(), kind, mark_name, ends, bool(written["own"]), arguments)


def _shown(mark: _Mark, end: _Mark | None, text: str, includer: Includer) -> str:
    """Return the text that replaces a mark, and set ``closing`` of its end."""
    indent = _indent(text, mark)
    partial = includer.imported.get(mark.name, "") if mark.is_whole else ""
    if "include" in mark.name or mark.name == "readfile" or includer.find(partial):
        named = [value for value in (partial, *mark.arguments.values()) if includer.find(value)]
        part = includer.shown(mark.kind, (named or [*mark.arguments.values(), mark.name])[0], expand_marks)
        return "\n".join(f"{indent or ''}{line}" for line in ("", *part.split("\n"), ""))
    if end is not None:
        if indent is not None and "highlight" in mark.name:
            end.closing = f"\n{indent}{FENCE}\n"
            return f"\n{indent}{FENCE}\n"
        label = label_of(mark.name, mark.arguments) if indent is not None else ""
        if indent is not None and (label or mark.kind == "component"):
            column = "" if mark.kind == "component" else indent  # indented HTML would become code
            end.closing = closed(column)
            return opened(label, column)
        return ""
    page = includer.page
    if mark.kind == "component" and not mark.is_whole:
        return "" if page.is_mdx else text[mark.start : mark.stop]
    if _IN_LINK.search(text[max(mark.start - 200, 0) : mark.start]):
        return _address(next(iter(mark.arguments.values()), ""), page)
    shown = picture_of(mark.arguments) or _value(mark, page) or said_by(mark.arguments)
    page.leave_out(mark.kind, f"{mark.name[:40]} (its arguments are shown)" if shown else mark.name)
    return shown


def _indent(text: str, mark: _Mark) -> str | None:
    """Return the white space before a mark that is alone on its line; None if it is not alone."""
    before = text[text.rfind("\n", 0, mark.start) + 1 : mark.start][-200:]
    behind = text[mark.stop : mark.stop + 200].partition("\n")[0]
    return None if before.strip() or behind.strip() else before


def _address(written: str, page: Page) -> str:
    """Return the relative address of a page; unchanged if there is none, so that the link is dead."""
    path, sign, fragment = written.partition("#")
    found = page.site_map.page_named(page.document_id, path) if path else None
    if found is not None:
        path = posixpath.relpath(found, posixpath.dirname(page.document_id) or ".")
    return quote(path, safe="/:?=&%@+,;~!$'*") + sign + quote(fragment)


def _value(mark: _Mark, page: Page) -> str:
    """Return the front matter's value for the single word of a mark; "" otherwise.

    Off: 13 of 2,893 Markdown pages lose such a value.
    """
    words = list(mark.arguments.values())
    return plain(page.front.values.get(words[0].lower())) if len(words) == 1 else ""
