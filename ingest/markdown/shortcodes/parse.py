"""Shortcodes as they are written: ``{{< name key="value" >}}``, ``{{% name %}} … {{% /name %}}``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

LONGEST = 10_000
_ARGUMENT = re.compile(r"""(?:([\w.-]+)\s*=\s*)?(?:"((?:\\.|[^"\\])*+)(?:"|\Z)|`([^`]*)`|([^\s"`=]+))""", re.S)
"""A quote that is not closed goes to the end."""
_NAME = re.compile(r"\s*(?:(/)\s*)?([\w./-]+)")


@dataclass
class Shortcode:
    """One mark of a shortcode, with its place in the text.

    ``closes`` for an end mark, ``paired`` for a start mark that has one, ``holds_code`` for both marks of a tab whose
    contents are code.
    """

    start: int
    end: int
    name: str
    closes: bool = False
    paired: bool = False
    holds_code: bool = False
    positional: list[str] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)

    def value(self, *names: str, position: int | None = 0) -> str:
        """The first named argument that is there, else the one at a position."""
        found = next((self.named[name] for name in names if self.named.get(name)), "")
        at = position is not None and not found and position < len(self.positional)
        return self.positional[position] if at and position is not None else found


@dataclass(frozen=True)
class Escaped:
    """A shortcode that is shown and not run: ``{{</* name */>}}`` stands for ``{{< name >}}``."""

    start: int
    end: int
    shown: str


def shortcodes(text: str) -> Iterator[Shortcode | Escaped]:
    """The marks in order; ends are matched with the nearest start of their name."""
    found = list(_marks(text))
    waiting: dict[str, list[Shortcode]] = {}
    for mark in found:
        if isinstance(mark, Escaped):
            continue
        if mark.closes:
            opened = waiting.get(mark.name)
            mark.paired = bool(opened)
            if opened:
                start = opened.pop()
                start.paired = True
                mark.holds_code = start.holds_code = start.name == "tab" and _is_code(start, waiting.get("tabpane"))
        else:
            waiting.setdefault(mark.name, []).append(mark)
    return iter(found)


def _is_code(tab: Shortcode, panes: list[Shortcode] | None) -> bool:
    """Whether a tab holds code: in Docsy those of a ``tabpane`` do, unless either says that it is text."""
    if not panes:
        return False
    text = tab.named.get("text") or panes[-1].named.get("text", "")
    return text.lower() != "true" and bool(tab.named.get("lang") or panes[-1].named.get("lang"))


def _marks(text: str) -> Iterator[Shortcode | Escaped]:
    position = 0
    while (start := text.find("{{", position)) >= 0:
        kind = text[start + 2 : start + 3]
        close = {"<": ">}}", "%": "%}}"}.get(kind)
        end = text.find(close, start + 3, start + LONGEST) if close else -1
        if close is None or end < 0:
            position = start + 2
            continue
        inside = text[start + 3 : end]
        position = end + 3
        if inside.startswith("/*") and inside.rstrip().endswith("*/"):
            yield Escaped(start, position, "{{" + kind + inside[2:].rstrip()[:-2] + close)
        elif name := _NAME.match(inside):
            yield _shortcode(start, position, name, inside[name.end() :])


def _shortcode(start: int, end: int, name: re.Match[str], rest: str) -> Shortcode:
    mark = Shortcode(start, end, name[2].lower(), closes=bool(name[1]))
    for key, quoted, raw, bare in _ARGUMENT.findall(rest):
        value = quoted.replace('\\"', '"') or raw or bare
        if key:
            mark.named[key.lower()] = value
        elif value != "/" and not value.isspace():
            mark.positional.append(value)
    return mark
