"""Blocks of GitBook, ``{% hint style="info" %} … {% endhint %}``, as HTML around Markdown."""

from __future__ import annotations

import posixpath
import re
from html import escape

from backtrail.ingest.markdown.labels import closed, kind_label, opened
from backtrail.ingest.markdown.prose import in_prose

_NAMES = "hint|tabs|tab|code|stepper|step|content-ref|embed|file|columns|column|updates|update"
_TAG = re.compile(rf"^([ \t]*)\{{%-?[ \t]*(end)?({_NAMES})\b([^%\n]{{0,1000}}?)-?%\}}[ \t]*$", re.M)
_PARAMETER = re.compile(r"(?<![\w-])([\w-]+)=\"([^\"\n]*)\"")
_WITHOUT_END = frozenset({"embed", "file"})


def expand_gitbook_tags(text: str) -> str:
    """The text with the blocks as named sections: only such as have a line of their own and are closed again.

    Hints are headed by their style, tabs, code and updates by their title; embedded pages and files are links.
    """
    if "{%" not in text:
        return text
    ended = {match[3] for match in _TAG.finditer(text) if match[2]}
    known = ended | (_WITHOUT_END if re.search(r"\{%-?[ \t]*(?:embed|file)[ \t]+(?:url|src)=\"", text) else set())
    return in_prose(text, lambda prose: _TAG.sub(lambda tag: _shown(tag, known), prose)) if known else text


def _shown(tag: re.Match[str], known: set[str]) -> str:
    indent, end, name, written = tag[1], tag[2], tag[3], tag[4]
    if name not in known:
        return tag[0]
    if name in ("content-ref", "tabs", "stepper", "columns"):
        return "\n"
    if name in _WITHOUT_END:
        return "\n" if end else _link(indent, dict(_PARAMETER.findall(written)))
    if end:
        return closed(indent)
    parameters = dict(_PARAMETER.findall(written))
    title = parameters.get("title", "") or parameters.get("date", "")
    return opened(kind_label(parameters.get("style", ""), title) if name == "hint" else title, indent)


def _link(indent: str, parameters: dict[str, str]) -> str:
    address = parameters.get("url") or parameters.get("src") or ""
    name = parameters.get("caption") or (posixpath.basename(address) if "src" in parameters else address)
    return f'\n\n{indent}<p><a href="{escape(address)}">{escape(name or address)}</a></p>\n\n' if address else "\n"
