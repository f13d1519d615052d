"""The Markdown that is read: CommonMark and GFM with what generators add, by markdown-it-py and its plugins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from backtrail.ingest.markdown.attribute_lists import attribute_lists
from backtrail.ingest.markdown.autolinks import autolinks
from backtrail.ingest.markdown.bounded_marks import bounded_marks
from backtrail.ingest.markdown.callouts import callouts
from backtrail.ingest.markdown.containers import containers
from backtrail.ingest.markdown.icons import icons
from backtrail.ingest.markdown.indented_blocks import indented_blocks
from backtrail.ingest.markdown.labels import label_open
from backtrail.ingest.markdown.note_marks import note_marks
from backtrail.ingest.markdown.orphan_definitions import orphan_definitions
from backtrail.ingest.markdown.table_captions import table_captions
from backtrail.ingest.markdown.text_and_target import text_and_target
from backtrail.ingest.markdown.wiki_links import wiki_links

DEEPEST = 40
"""Levels of blocks within blocks; the default of 20 loses code in lists in tabs, more than this is nobody's page."""

_TITLE = re.compile(
    r"""\b(?:title|filename|file|caption|label)\s*=\s*(?:"([^"]*)"|'([^']*)'|\{["'`]([^"'`]*)["'`]\})"""
)
_BRACKETED = re.compile(r"^[\w+#.-]*\s*(?:[^\[\]]*\s)?\[([^\[\]]{1,100})\]")


@lru_cache(maxsize=4)
def parser(*, myst: bool, mdx: bool = False) -> MarkdownIt:
    """The parser; ``myst`` adds targets and comments of MyST, which are plain text elsewhere; MDX indents no code."""
    md = MarkdownIt("commonmark", {"maxNesting": DEEPEST, "alerts": True, "tasklists": True})
    md.enable(["table", "strikethrough"])
    if mdx:
        md.disable("code")
    footnote_plugin(md)
    deflist_plugin(md)
    dollarmath_plugin(md, allow_space=False, allow_digits=False, allow_blank_lines=False, renderer=_math)
    myst_role_plugin(md)
    for extension in (
        indented_blocks,
        orphan_definitions,
        callouts,
        containers,
        icons,
        wiki_links,
        attribute_lists,
        autolinks,
        bounded_marks,
        note_marks,
        table_captions,
    ):
        extension(md)
    if myst:
        myst_block_plugin(md)
    for name, rule in _RULES.items():
        md.add_render_rule(name, rule)
    return md


def _math(content: str, options: dict[str, Any]) -> str:
    """A formula as it is written, marks included: what only looked like one has lost nothing."""
    mark = "$$" if options.get("display_mode") else "$"
    return escape(f"{mark}{content}{mark}")


def _fence(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    """Code, under its title if it has one."""
    code = f"<pre><code>{escape(tokens[index].content)}</code></pre>\n"
    info = tokens[index].info
    titled = _TITLE.search(info) or _BRACKETED.match(info)
    title = next(filter(None, titled.groups()), "") if titled else ""
    return f"{label_open(title)}{code}</div>\n" if title else code


def _alert(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    meta = tokens[index].meta
    return f"{label_open(str(meta.get('label') or meta.get('kind', '').capitalize()))}\n"


def _role(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    """A role's text. Those that name documents are links, others of the form ``text <target>`` their text."""
    name, content = str(tokens[index].meta.get("name", "")), tokens[index].content
    text, target = text_and_target(content)
    if name in ("doc", "download"):
        return f'<a href="{escape(target)}">{escape(text)}</a>'
    if name in ("ref", "numref", "std:ref"):
        return f'<a href="#{escape(target)}">{escape(text)}</a>'
    return f"<code>{escape(text)}</code>" if name in ("code", "kbd", "file", "command") else escape(text)


def _nothing(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return ""


def _target(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return f'<a id="{escape(tokens[index].content)}"></a>\n'


_RULES = {
    "fence": _fence,
    "alert_open": _alert,
    "myst_role": _role,
    "myst_target": _target,
    "myst_block_break": _nothing,
    "myst_line_comment": _nothing,
    "footnote_anchor": _nothing,
}
