"""Definitions whose term a hook of the generator puts there: ``:   text`` with an indented body and no line above."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

_MARK = re.compile(r":[ \t]{1,4}(?=\S)")


def orphan_definitions(md: MarkdownIt) -> None:
    """Read their bodies as Markdown; where a term stands above, the definition list has come first."""
    md.block.ruler.before("paragraph", "orphan_definition", _orphan_definition)


def _orphan_definition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    position = state.bMarks[start] + state.tShift[start]
    if silent or state.src[position : position + 1] != ":" or state.is_code_block(start):
        return False
    mark = _MARK.match(state.src, position, state.eMarks[start])
    if mark is None:
        return False
    own = state.sCount[start]
    indent = own + len(mark[0].expandtabs(4))
    body, after = _body(state, start, end)
    state.push("definition_open", "div", 1).block = True
    lines = state.tShift[start], state.sCount[start]
    kept = state.parentType, state.lineMax, state.blkIndent
    state.tShift[start], state.sCount[start] = state.tShift[start] + len(mark[0]), indent
    state.parentType, state.lineMax, state.blkIndent = "definition", after, min(indent, body)
    state.md.block.tokenize(state, start, after)
    state.parentType, state.lineMax, state.blkIndent = kept
    state.tShift[start], state.sCount[start] = lines
    state.push("definition_close", "div", -1).block = True
    state.line = max(state.line, start + 1)  # what the body turned out not to hold is read by others
    return True


def _body(state: StateBlock, start: int, end: int) -> tuple[int, int]:
    """The column that the body starts at, and the line behind it.

    The paragraph that the mark begins needs no indent; what follows it is indented by two columns at least.
    """
    own = state.sCount[start]
    line = start + 1
    while line < end and not state.isEmpty(line) and not _MARK.match(state.getLines(line, line + 1, own, False)):
        line += 1
    after = line
    while line < end and state.isEmpty(line):
        line += 1
    inside = line < end and state.sCount[line] >= own + 2
    column = min(state.sCount[line], own + 4) if inside else own + 4
    while line < end and (state.isEmpty(line) or state.sCount[line] >= column):
        line += 1
        after = line if not state.isEmpty(line - 1) else after
    return column, after
