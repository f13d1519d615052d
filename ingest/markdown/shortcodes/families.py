"""The families of shortcodes that themes share, by name, and what they show."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from backtrail.ingest.markdown.includes.includer import Includer
from backtrail.ingest.markdown.labels import KINDS, closed, kind_label, opened
from backtrail.ingest.markdown.shortcodes.parse import Shortcode
from backtrail.ingest.sites.configuration import lowered
from backtrail.ingest.sites.front_matter import plain

Open = Callable[[Shortcode, str, Includer], str | None]
Close = Callable[[Shortcode, str], str]


@dataclass(frozen=True)
class Family:
    """What the start mark stands for (None: it cannot be told), and the end mark if there is one."""

    open: Open
    close: Close | None = None


def _closed(mark: Shortcode, indent: str) -> str:
    return (f"\n{indent}```````" if mark.holds_code else "") + closed(indent)


def _alert(mark: Shortcode, indent: str, includer: Includer) -> str:
    kind = mark.value("type", "context", "kind", "icon", position=0)
    title = mark.named.get("title") or mark.named.get("heading") or (mark.positional[1:] or [""])[0]
    known = kind.strip(":").lower() in KINDS
    label = title or (kind_label(kind) if known else "" if mark.name in ("alert", "callout", "notice") else mark.name)
    return opened(kind_label("", label) if title else label.capitalize(), indent)


def _group(mark: Shortcode, indent: str, includer: Includer) -> str:
    return opened("", indent)


def _tab(mark: Shortcode, indent: str, includer: Includer) -> str:
    if mark.holds_code:
        return opened(mark.value("header", "lang"), indent) + f"{indent}```````{mark.named.get('lang', '')}\n"
    return opened(mark.value("name", "title", "label", "header", "tabname", "summary", "lang"), indent)


def _figure(mark: Shortcode, indent: str, includer: Includer) -> str | None:
    source = mark.value("src", "link", "image", "filename")
    if not source:
        return None
    alt = mark.named.get("alt", "") or (mark.positional[1:] or [""])[0]
    title, told = (mark.named.get(name, "").strip() for name in ("title", "caption"))
    caption = f"{title}{'.' if title[-1].isalnum() else ''} {told}" if title and told else title or told
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    picture = f'<img src="{escape(quote(source, safe="/:%.#?=&"))}" alt="{escape(alt)}">'
    return f"\n\n{indent}<figure>{picture}{below}</figure>\n\n"


def _highlight(mark: Shortcode, indent: str, includer: Includer) -> str:
    title = mark.named.get("title") or mark.named.get("file") or mark.named.get("filename") or ""
    titled = f' title="{title}"' if title and '"' not in title else ""
    return f"\n{indent}```````{mark.value('lang', 'language', 'type')}{titled}\n"


def _highlight_end(mark: Shortcode, indent: str) -> str:
    return f"\n{indent}```````\n"


def _ref(mark: Shortcode, indent: str, includer: Includer) -> str | None:
    """The address of the page that is meant; as it is written if there is none, so that it counts as dead."""
    written = mark.value("path", "page")
    path, _, fragment = written.partition("#")
    if not written:
        return None
    page = includer.page
    found = page.site_map.page_named(page.document_id, path) if path else page.document_id
    if found is not None:
        path = posixpath.relpath(found, posixpath.dirname(page.document_id) or ".") if path else ""
    return quote(path) + (f"#{quote(fragment)}" if fragment else "")


def _param(mark: Shortcode, indent: str, includer: Includer) -> str | None:
    """A parameter of the page, of the sections above it that hand it down, or of the site."""
    name = mark.value("name", "param").lower()
    page = includer.page
    own = plain(_nested(page.front.values, name)) or plain(_nested(page.front.values.get("params"), name))
    handed_down = own or page.site_map.cascaded(page.document_id, name)
    return handed_down or page.site.variables.get(name) or None


def _filled_param(mark: Shortcode, indent: str, includer: Includer) -> str | None:
    """A parameter with places ``{1}``, ``{2}`` … that further arguments fill (Docsy's ``_param``)."""
    text = _param(mark, indent, includer)
    for number, value in enumerate(mark.positional[1:], start=1):
        text = text.replace(f"{{{number}}}", value) if text else text
    return text


def _nested(values: object, name: str) -> object:
    for part in name.split("."):
        values = lowered(values).get(part)
    return values


def _link(mark: Shortcode, indent: str, includer: Includer) -> str | None:
    address = mark.value("url", "href", "link", "to", "ref")
    text = mark.named.get("text") or mark.named.get("title") or mark.named.get("label")
    if not address:
        return None
    return f"[{text or address}](<{address}>)" if not mark.paired else f"[{text}](<{address}>) " if text else ""


def _text(mark: Shortcode, indent: str, includer: Includer) -> str | None:
    return mark.value("text", "title", "content", "label", "name", "value") or ("" if mark.paired else None)


def _version(mark: Shortcode, indent: str, includer: Includer) -> str | None:
    version = mark.value("version")
    return f"({mark.name.replace('-', ' ')} {version}) " if version else None


def _terms(mark: Shortcode, indent: str, includer: Includer) -> str | None:
    return mark.value("text", "term_id", "term", "name") or None


def _nothing(mark: Shortcode, indent: str, includer: Includer) -> str:
    return ""


_ALERTS = Family(_alert, _closed)
_GROUPS = Family(_group, _closed)
_TABS = Family(_tab, _closed)
_CODE = Family(_highlight, _highlight_end)
FAMILIES: dict[str, Family] = {
    **dict.fromkeys(
        ("alert", "callout", "admonition", "notice", "hint", "pageinfo", "blockquote", *sorted(KINDS)), _ALERTS
    ),
    **dict.fromkeys(
        (
            "tabs",
            "tabpane",
            "tabset",
            "cards",
            "columns",
            "column",
            "steps",
            "grid",
            "row",
            "col",
            "cardpane",
            "blocks/section",
            "blocks/lead",
        ),
        _GROUPS,
    ),
    **dict.fromkeys(
        (
            "tab",
            "tabitem",
            "expand",
            "details",
            "collapse",
            "accordion",
            "step",
            "card",
            "blocks/cover",
            "blocks/feature",
        ),
        _TABS,
    ),
    **dict.fromkeys(("figure", "image", "img", "imgproc", "picture"), Family(_figure)),
    **dict.fromkeys(("highlight", "code", "code-block", "codeblock", "code-toggle", "codenew", "syntax"), _CODE),
    **dict.fromkeys(("ref", "relref", "latestref"), Family(_ref)),
    **dict.fromkeys(("param", "meta"), Family(_param)),
    "_param": Family(_filled_param),
    **dict.fromkeys(("link", "button", "url", "video"), Family(_link)),
    **dict.fromkeys(("badge", "label", "chip", "kbd", "mark"), Family(_text)),
    **dict.fromkeys(("new-in", "deprecated-in"), Family(_version)),
    **dict.fromkeys(("glossary_tooltip", "glossary", "gl", "abbr", "tooltip"), Family(_terms)),
    **dict.fromkeys(("comment", "toc", "clear", "br", "pagebreak", "blocks/link-down"), Family(_nothing)),
}
"""Families by lower-case name."""
