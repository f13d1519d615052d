"""Answers as HTML: Markdown of models, plain text of rules, each sentence with links to the sources that it cites.

Raw HTML stays text, pictures are their alternative text, and links lead to http and https addresses only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

from backtrail.server.ui.answer_markers import numbered, structure_text
from backtrail.server.ui.sources import web_address
from backtrail.state.answer import Answer

DEEPEST = 20
"""Maximum nesting of lists and quotes (ours)."""

_OPEN, _CLOSE = "\ue000", "\ue001"
"""Private-use characters around the number of a source, which no answer keeps."""
_MARK = re.compile(rf"{_OPEN}(\d+){_CLOSE}")
_FIRST_HEADING = 3


def answer_html(text: str, cited: Mapping[int, str], *, markdown: bool, anchor: str) -> Markup:
    """Render an answer, with a marker of each source behind the sentence that shares most words with its quote.

    Args:
        cited: quotes by the number of their source; without any, no markers are set.
        markdown: a model wrote the text; text of rules is shown as it is in the documents.
        anchor: prefix of the ids of the sources in the page.
    """
    return rendered(numbered(_bare(text), cited, marker), markdown=markdown, anchor=anchor)


def structure_html(answer: Answer, anchor: str) -> Markup:
    """Render the items, table or sections of an answer; empty without any."""
    text = structure_text(_bare(answer), marker)
    return rendered(text, markdown=True, anchor=anchor)


def _bare(value: Any) -> Any:
    """Return the values of an answer without the characters around numbers of sources."""
    if isinstance(value, str):
        return value.replace(_OPEN, "").replace(_CLOSE, "")
    if isinstance(value, dict):
        return {key: _bare(one) for key, one in value.items()}
    return [_bare(one) for one in value] if isinstance(value, list) else value


def marker(number: int) -> str:
    """Return a marker of a source for ``rendered``."""
    return f"{_OPEN}{number}{_CLOSE}"


def rendered(text: str, *, markdown: bool, anchor: str) -> Markup:
    """Render a text with markers."""
    html = (_MARKDOWN if markdown else _PLAIN).render(text, {"anchor": anchor})
    return Markup(html.replace(_OPEN, "").replace(_CLOSE, ""))


# --- Rendering ---------------------------------------------------------------------------------------
def _text(_: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: MutableMapping[str, Any]) -> str:
    anchor = escapeHtml(env["anchor"])
    link = rf'<a class="mark" href="#{anchor}\1" aria-label="Source \1">[\1]</a>'
    return _MARK.sub(link, escapeHtml(tokens[index].content))


def _image(_: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: object) -> str:
    return escapeHtml(tokens[index].content)


def _link(held: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    tokens[index].attrSet("rel", "noreferrer noopener external nofollow")
    tokens[index].attrSet("target", "_blank")
    return held.renderToken(tokens, index, options, env)


def _heading(held: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """Render a heading below the page's own."""
    tokens[index].tag = f"h{max(int(tokens[index].tag[1:]), _FIRST_HEADING)}"
    return held.renderToken(tokens, index, options, env)


def _table(held: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    region = '<div class="wide" tabindex="0" role="region" aria-label="Table">'
    return region + held.renderToken(tokens, index, options, env)


def _table_end(held: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return held.renderToken(tokens, index, options, env) + "</div>"


_RULES: Mapping[str, Callable[..., str]] = {
    "text": _text, "image": _image, "link_open": _link, "heading_open": _heading, "heading_close": _heading,
    "table_open": _table, "table_close": _table_end,
}  # fmt: skip


def _reader(preset: str, *rules: str) -> MarkdownIt:
    options = {"html": False, "xhtmlOut": False, "breaks": True, "maxNesting": DEEPEST}
    reader = MarkdownIt(preset, options).enable([*rules])
    reader.validateLink = lambda url: bool(web_address(url))  # type: ignore[method-assign]
    for name, rule in _RULES.items():
        reader.add_render_rule(name, rule)
    return reader


_MARKDOWN, _PLAIN = _reader("commonmark", "table", "strikethrough"), _reader("zero", "newline")
