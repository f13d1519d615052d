"""Literal values of JavaScript: texts, lists and objects as they are written. What would have to be run is left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from backtrail.tools.foreign_values import read_json

LONGEST = 400_000
"""Characters of one value; ours, a handbook of questions has some 50,000."""

LONGEST_FILLED = 200
"""Characters of a text that stands within another by its name."""

DEEPEST = 20
MOST = 100_000
"""Values within one."""

_SPACE = re.compile(r"(?:\s++|//[^\n]*+|/\*.*?\*/)*+", re.S)
_QUOTED = re.compile(
    r'(?<!\\)"((?:[^"\\\n]|\\.)*+)"|(?<!\\)\'((?:[^\'\\\n]|\\.)*+)\'|(?:[\w.]{1,40})?(?<!\\)`((?:[^`\\]|\\.)*+)`', re.S
)
_KEY = re.compile(r"(?:([\w$]+)|\"([^\"\n]*)\"|'([^'\n]*)')\s*:(?!:)")
_WORD = re.compile(r"-?[\w$][\w$.]*")
_SPREAD = re.compile(r"\.\.\.\s*([\w$.]+)")
_STEP = re.compile(r"\??\.?\[?[\"']?([\w$]+)[\"']?\]?")
_FILLED = re.compile(r"\$\{\s*([\w$.]+)\s*\}")
_ESCAPED = re.compile(r"\\(?:u\{?([0-9a-fA-F]{1,6})\}?|x([0-9a-fA-F]{2})|(.))", re.S)
_ESCAPES = {"n": "\n", "t": "\t", "r": "", "b": "", "f": "", "v": "", "0": "", "\n": ""}
_MARKUP = re.compile(r"<(/?)([A-Za-z][\w.-]*|)|/>|\{|=>")
_SIGN = re.compile(_QUOTED.pattern + r"|//[^\n]*+|/\*.*?(?:\*/|\Z)|[()\[\]{},;]", re.S)


class Markup(str):
    """JSX as it is written."""

    __slots__ = ()


Value = str | list["Value"] | dict[str, "Value"] | None
"""Texts, numbers as they are written, lists and objects; None stands for what only a run would give."""


def value_of(text: str, known: Mapping[str, Value] | None = None) -> Value:
    """The value that a text begins with; None where it is no literal.

    Args:
        known: values by the names that may stand for them.
    """
    return _Scan(text[:LONGEST], known or {}).value()


def value_at(path: str, known: Mapping[str, Value]) -> Value:
    """What a name, or a path from a name (``Faq.general``, ``faq[0]``), stands for."""
    found: Value = dict(known)
    for step in _STEP.findall(path):
        if isinstance(found, dict):
            found = found.get(step)
        elif isinstance(found, list) and step.isdecimal() and int(step) < len(found):
            found = found[int(step)]
        else:
            return None
    return found


def length_of(text: str, start: int) -> int:
    """How far a value reaches that begins with a bracket: behind the one that closes it, -1 where none does."""
    depth = 0
    for sign in _SIGN.finditer(text, start, start + LONGEST):
        if len(sign[0]) > 1:
            continue
        depth += (sign[0] in "([{") - (sign[0] in ")]}")
        if depth <= 0:
            return sign.end() if sign[0] in ")]}" else -1
    return -1


@dataclass
class _Scan:
    text: str
    known: Mapping[str, Value]
    position: int = 0
    values: int = 0
    depth: int = field(default=0)

    def value(self) -> Value:
        """The value at the place that the scan has come to, and the place behind it."""
        self._space()
        self.values += 1
        self.depth += 1
        try:
            if self.values > MOST or self.depth > DEEPEST:
                self.position = len(self.text)
                return None
            return self._value()
        finally:
            self.depth -= 1

    def _value(self) -> Value:
        sign = self.text[self.position : self.position + 1]
        if sign == "{":
            return self._object()
        if sign == "[":
            return self._list()
        if sign == "<":
            return self._markup()
        if sign == "(":
            return self._bracketed()
        quoted = _QUOTED.match(self.text, self.position)
        if quoted:
            return self._texts(quoted)
        word = _WORD.match(self.text, self.position)
        if word:
            self.position = word.end()
            return word[0] if word[0][0] in "-0123456789" else value_at(word[0], self.known)
        return None

    def _texts(self, quoted: re.Match[str] | None) -> str:
        """One text, or several that are put together with ``+``."""
        said: list[str] = []
        while quoted:
            self.position = quoted.end()
            raw = next((part for part in quoted.groups() if part is not None), "")
            text = _ESCAPED.sub(_unescaped, raw)
            said.append(_FILLED.sub(self._filled, text) if quoted[3] is not None else text)
            self._space()
            if self.text[self.position : self.position + 1] != "+":
                break
            self.position += 1
            self._space()
            quoted = _QUOTED.match(self.text, self.position)
        return "".join(said)

    def _filled(self, place: re.Match[str]) -> str:
        value = value_at(place[1], self.known)
        return value if isinstance(value, str) and len(value) <= LONGEST_FILLED else place[0]

    def _object(self) -> Value:
        found: dict[str, Value] = {}
        self.position += 1
        while not self._ended("}"):
            before = self.position
            spread = _SPREAD.match(self.text, self.position)
            key = None if spread else _KEY.match(self.text, self.position)
            if spread:
                self.position = spread.end()
                value = value_at(spread[1], self.known)
                found |= value if isinstance(value, dict) else {}
            elif key:
                self.position = key.end()
                found[next(part for part in key.groups() if part is not None)] = self.value()
            self._pass_over(before, "}")
        return found

    def _list(self) -> Value:
        found: list[Value] = []
        self.position += 1
        while not self._ended("]"):
            before = self.position
            spread = _SPREAD.match(self.text, self.position)
            if spread:
                self.position = spread.end()
                value = value_at(spread[1], self.known)
                found += value[: MOST - len(found)] if isinstance(value, list) else []
            else:
                found.append(self.value())
            self._pass_over(before, "]")
        return found

    def _bracketed(self) -> Value:
        """A value in brackets; not the names that a function takes."""
        self.position += 1
        value = self.value()
        self._space()
        closed = self.text[self.position : self.position + 1] == ")"
        self.position += closed
        self._space()
        return value if closed and not self.text.startswith("=>", self.position) else None

    def _markup(self) -> Value:
        """JSX from its first tag to the one that ends it."""
        start, depth, position = self.position, 0, self.position
        while mark := _MARKUP.search(self.text, position):
            position = mark.end()
            if mark[0] == "{":
                position = length_of(self.text, mark.start())
                if position < 0:
                    break
                continue
            if mark[0] == "/>":
                depth -= 1
            elif mark[0] == "=>":
                continue
            elif mark[1]:
                depth -= 1
                position = self.text.find(">", position) + 1 or len(self.text)
            else:
                depth += 1
            if depth <= 0:
                self.position = position
                return Markup(self.text[start:position])
        self.position = len(self.text)
        return None

    def _space(self) -> None:
        space = _SPACE.match(self.text, self.position)
        self.position = space.end() if space else self.position

    def _ended(self, closing: str) -> bool:
        self._space()
        if self.position < len(self.text) and self.text[self.position] != closing:
            return False
        self.position += 1
        return True

    def _pass_over(self, before: int, closing: str) -> None:
        """To behind the next comma of this level, or to the bracket that ends it: calls, functions, casts."""
        self.position = max(self.position, before)
        depth = 0
        for sign in _SIGN.finditer(self.text, self.position):
            if depth <= 0 and sign[0] in (closing, ","):
                self.position = sign.start() if sign[0] == closing else sign.end()
                return
            if len(sign[0]) == 1:
                depth += (sign[0] in "([{") - (sign[0] in ")]}")
        self.position = len(self.text)


def _unescaped(escape: re.Match[str]) -> str:
    number = escape[1] or escape[2]
    if number:
        code = int(number, 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
    return _ESCAPES.get(escape[3], escape[3])


def value_of_json(text: str) -> Value:
    """A file of JSON in the same form; None where it is none."""
    try:
        return _as_value(read_json(text[:LONGEST]), DEEPEST)
    except ValueError:
        return None


def _as_value(read: object, deepest: int) -> Value:
    if not deepest or read is None:
        return None
    if isinstance(read, dict):
        return {str(key): _as_value(value, deepest - 1) for key, value in read.items()}
    if isinstance(read, list):
        return [_as_value(value, deepest - 1) for value in read]
    return str(read).lower() if isinstance(read, bool) else str(read)
