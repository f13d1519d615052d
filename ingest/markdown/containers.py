"""Fenced blocks with Markdown inside: ``:::`` (Docusaurus, VitePress, MyST, Pandoc) and ``///`` (PyMdown)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.container import container_plugin

from backtrail.ingest.markdown.headings import text_of
from backtrail.ingest.markdown.labels import KINDS, kind_label, label_open

_PARAMETERS = re.compile(r"(?:\{([\w:.-]*)\}|(\.?[\w:-]+))?[ \t]*(?:\[(.*)\]|\|(.*)|(.*))$")
_ATTRIBUTES = re.compile(r"(?<![ \t])[ \t]*\{[^{}]*\}[ \t]*$")
_LISTED = re.compile(r"\{:?[ \t]*([.#][^{}]*)\}")
_TITLE = re.compile(r"""\b(?:title|name|summary)=(?:"([^"]*)"|'([^']*)')""")
_OPTION = re.compile(r":[\w-]+:.*|-{3}|[\w-]+: .*")
_CAPTIONS = frozenset({"caption", "figure-caption", "table-caption"})
_TITLED = frozenset(
    {"admonition", "details", "dropdown", "tab", "tab-item", "card", "grid-item-card", "collapse", "topic"}
)
_PLAIN = frozenset({"html", "div", "raw", "v-pre", "grid", "tabs", "tab-set", "code-group", "row", "column", "define"})
"""Blocks that only arrange what they hold."""
_NAMES = ("colons", "slashes")


def containers(md: MarkdownIt) -> None:
    """Read both kinds of fences; captions go to the block before them, or behind them with ``| <``."""
    for name, marker in zip(_NAMES, ":/", strict=True):
        container_plugin(md, name, marker, validate=_validate, render=_render)
    md.add_render_rule("container_options", lambda renderer, tokens, index, options, env: "")
    md.core.ruler.after("block", "container_options", _drop_options)
    md.core.ruler.after("inline", "container_captions", _wrap_captioned)


def _validate(parameters: str, markup: str) -> bool:
    return bool(parameters.strip()) and not parameters.strip().startswith(markup[:1])


def _render(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    token = tokens[index]
    return f"{label_open(_label(renderer, token, env))}\n" if token.nesting == 1 else "</div>\n"


def _label(renderer: RendererHTML, token: Token, env: EnvType) -> str:
    listed = _LISTED.fullmatch(token.info.strip())
    if listed:
        return _listed_label(listed[1])
    directive, name, title = _split(token)
    name = (directive or name).lower()
    if name in KINDS or name in _TITLED:
        title = kind_label("" if name in _TITLED else name, title)
    elif not title or directive or name in _PLAIN or name.startswith("."):
        return ""
    md = env.get("parser")
    return text_of(md.parseInline(title, {})[0]) if isinstance(md, MarkdownIt) else title


def _listed_label(entries: str) -> str:
    """The label of a block of Pandoc and Quarto, whose classes say what it is: ``{.callout-note title="Mind"}``."""
    kind = next((name for name in re.findall(r"\.(?:callout-)?([\w-]+)", entries) if name in KINDS), "")
    title = _TITLE.search(entries)
    return kind_label(kind, (title[1] or title[2] or "") if title else "")


def _split(token: Token) -> tuple[str, str, str]:
    """The name in braces, the bare name, and the title of an opening fence."""
    match = _PARAMETERS.match(_ATTRIBUTES.sub("", token.info.strip()) or token.info.strip())
    if match is None:
        return "", "", ""
    title = match[3] or match[4] or match[5] or ""
    return match[1] or "", match[2] or "", title.strip()


def _drop_options(state: StateCore) -> None:
    """Options at the top of a block (``:class: x``, indented ``open: true``) are no text."""
    for index, token in enumerate(state.tokens):
        if not token.type.startswith("container_") or token.nesting != 1 or index + 2 >= len(state.tokens):
            continue
        first, second = state.tokens[index + 1], state.tokens[index + 2]
        if first.type == "code_block" and all(_OPTION.fullmatch(line) for line in first.content.split("\n") if line):
            first.type, first.tag = "container_options", ""
        elif first.type == "paragraph_open" and second.content.startswith((":", "---")):
            second.content = _without_options(second.content)


def _without_options(content: str) -> str:
    lines = content.split("\n")
    while lines and _OPTION.fullmatch(lines[0].strip()):
        lines.pop(0)
    return "\n".join(lines)


def _wrap_captioned(state: StateCore) -> None:
    """Make a figure of each block and the caption behind it; with ``| <`` the caption stands before its block."""
    wrapped: list[Token] = []
    latest: dict[int, int] = {}  # by level, where the last whole block of that level starts
    waiting: set[int] = set()  # levels of captions whose block comes next
    captions: list[int] = []
    for token in state.tokens:
        level = token.level
        if token.type == "container_slashes_open" and _name(token) in _CAPTIONS:
            captions.append(level)
            before = None if token.info.rstrip().endswith("<") else latest.pop(level, None)
            wrapped.insert(len(wrapped) if before is None else before, _tag("figure", 1))
            wrapped.append(_tag("figcaption", 1))
            if before is None:
                waiting.add(level)
        elif token.type == "container_slashes_close" and captions[-1:] == [level]:
            captions.pop()
            wrapped.append(_tag("figcaption", -1))
            if level not in waiting:
                wrapped.append(_tag("figure", -1))
        else:
            if token.nesting >= 0:
                latest[level] = len(wrapped)
                latest.pop(level + 1, None)
            wrapped.append(token)
            if level in waiting and token.nesting <= 0 and token.block and not captions:
                waiting.remove(level)
                wrapped.append(_tag("figure", -1))
    state.tokens = [*wrapped, *(_tag("figure", -1) for _ in waiting)]


def _tag(tag: str, nesting: Literal[1, -1]) -> Token:
    return Token(f"{tag}_open" if nesting == 1 else f"{tag}_close", tag, nesting, block=True)


def _name(token: Token) -> str:
    directive, name, _ = _split(token)
    return (directive or name).lower()
