"""Imports and exports of MDX: how far each reaches, and the values that exports name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from backtrail.ingest.markdown.exported.literals import LONGEST, Value, value_of

_BLANK = re.compile(r"\n[ \t]*(?=\n|\Z)")
_SIGN = re.compile(
    r'(?<!\\)"(?:[^"\\\n]|\\.)*+"|(?<!\\)\'(?:[^\'\\\n]|\\.)*+\'|(?<!\\)`(?:[^`\\]|\\.)*+`'
    r"|//[^\n]*+|/\*.*?(?:\*/|\Z)|[()\[\]{}]|\n[ \t]*(?=\n|\Z)",
    re.S,
)
_EXPORTED = re.compile(
    r"^[ \t]*(?:export\s+)?(?:default\s+)?(?:(?:const|let|var)\s+)?([\w$]+)\s*(?::[^=\n]{1,200})?=(?![=>])\s*", re.M
)
_FUNCTION = re.compile(r"(?:async\s+)?(?:function\b|\([^()]{0,500}\)\s*(?::[^=\n]{1,100})?=>|[\w$]+\s*=>)")
_NAMED_FUNCTION = re.compile(r"^[ \t]*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s+([\w$]+)", re.M)
_NAME = re.compile(r"[A-Za-z_$][\w$]*")


def end_of_statement(text: str, start: int) -> int:
    """Where a statement ends: at the first blank line outside its brackets; at the first at all if they never close."""
    depth = 0
    for sign in _SIGN.finditer(text, start, start + LONGEST):
        if sign[0][0] == "\n":
            if depth <= 0:
                return sign.start()
        elif len(sign[0]) == 1:
            depth += 1 if sign[0] in "([{" else -1
    if depth <= 0 and len(text) - start <= LONGEST:
        return len(text)
    blank = _BLANK.search(text, start)
    return blank.start() if blank else len(text)


def exported_values(code: str, known: Mapping[str, Value]) -> dict[str, Value]:
    """What statements call by name: literals, and of a function the values that it names, each by its name.

    Args:
        known: values of statements before; a later one may name them.
    """
    found: dict[str, Value] = {}
    for statement in _statements(code):
        both = {**known, **found}
        function = _NAMED_FUNCTION.match(code, statement[0])
        named = _EXPORTED.match(code, statement[0])
        if function or (named and _FUNCTION.match(code, named.end())):
            name = function[1] if function else named[1] if named else ""
            said = {word: both[word] for word in _NAME.findall(code[statement[0] : statement[1]]) if both.get(word)}
            if said:
                found[name] = dict(said)
        elif named and (value := value_of(code[named.end() : statement[1]], both)) is not None:
            found[named[1]] = value
    return found


def _statements(code: str) -> list[tuple[int, int]]:
    """The statements that begin a line outside brackets."""
    starts: list[int] = []
    depth = position = 0
    for sign in _SIGN.finditer(code):
        if depth <= 0:
            starts += _begun(code, position, sign.start())
        if len(sign[0]) == 1 and sign[0] != "\n":
            depth += 1 if sign[0] in "([{" else -1
        position = sign.end()
    if depth <= 0:
        starts += _begun(code, position, len(code))
    return list(pairwise([*starts, len(code)]))


_BEGIN = re.compile(r"^[ \t]*(?:export|const|let|var|function|async)\b", re.M)


def _begun(code: str, start: int, end: int) -> list[int]:
    return [begin.start() for begin in _BEGIN.finditer(code, start, end)]
