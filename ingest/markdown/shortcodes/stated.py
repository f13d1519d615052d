"""What a shortcode that is not known states in its arguments: ``{{< confkey type="integer" default="3" >}}``.

Sites write reference pages that way: the mark is the only place where an option's type and default stand.
"""

from __future__ import annotations

import re
from html import escape

from backtrail.ingest.markdown.shortcodes.parse import Shortcode

_LONGEST = 300
"""Characters of a value, above which it is no fact but a text or a picture in letters."""
_MOST = 12
_LAYOUT = frozenset(
    {"class", "classes", "id", "style", "css", "width", "height", "size", "color", "colour", "bg", "background",
     "align", "position", "icon", "icons", "target", "rel", "loading", "lazy", "theme", "variant", "columns", "cols",
     "uuid", "token", "hash", "html", "js", "script", "open", "closed", "active", "disabled"}
)  # fmt: skip
_ADDRESSES = frozenset(
    {"src", "href", "url", "uri", "link", "file", "filename", "image", "img", "picture", "video", "audio", "poster",
     "ref", "relref", "download", "glob"}
)  # fmt: skip
_STATING = frozenset({"default", "value", "example", "type", "min", "max", "minimum", "maximum"})
"""Arguments whose value is what is meant even where it is an address: the default of an option may be one."""
_SHOWN_ALONE = frozenset({"title", "caption", "text", "label", "heading", "summary", "description", "alt"})
_SHOWN_WITHIN = ("text", "label", "title")
_WITHOUT_SCRIPT = ("nojs", "noscript", "fallback", "default")
_MARKUP = re.compile(r"[<>\[\]`|{}\\]")
_ADDRESS = re.compile(
    r"(?:https?:|data:)\S+|\.{0,2}/\S*|#[\w-]+|[^\s/]+/\S*\.\w{2,5}|[^\s.]+\.(?:svg|png|jpe?g|gif|webp|mp4|html?|md|css|js)",
    re.I,
)


def stated(mark: Shortcode) -> str:
    """The named arguments as text, ``type: integer; default: 3``; empty where none says anything."""
    told: list[str] = []
    for name, value in mark.named.items():
        said = " ".join(value.split())
        if not said or len(said) > _LONGEST or _is_layout(name, said):
            continue
        told.append(said if name in _SHOWN_ALONE else f"{re.sub(r'[_-]+', ' ', name).strip()}: {said}")
    return escape("; ".join(told[:_MOST]), quote=False).replace("\\", "\\\\").replace("[", "\\[")


def said_within(mark: Shortcode) -> str:
    """What stands for a mark within a line, as far as its arguments tell; empty where they do not.

    That is an argument named like text, one named like the shortcode (``support support="full"``), what is shown
    where no script runs, or words in quotes without a name. A page's text and code are written around it, so that
    nothing is said that Markdown or HTML would read as more than text.
    """
    names = (*_SHOWN_WITHIN, mark.name, *_WITHOUT_SCRIPT)
    words = [value for value in mark.positional if " " in value.strip() and value[0] not in "/.#"]
    said = next((mark.named[name] for name in names if mark.named.get(name)), words[0] if len(words) == 1 else "")
    said = " ".join(said.split())
    return said if len(said) <= _LONGEST and not _MARKUP.search(said) and not _ADDRESS.fullmatch(said) else ""


def _is_layout(name: str, value: str) -> bool:
    """Whether an argument says how a thing looks, what it is called inside the page, or where a file lies."""
    words = set(re.split(r"[._-]", name))
    if name in _LAYOUT | _ADDRESSES or words & {"class", "id", "url", "src", "href", "style"}:
        return True
    return name not in _STATING and _ADDRESS.fullmatch(value) is not None
