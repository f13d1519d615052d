"""Arguments of marks, tags and components, ``name key="value" "words"``, and their readable text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

_ARGUMENT = re.compile(
    r"""(?:(?P<key>[:@\w.-]{1,100})=)?(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|\{(?P<code>[^{}]*)\}|(?P<bare>[^\s"'{}]+))"""
)
_TEXT = re.compile(r"""["'`]([^"'`\n]*)["'`]""")
_MOST = 20
_LONGEST = 2_000
# off: 33 of 2,893 Markdown pages of 32 repositories show colours, sizes, icons and paths as text
_LAYOUT = re.compile(
    r"[:@#].*|on[a-z]+|(?:.*[-_.])?(?:class|classname|id|style|icon|colou?r|width|height|size|variant|target|rel|align"
    r"|src|href|url|link|to|path|file|lang)$",
    re.I,
)
_ADDRESS = re.compile(r"(?:[a-z]+:)?//\S+|\.{0,2}/\S*|#\S*|[^\s/]+/\S*|\S+\.[a-z]\w{1,4}(?:#\S*)?", re.I)
_PICTURE = re.compile(r"\S.*\.(?:png|jpe?g|gif|svg|webp|avif)$", re.I)
_WORD = re.compile(r"[^\W\d_]")


def read_arguments(written: str) -> dict[str, str]:
    """Return arguments by name; unnamed ones by number, unquoted words by "number bare"."""
    found: dict[str, str] = {}
    for match in _ARGUMENT.finditer(written):
        if len(found) >= _MOST:
            break
        code = _TEXT.search(match["code"] or "")
        value = match["double"] or match["single"] or (code[1] if code else "") or match["bare"] or ""
        key = match["key"] or f"{len(found)}{' bare' if match['bare'] else ''}"
        if value and value != "/":
            found.setdefault(key, value[:_LONGEST])
    return found


def is_address(text: str) -> bool:
    """Return whether a text is an address or a file's name."""
    return _ADDRESS.fullmatch(text) is not None


def picture_of(arguments: Mapping[str, str]) -> str:
    """Return a figure if an argument is a picture file, else ""."""
    source = next((value for value in arguments.values() if _PICTURE.match(value)), "")
    if not source:
        return ""
    words = [value for key, value in arguments.items() if key.isdecimal() and value != source]
    alt = arguments.get("alt") or next(iter(words), "")
    caption = ". ".join(filter(None, (arguments.get(key, "").strip() for key in ("title", "caption"))))
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f'<figure><img src="{escape(source)}" alt="{escape(alt)}">{below}</figure>'


def said_by(arguments: Mapping[str, str]) -> str:
    """Return the text of arguments, without those of layout and without unquoted words."""
    texts = (
        " ".join(value.split())
        for key, value in arguments.items()
        if not (key.endswith(" bare") or _LAYOUT.match(key)) and _WORD.search(value)
    )
    return escape("; ".join(texts), quote=False).replace("{", "&#123;").replace("[", "\\[")
