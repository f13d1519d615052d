"""Blocks with a name above them (admonitions, tabs, titled code) as HTML that the walker takes for named sections."""

from __future__ import annotations

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
    if title.strip():
        return title.strip()
    words = kind.strip().lower().replace("_", " ").replace("-", " ")
    return {"seealso": "See also", "tldr": "TL;DR", "faq": "FAQ"}.get(words, words.capitalize())


_VERSIONS = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
}


def version_said(directive: str, argument: str, *, goes_on: bool) -> str:
    """What a note on a version says in words, as Sphinx does: "Changed in version 5.0: Now raises"."""
    words = _VERSIONS.get(directive)
    version, _, rest = " ".join(argument.split()).partition(" ")
    if not words or not version:
        return argument
    return f"{words} {version}: {rest}".rstrip() if rest or goes_on else f"{words} {version}."
