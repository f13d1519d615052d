"""Markdown dialect: CommonMark and GFM with generators' additions, on markdown-it-py and plugins."""

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
from mdit_py_plugins.myst_role import myst_role_plugin

from backtrail.ingest.markdown.autolinks import autolinks
from backtrail.ingest.markdown.bounded_marks import bounded_marks
from backtrail.ingest.markdown.callouts import callouts
from backtrail.ingest.markdown.containers import containers, directive
from backtrail.ingest.markdown.indented_blocks import indented_blocks
from backtrail.ingest.markdown.labels import label_open

DEEPEST = 40
"""Most levels of nested blocks (ours); the library's default of 20 loses code in lists in tabs."""

# off: 184 of 2,893 Markdown pages lose titles of code, those in brackets 47
_TITLE = re.compile(r"""\b(?:title|filename|file)\s*=\s*(?:"([^"]*)"|'([^']*)'|\{["'`]([^"'`]*)["'`]\})""")
_TARGET = re.compile(r"([^<>]{1,500})<([^<>]{1,500})>")
_BRACKETED = re.compile(r"^[\w+#.-]*\s*(?:[^\[\]]*\s)?\[([^\[\]]{1,100})\]")


@lru_cache(maxsize=2)
def parser(*, mdx: bool = False) -> MarkdownIt:
    """Return the parser; in MDX, indented text is not code."""
    md = MarkdownIt("commonmark", {"maxNesting": DEEPEST, "tasklists": True})
    md.enable(["table", "strikethrough"])
    if mdx:
        md.disable("code")
    footnote_plugin(md)
    deflist_plugin(md)
    dollarmath_plugin(md, allow_space=False, allow_digits=False, allow_blank_lines=False, renderer=_math)
    myst_role_plugin(md)
    for extension in (indented_blocks, callouts, containers, autolinks, bounded_marks):
        extension(md)
    for name, rule in _RULES.items():
        md.add_render_rule(name, rule)
    return md


def _math(content: str, options: dict[str, Any]) -> str:
    """Return a formula as written, with its marks, so that text mistaken for a formula is unchanged."""
    mark = "$$" if options.get("display_mode") else "$"
    return escape(f"{mark}{content}{mark}")


def _fence(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    """Render code, under its title if it has one, or the content of a directive."""
    md = env.get("parser")
    body = directive(tokens[index].info.strip(), tokens[index].content, md, env) if isinstance(md, MarkdownIt) else None
    if body is not None:
        return body
    code = f"<pre><code>{escape(tokens[index].content)}</code></pre>\n"
    info = tokens[index].info
    titled = _TITLE.search(info) or _BRACKETED.match(info)
    title = next(filter(None, titled.groups()), "") if titled else ""
    return f"{label_open(title)}{code}</div>\n" if title else code


def _role(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    """Render the code behind a role ``{name}``: a link for ``text <target>``, else the text."""
    written = _TARGET.fullmatch(tokens[index].content)
    if written is None:
        return escape(tokens[index].content)
    is_label = str(tokens[index].meta.get("name", "")).endswith("ref")
    return f'<a href="{"#" if is_label else ""}{escape(written[2])}">{escape(written[1].strip())}</a>'


_RULES = {"fence": _fence, "myst_role": _role, "footnote_anchor": lambda *_: ""}
