"""Blocks with an indented body: ``!!!``, ``???`` and ``???+`` admonitions, ``===`` tabs."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from backtrail.ingest.html.elements import LABEL
from backtrail.ingest.markdown.headings import text_of
from backtrail.ingest.markdown.labels import kind_label

_MARK = re.compile(
    r"(!!!|\?\?\?\+?)[ \t]+([\w-][^\"]*)?(?:\"(.*)\")?[ \t]*$|(===[+!]?)[ \t]+(?:\"(.*)\"|'(.*)')[ \t]*$"
)
_INDENT = 4
"""Columns that a body is indented by, as in Python-Markdown."""


def indented_blocks(md: MarkdownIt) -> None:
    """Parse these blocks wherever a block is allowed; their bodies are Markdown."""
    interrupted = ["paragraph", "reference", "blockquote", "list"]
    md.block.ruler.before("fence", "indented_block", _indented_block, {"alt": interrupted})


def _indented_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    position = state.bMarks[start] + state.tShift[start]
    if state.src[position : position + 1] not in ("!", "?", "=") or state.is_code_block(start):
        return False
    mark = _MARK.match(state.src[position : state.eMarks[start]])
    if mark is None:
        return False
    if silent:
        return True
    indent = state.sCount[start] + _INDENT
    after = _after_body(state, indent, start, end)
    _push(state, _label(state, mark), start, after, indent)
    state.line = after
    return True


def _label(state: StateBlock, mark: re.Match[str]) -> str:
    if mark[4]:
        title = mark[5] if mark[5] is not None else mark[6]
    elif mark[3] == "":
        return ""
    else:
        title = kind_label((mark[2] or "").split()[0] if (mark[2] or "").strip() else "", mark[3] or "")
    return text_of(state.md.parseInline(title, state.env)[0])


def _after_body(state: StateBlock, indent: int, start: int, end: int) -> int:
    """Return the line behind the body of a block, which is indented by ``indent`` columns."""
    line = after = start + 1
    while line < end and (state.isEmpty(line) or state.sCount[line] >= indent):
        line += 1
        after = after if state.isEmpty(line - 1) else line
    return after


def _push(state: StateBlock, label: str, start: int, after: int, indent: int) -> None:
    """Push the tokens of a block; without a body, its label is the text."""
    token = state.push("labelled_open", "div", 1)
    token.block, token.map = True, [start, after]
    empty = after == start + 1
    if label and not empty:
        token.attrSet(LABEL, label)
    if empty:
        state.push("paragraph_open", "p", 1)
        inline = state.push("inline", "", 0)
        inline.content, inline.map, inline.children = label, [start, after], []
        state.push("paragraph_close", "p", -1)
    else:
        _tokenize(state, start + 1, after, indent)
    state.push("labelled_close", "div", -1).block = True


def _tokenize(state: StateBlock, start: int, after: int, indent: int) -> None:
    kept = state.parentType, state.lineMax, state.blkIndent
    state.parentType, state.lineMax, state.blkIndent = "labelled", after, indent
    state.md.block.tokenize(state, start, after)
    state.parentType, state.lineMax, state.blkIndent = kept
