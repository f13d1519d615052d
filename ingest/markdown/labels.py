"""Blocks with a name above them (admonitions, tabs, titled code) as HTML that the walker takes for named sections."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from backtrail.ingest.html.elements import LABEL

KINDS = frozenset(
    {
        "abstract", "attention", "bug", "caution", "check", "cite", "danger", "done", "error", "example",
        "experimental", "fail", "failure", "faq", "help", "hint", "important", "info", "missing", "note", "question",
        "quote", "seealso", "success", "summary", "tip", "tldr", "todo", "warning",
    }
)  # fmt: skip
"""Admonitions that need no title of their own."""

VERSIONS = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
}
"""What notes on a version say before its number."""

_TITLES = ("title", "label", "header", "heading", "summary", "caption", "name")


def label_open(label: str) -> str:
    """The start tag of a block; without a label it only groups."""
    return f'<div {LABEL}="{escape(label.strip())}">' if label.strip() else "<div>"


def opened(label: str, indent: str = "") -> str:
    """The start of a block on lines of its own, so that what follows is read as Markdown."""
    return f"\n\n{indent}{label_open(label)}\n\n"


def closed(indent: str = "") -> str:
    """The end of such a block."""
    return f"\n\n{indent}</div>\n\n"


def kind_label(kind: str, title: str = "") -> str:
    """What an admonition is headed by: its title, else its kind in words."""
    words = kind.strip().lower().replace("_", " ").replace("-", " ")
    return title.strip() or {"seealso": "See also", "tldr": "TL;DR", "faq": "FAQ"}.get(words, words.capitalize())


def label_of(name: str, arguments: Mapping[str, str]) -> str:
    """What heads a block of any notation: its title, else its kind where its name or an argument is one."""
    title = next((arguments[key] for key in _TITLES if arguments.get(key, "").strip()), "")
    kind = next((word for word in (*arguments.values(), name) if word.strip().lower() in KINDS), "")
    return title or kind_label(kind)
