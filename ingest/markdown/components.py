"""Components and statements of MDX and Vue in a page: their syntax is dropped, and what stands between them is read."""

from __future__ import annotations

import re
from html import escape

from backtrail.ingest.markdown.arguments import picture_of, read_arguments, said_by
from backtrail.ingest.markdown.includes.includer import Includer
from backtrail.ingest.markdown.labels import closed, label_of, opened
from backtrail.ingest.markdown.prose import replaced, split_fences

_BEGIN = re.compile(r"(?:\s*<!--[^>]{0,500}-->){0,9}\s*import\s[^\n]{0,500}[\"']")
_STATEMENT = re.compile(r"(?:import|export)[\s{][^\n]*")
_IMPORT = re.compile(r"^import\s+(\w+)\s+from\s+[\"']([^\"'\n]+)[\"']", re.M)
_BRACES = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\}){0,200}\}){0,2000}\}"
_TAG = re.compile(
    rf"""(?P<before>^[ \t]*)?<(?P<end>/[ \t]*)?(?P<name>[A-Za-z][\w.-]*)"""
    rf"""(?P<rest>(?:\s+(?:[^\s<>"'{{}}=/]|/(?!>))+(?:=(?:"[^"]*"|'[^']*'|{_BRACES}|[^\s"'{{}}<>]+))?){{0,50}})\s*(?P<own>/?)>"""
    r"(?P<behind>[ \t]*$)?",
    re.M,
)
_EXPRESSION = re.compile(rf"(?<!\\)(?!\{{[ \t]*[#.:]\w){_BRACES}")
_TEXT = re.compile(r"""\{\s*["'`]([^"'`]*)["'`]\s*\}""")
_LITERAL = re.compile(r"=\{\s{0,9}`([^`]{0,20000})`\s{0,9}\}")
"""An attribute in backticks, which would be code of Markdown."""

_AROUND = re.compile(r"div|section|article|aside|main|center|details|blockquote|table|tbody|tr|t[dh]|li|dd")
"""HTML between whose tags MDX reads Markdown, which needs blank lines elsewhere."""


def is_mdx(text: str, name: str) -> bool:
    """Whether a page is MDX, by its file's name or because it begins with an import."""
    return name.lower().endswith(".mdx") or _BEGIN.match(text) is not None


def expand_components(text: str, includer: Includer) -> str:
    """The text with components as Markdown and HTML."""
    page = includer.page
    if page.is_mdx:
        imported = dict(_IMPORT.findall(text))
        text = _LITERAL.sub(lambda literal: '="' + literal[1].replace('"', "'") + '"', _without_statements(text))
    elif "<" in text:
        imported = {}
    else:
        return text
    reader = _Reader(includer, imported, text)
    text = replaced(text, _TAG, reader.tag)
    return replaced(text, _EXPRESSION, reader.expression) if page.is_mdx and "{" in text else text


def _without_statements(text: str) -> str:
    """The text without imports and exports, each up to a blank line outside its brackets."""
    kept: list[str] = []
    may_close = True
    for is_code, part in split_fences(text):
        lines = part.splitlines(keepends=True)
        number = 0
        while number < len(lines):
            inside = bool(kept and kept[-1].strip()) and not kept[-1].rstrip().endswith("-->")
            if is_code or inside or not _STATEMENT.match(lines[number]):
                kept.append(lines[number])
                number += 1
                continue
            end = _end_of_statement(lines, number) if may_close else None
            may_close = end is not None
            number = _blank_behind(lines, number) if end is None else end
    return "".join(kept)


def _end_of_statement(lines: list[str], start: int) -> int | None:
    """The blank line at which a statement ends; None where its brackets never close."""
    depth = 0
    for number in range(start, len(lines)):
        if not lines[number].strip() and depth <= 0:
            return number
        depth += sum((sign in "([{") - (sign in ")]}") for sign in lines[number])
    return len(lines) if depth <= 0 else None


def _blank_behind(lines: list[str], start: int) -> int:
    return next((number for number in range(start, len(lines)) if not lines[number].strip()), len(lines))


class _Reader:
    """Shows the tags and expressions of one page."""

    def __init__(self, includer: Includer, imported: dict[str, str], text: str) -> None:
        self._includer = includer
        self._page = includer.page
        self._imported = imported
        self._ended = set(re.findall(r"</[ \t]*([A-Z][\w.-]*)", text))

    def expression(self, code: re.Match[str]) -> str:
        """What an expression shows: a literal text, or nothing."""
        literal = _TEXT.fullmatch(code[0])
        if literal:
            return escape(literal[1], quote=False)
        if not code[0].lstrip("{ ").startswith("/*"):
            self._page.leave_out("expression", "")
        return ""

    def tag(self, tag: re.Match[str]) -> str:
        """What stands for a tag."""
        name, indent = tag["name"], tag["before"]
        alone = indent is not None and tag["behind"] is not None
        if not name[0].isupper() or name.isupper():  # HTML may be written in capitals
            return self._html(tag, alone) if self._page.is_mdx else tag[0]
        if tag["end"]:
            return closed() if alone else ""
        if not self._page.is_mdx and not tag["own"] and name not in self._ended:
            return tag[0]
        arguments = read_arguments(tag["rest"])
        if not tag["own"]:
            return opened(label_of(name, arguments)) if alone else ""
        if name in self._imported and self._includer.find(self._imported[name]):
            return f"\n\n{self._includer.shown('component', self._imported[name], expand_components)}\n\n"
        shown = picture_of(arguments) or said_by(arguments, named=alone)
        self._page.leave_out("component", f"{name[:40]} (its arguments are shown)" if shown else name)
        return f"{indent or ''}{shown}" if shown or not alone else f"{indent}<!-- -->"

    def _html(self, tag: re.Match[str], alone: bool) -> str:
        """A tag of HTML with those of its attributes whose value stands there."""
        shown = tag[0]
        if "{" in tag["rest"]:
            kept = {key: value for key, value in read_arguments(tag["rest"]).items() if " " not in key}
            written = "".join(f' {key}="{escape(value)}"' for key, value in kept.items() if key != "style")
            shown = f"{tag['before'] or ''}<{tag['end'] or ''}{tag['name']}{written}{tag['own']}>"
        return f"\n{shown}\n" if alone and _AROUND.fullmatch(tag["name"]) else shown
