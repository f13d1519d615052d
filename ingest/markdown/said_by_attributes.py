"""Text that a component of the site's own has in its attributes: ``<CommandTabs npm="npm run dev" />``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape

_MOST_ATTRIBUTES = 20
_LONGEST = 2000
_PROPS = re.compile(
    r"(?:.*(?:class|classname|style|href|src|url|path|icon|color|size|sizes|width|height))$|(?-i:(?:.*[-_:])?id|.*I[dD])$|^(?:[:@#].*|v-.*|data-.*|on[a-z]+)$"
    r"|^(?:to|key|ref|rel|slot|lang|language|type|kind|variant|target|align|role|as|is|import|allow|loading|viewbox)$",
    re.I,
)
"""Names of what styles, places or links a component, and of what is an expression and no text."""
_WORD = re.compile(r"(?:^|(?<=\s))[\"'(\[]?[-@./$~]*[^\W\d_]")
_CALL = re.compile(r"[\w.:]+\([^()]*\)|--[\w-]+(?:=\S+)?")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_FEWEST_UNSPACED = 6


def said_by_attributes(attributes: Mapping[str, str], alone: bool) -> str:
    """What attributes say, each behind its name: a list of HTML on one line, or within a line, code.

    Args:
        attributes: those with a literal value.
        alone: whether the component begins its line.
    """
    said = list(_said(attributes))
    if not said:
        return ""
    if not alone:
        return "; ".join(f"{name} {_inline(value)}" for name, value in said)
    return f"<dl>{''.join(f'<dt>{name}</dt><dd>{_block(value)}</dd>' for name, value in said)}</dl>"


def _said(attributes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    left = _MOST_ATTRIBUTES
    for name, value in attributes.items():
        if left and not is_prop(name) and is_said(value):
            left -= 1
            yield escape(name), value.strip()[:_LONGEST]


def is_prop(name: str) -> bool:
    """Whether what has this name styles, places or links a component, and says nothing."""
    return _PROPS.match(name) is not None


def is_said(value: str) -> bool:
    """Whether somebody reads it: several words, some of a script without spaces, or a call or option."""
    if len(_WORD.findall(value[:_LONGEST])) >= 2 or _CALL.fullmatch(value[:_LONGEST].strip()):
        return True
    return len(_UNSPACED.findall(value[:_LONGEST])) >= _FEWEST_UNSPACED


def _inline(value: str) -> str:
    value = " ".join(value.split())
    return f"`{value}`" if "`" not in value else escape(value)


def _block(value: str) -> str:
    """On one line, as a blank one would end the HTML; braces would be read as expressions."""
    lines = [escape(" ".join(line.split())) for line in value.splitlines() if line.strip()]
    return "<br>".join(lines).replace("{", "&#123;").replace("}", "&#125;")
