"""Page heads: front matter and first heading, read before the page is parsed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from backtrail.ingest.html.source import decode
from backtrail.ingest.sites.front_matter import FrontMatter, split_front_matter
from backtrail.tools.untrusted_values import ValueTooLarge

HEAD_BYTES = 64 * 1024
_SIGN = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})|^ {0,3}(?P<level>#{1,6})[ \t]+(?P<atx>\S.{0,300}?)[ \t]*#*[ \t]*$"
    r"|^(?P<line>[^\s#>|=-].{0,300})\n=+[ \t]*$",
    re.M,
)
_SILENT = re.compile(
    r"<!--.*?(?:-->|\Z)|<[^<>]{0,500}>|!\[[^\[\]\n]*\]\([^()\n]*\)|^(?:import|export)\s[^\n]*$", re.M | re.S
)
_WORD = re.compile(r"[^\W\d_]{2}")
_ATTRIBUTES = re.compile(r"(?<![ \t])[ \t]*\{[^{}]{0,200}\}$")
_MARKS = re.compile(r"[`*]|<[^<>]{0,200}>|\[(?=[^\]]{0,500}\]\()|(?<=\])\([^()]*\)")


@dataclass(frozen=True)
class PageHead:
    """Title and front matter of a page."""

    title: str = ""
    front: FrontMatter = field(default_factory=FrontMatter)


def read_head(path: Path) -> PageHead:
    """Return the head of a Markdown file; empty if it cannot be read."""
    try:
        front, body = split_front_matter(read_start(path, HEAD_BYTES))
    except ValueTooLarge:  # reported when the page itself is parsed
        return PageHead()
    return PageHead(front.title or first_heading(body), front)


def read_start(path: Path, most: int) -> str:
    """Return the text of the first ``most`` bytes; "" if the file cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(most)
    except OSError:
        return ""
    if len(content) == most:  # a character cut in two would make the whole invalid UTF-8
        content = content.rstrip(bytes(range(0x80, 0x100)))
    return decode(content) or ""


def first_heading(body: str) -> str:
    """Return the first top-level heading outside code, else the first of any level if no text precedes it."""
    fence, first, has_text = "", "", False
    for sign in _SIGN.finditer(body):
        mark = sign["fence"]
        if mark:
            fence = mark if not fence else ("" if mark.startswith(fence) else fence)
            has_text = True
        elif not fence:
            text = " ".join(_MARKS.sub("", _ATTRIBUTES.sub("", sign["atx"] or sign["line"])).replace("]", "").split())
            if sign["level"] in ("#", None):
                return text
            if not first and not has_text and not _WORD.search(_SILENT.sub("", body[: sign.start()])):
                first = text
            has_text = True
    return first
