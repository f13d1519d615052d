"""Container blocks of Markdown: between ``:::`` or ``///``, or a directive in a fence, ``{note}``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.container import container_plugin

from backtrail.ingest.markdown.arguments import is_address, picture_of, read_arguments
from backtrail.ingest.markdown.headings import text_of
from backtrail.ingest.markdown.labels import KINDS, VERSIONS, kind_label, label_of, label_open

_PARAMETERS = re.compile(r"(?:\{([\w:-]+)\}|\{([^{}]*)\}|([\w:/-]+))?[ \t]*(?:\[(.*)\]|\|(.*)|(.*))$")
# off: 6 of 2,893 Markdown pages show attributes as names of blocks
_ATTRIBUTES = re.compile(r"(?<=[^ \t])[ \t]*\{[^{}]*\}[ \t]*$")
_OPTION = re.compile(r"[ \t]*:?([\w-]+):(?:[ \t]+(.*))?$")
_HOLDING = KINDS | {
    "admonition", "aside", "card", "container", "details", "div", "dropdown", "figure", "grid", "grid-item",
    "grid-item-card", "image", "margin", "sidebar", "tab", "tab-item", "tab-set", "table", "tabs", "topic",
    *VERSIONS,
}  # fmt: skip
"""Directives in code fences whose content is Markdown; all others are code."""
_DEEPEST = 10


def containers(md: MarkdownIt) -> None:
    """Parse blocks between colons or slashes."""
    for name, marker in (("colons", ":"), ("slashes", "/")):
        container_plugin(md, name, marker, validate=_validate, render=_render)
    md.core.ruler.after("block", "container_options", _drop_options)


def directive(info: str, content: str, md: MarkdownIt, env: EnvType) -> str | None:
    """Return the HTML of a fence that is a directive, ``{note} Title``; None if it is code."""
    named = re.match(r"\{([\w:-]+)\}", info)
    name = named[1].lower() if named else ""
    if named is None or name not in _HOLDING or env.get("depth", 0) >= _DEEPEST:
        return None
    argument = info[named.end() :].strip()
    options, lines = _options(content.split("\n"))
    lines = [f"{VERSIONS[name]} {argument}", "", *lines] if name in VERSIONS else lines
    # without the footnotes of the page, which would be rendered here as well
    shared = {key: env[key] for key in ("page", "parser", "references") if key in env}
    body = md.render("\n".join(lines), {**shared, "depth": env.get("depth", 0) + 1})
    picture = picture_of({"0": argument, **options})
    if picture:
        shown = picture.replace("</figure>", f"<figcaption>{body}</figcaption></figure>")
    else:
        shown = f"{label_open(_label(info, env))}\n{body}</div>\n"
    return (f'<a id="{escape(options["name"])}"></a>' if "name" in options else "") + shown


def _options(lines: list[str]) -> tuple[dict[str, str], list[str]]:
    """Return the options at the top of a block, and its other lines."""
    found: dict[str, str] = {}
    position = 0
    while position < len(lines) and (lines[position].strip() == "---" or lines[position].lstrip().startswith(":")):
        option = _OPTION.match(lines[position])
        if option is None and lines[position].strip() != "---":
            break
        if option:
            found[option[1]] = (option[2] or "").strip()
        position += 1
    return found, lines[position:]


def _validate(parameters: str, markup: str) -> bool:
    return bool(parameters.strip()) and not parameters.strip().startswith(markup[:1])


def _render(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    token = tokens[index]
    if token.nesting != 1:
        return "</div>\n"
    match = _PARAMETERS.match(token.info.strip())
    picture = picture_of({"0": match[6].strip()}) if match and match[1] and match[6] else ""
    return f"{label_open(_label(token.info, env))}{picture}\n"


def _label(info: str, env: EnvType) -> str:
    """Return the label of a block: its title, else the kind of admonition from its name or a class."""
    match = _PARAMETERS.match(_ATTRIBUTES.sub("", info.strip()))
    if match is None:
        return ""
    directive_, listed, name, bracketed, barred, behind = (part or "" for part in match.groups())
    if listed:
        arguments = read_arguments(listed)
        classes = (word for value in arguments.values() for word in re.split(r"[-. ]", value))
        return label_of(next((word for word in classes if word in KINDS), ""), arguments)
    title = (bracketed or barred or behind).strip()
    kind = (directive_ or name).lower()
    # off: 7 of 2,893 Markdown pages show addresses, 11 show numbers as names of blocks
    if not title or is_address(title) or not re.search(r"[^\W\d_]", title):
        return kind_label(kind) if kind in KINDS else ""
    md = env.get("parser")
    return text_of(md.parseInline(title, {})[0]) if isinstance(md, MarkdownIt) else title


def _drop_options(state: StateCore) -> None:
    """Drop the options at the top of a block (``:class: x``, indented ``open: true``).

    Off: 26 of 2,893 Markdown pages show them as text.
    """
    for index, token in enumerate(state.tokens):
        if not token.type.startswith("container_") or token.nesting != 1 or index + 2 >= len(state.tokens):
            continue
        first, second = state.tokens[index + 1], state.tokens[index + 2]
        if first.type == "code_block" and all(_OPTION.match(line) for line in first.content.split("\n") if line):
            first.type, first.tag, first.content = "html_block", "", ""
        elif first.type == "paragraph_open":
            second.content = "\n".join(_options(second.content.split("\n"))[1])
