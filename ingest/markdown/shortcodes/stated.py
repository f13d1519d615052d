"""What a shortcode that is not known states in its named arguments: ``{{< confkey type="integer" default="3" >}}``.

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


def _is_layout(name: str, value: str) -> bool:
    """Whether an argument says how a thing looks, what it is called inside the page, or where a file lies."""
    words = set(re.split(r"[._-]", name))
    if name in _LAYOUT | _ADDRESSES or words & {"class", "id", "url", "src", "href", "style"}:
        return True
    return name not in _STATING and _ADDRESS.fullmatch(value) is not None
