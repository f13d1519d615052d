"""Arguments of marks, tags and components, ``name key="value" "words"``, and what they say to readers."""

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
_LAYOUT = re.compile(
    r"[:@#].*|on[a-z]+|(?:.*[-_.])?(?:class|classname|id|style|icon|colou?r|width|height|size|variant|target|rel|align"
    r"|src|href|url|link|to|path|file|lang)$",
    re.I,
)
_ADDRESS = re.compile(r"(?:[a-z]+:)?//\S+|\.{0,2}/\S*|#\S*|[^\s/]+/\S*|\S+\.\w{2,5}(?:#\S*)?", re.I)
_PICTURE = re.compile(r"\S.*\.(?:png|jpe?g|gif|svg|webp|avif)$", re.I)
_WORD = re.compile(r"[^\W\d_]")


def read_arguments(written: str) -> dict[str, str]:
    """Arguments by name; those without one by their number, and bare words among these by "number bare"."""
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
    """Whether a text is an address or a file's name, and nothing to be read."""
    return _ADDRESS.fullmatch(text) is not None


def picture_of(arguments: Mapping[str, str]) -> str:
    """A figure where an argument is the file of a picture; else empty."""
    source = next((value for key, value in arguments.items() if _PICTURE.match(value) and "icon" not in key), "")
    if not source:
        return ""
    words = [value for key, value in arguments.items() if key.isdecimal() and value != source]
    alt = arguments.get("alt") or next(iter(words), "")
    caption = ". ".join(filter(None, (arguments.get(key, "").strip() for key in ("title", "caption"))))
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f'<figure><img src="{escape(source)}" alt="{escape(alt)}">{below}</figure>'


def said_by(arguments: Mapping[str, str], *, named: bool) -> str:
    """The words of arguments without those that place, style or address a thing, behind their names if wanted."""
    said: list[str] = []
    for key, value in arguments.items():
        text = " ".join(value.split())
        is_named = named and not key.isdecimal()
        if key.endswith(" bare") or _LAYOUT.match(key) or is_address(text) or not (is_named or _WORD.search(text)):
            continue
        said.append(f"{key}: {text}" if is_named and key not in ("title", "text", "alt") else text)
    return escape("; ".join(said), quote=False).replace("{", "&#123;").replace("[", "\\[")
