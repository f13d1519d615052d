"""HTML of labelled blocks (admonitions, tabs, titled code), which the HTML walker reads as sections."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from backtrail.ingest.html.elements import LABEL

KINDS = frozenset(
    {
        "abstract", "attention", "bug", "caution", "check", "cite", "danger", "done", "error", "example",
        "fail", "failure", "faq", "help", "hint", "important", "info", "missing", "note", "question",
        "quote", "seealso", "success", "summary", "tip", "tldr", "todo", "warning",
    }
)  # fmt: skip
"""Admonitions that need no title."""

VERSIONS = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
}
"""Texts before the version number of version notes."""

_TITLES = ("title", "label", "header", "caption", "name", "0")
"""Arguments that name a block; "0" has no name, but quotes. Off: 139 of 2,893 Markdown pages lose names of blocks."""


def label_open(label: str) -> str:
    """Return the start tag of a block, with its label if there is one."""
    return f'<div {LABEL}="{escape(label.strip())}">' if label.strip() else "<div>"


def opened(label: str, indent: str = "") -> str:
    """Return the start of a block between blank lines, so that the following text is Markdown."""
    return f"\n\n{indent}{label_open(label)}\n\n"


def closed(indent: str = "") -> str:
    """Return the end of such a block."""
    return f"\n\n{indent}</div>\n\n"


def kind_label(kind: str, title: str = "") -> str:
    """Return the label of an admonition: its title, else its kind in words."""
    words = kind.strip().lower().replace("_", " ").replace("-", " ")
    return title.strip() or {"seealso": "See also", "tldr": "TL;DR", "faq": "FAQ"}.get(words, words.capitalize())


def label_of(name: str, arguments: Mapping[str, str]) -> str:
    """Return the label of a block in any notation: its title, else the kind in its name or an argument."""
    title = next((arguments[key] for key in _TITLES if arguments.get(key, "").strip()), "")
    # arguments off: 6 of 2,893 Markdown pages lose "Warning" or the like over a block
    kind = next((word for word in (*arguments.values(), name) if word.strip().lower() in KINDS), "")
    return title or kind_label(kind)
