"""Lines of MDX without the indent that tags around them give: lists so far in would be no lists of Markdown."""

from __future__ import annotations

import re

_TAG_ALONE = re.compile(r"</?[A-Za-z][^<>\n]*>[ \t]*$")


class JsxIndents:
    """Takes the indent off, over the stretches of one page; it begins anew behind every tag on a line of its own."""

    def __init__(self) -> None:
        self._taken = 0
        self._base: int | None = None

    def taken_off(self, text: str) -> str:
        """A stretch outside fences, its lines as far in as the last tag above them."""
        if self._base is None and not self._taken and "<" not in text:
            return text
        return "\n".join(map(self._line, text.split("\n")))

    def _line(self, line: str) -> str:
        plain = line.lstrip(" \t")
        if not plain:
            return line
        indent = len(line) - len(plain)
        if self._base is not None:
            self._taken = max(indent - self._base, 0)
            self._base = None
        self._taken = min(self._taken, indent)
        shown = line[self._taken :]
        if plain[0] == "<" and _TAG_ALONE.match(plain):
            self._base = indent - self._taken
        return shown
