"""Marks of Markdown in reStructuredText: headings, links and fences, which extensions of Sphinx allow there.

docutils takes them for plain text, and the whole page with them for one section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.{0,500}?)[ \t]*#*[ \t]*$")
_OWN_ID = re.compile(r"(?<![ \t])[ \t]*\{#([\w:.-]{1,100})\}$")
_ADORNED = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*$")
_FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^`]*$")
_LITERAL = re.compile(
    r"([ \t]*)(?:\.\.[ \t]+(?:code|code-block|sourcecode|parsed-literal|raw|math|doctest|testcode|prompt|highlight)::.*"
    r"|(?!\.\.[ \t]+[\w:.+-]+::).*::[ \t]*)$"
)
_LINK = re.compile(
    r"(``[^`\n]+``|`[^`\n]+`)|(\w?)(?<![\\!])\[([^\[\]\n]{1,300})\]\(<?([^()\s<>]+(?:\([^()\s<>]*\))?)>?\)(\w?)"
)
_ADDRESS = re.compile(r"https?://|mailto:|ftp://", re.I)
_UNDERLINES = "=-~^\"'"


def without_markdown(text: str) -> str:
    """The text with these marks as reStructuredText has them.

    Headings and fences are read where the page has headings with ``#`` and none of reStructuredText; relative links
    as well, and links to the web everywhere.
    """
    lines = text.split("\n")
    headed = _is_headed(lines)
    if not headed and "](" not in text:
        return text
    if headed:
        lines = list(_blocks(lines))
    return "\n".join(_links(lines, everywhere=headed))


def _is_headed(lines: list[str]) -> bool:
    """Whether a page has headings with ``#`` and none of its own kind."""
    headed = any(_HEADING.match(line) for line in lines)
    return headed and not any(
        _ADORNED.match(line) and _is_title(above) and len(line.strip()) >= len(above.strip())
        for above, line in pairwise(lines)
    )


def _is_title(line: str) -> bool:
    return bool(line.strip()) and not line[0].isspace() and not _ADORNED.match(line)


def _blocks(lines: list[str]) -> Iterator[str]:
    """The lines with headings underlined, each level of the page by a sign of its own, and fences as directives."""
    above: list[int] = []
    position = 0
    while position < len(lines):
        line = lines[position]
        fence, heading = _FENCE.match(line), _HEADING.match(line)
        end = _end_of_fence(lines, position, fence[2]) if fence else -1
        if fence and end > 0:
            inside = [f"{fence[1]}   {inner.removeprefix(fence[1])}".rstrip() for inner in lines[position + 1 : end]]
            yield from ("", f"{fence[1]}.. code-block:: {fence[3]}".rstrip(), "", *inside, "")
            position = end
        elif heading:
            level = len(heading[1])
            above = [*(one for one in above if one < level), level]
            own, title = _OWN_ID.search(heading[2]), _OWN_ID.sub("", heading[2])
            yield from ("", *([f".. _{own[1]}:", ""] if own else []))
            yield from (_escaped(title), _UNDERLINES[len(above) - 1] * (2 * len(title) + 3), "")
        else:
            yield line
        position += 1


def _escaped(title: str) -> str:
    """A title that begins with what would make it a list, a comment or the like."""
    return title if title[0].isalnum() or title[0] in "`*:|" else f"\\{title}"


def _end_of_fence(lines: list[str], start: int, mark: str) -> int:
    for number in range(start + 1, len(lines)):
        plain = lines[number].strip()
        if len(plain) >= len(mark) and plain == mark[0] * len(plain):
            return number
    return -1


def _links(lines: list[str], *, everywhere: bool) -> Iterator[str]:
    """The lines with links outside code."""
    literal: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if literal is not None and line.strip() and indent <= literal:
            literal = None
        if literal is None and "](" in line:
            line = _LINK.sub(lambda link: _link(link, everywhere=everywhere), line)
        opened = _LITERAL.match(line) if literal is None and "::" in line else None
        literal = len(opened[1]) if opened else literal
        yield line


def _link(link: re.Match[str], *, everywhere: bool) -> str:
    code, before, words, address, behind = link.groups()
    if code or not (everywhere or _ADDRESS.match(address)):
        return link[0]
    words = words.replace("`", "").replace("<", "(").replace(">", ")").strip().replace("\\", "")
    opening, closing = f"{before}\\ " if before else "", f"\\ {behind}" if behind else ""
    return f"{opening}`{words} <{address}>`__{closing}" if words else link[0]
