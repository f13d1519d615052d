"""Marks of note books: block ids (``^id``), highlights (``==text==``), comments (``%% … %%``)."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from backtrail.ingest.markdown.prose import in_prose

_COMMENT = re.compile(r"^[ \t]*%%[^%]{0,2000}%%[ \t]*$\n?", re.M)
_ID = re.compile(r"(?:^|[ \t])\^(?=[\d-]*[A-Za-z])([A-Za-z0-9-]{2,60})[ \t]*$")
_HIGHLIGHT = re.compile(r"(?<![=\w])==(?=[^\s=])([^=\n]{1,300}?)(?<=\S)==(?![=\w])")


def without_comments(text: str) -> str:
    """The text without comments that have their lines to themselves; within a sentence ``%%`` may be anything."""
    return in_prose(text, lambda prose: _COMMENT.sub("", prose)) if "%%" in text else text


def note_marks(md: MarkdownIt) -> None:
    """Block ids name their paragraph, item or the block above; highlights are their text."""
    md.core.ruler.after("inline", "note_marks", _read_marks)


def _read_marks(state: StateCore) -> None:
    tokens = state.tokens
    dropped: set[int] = set()
    for index, token in enumerate(tokens):
        if token.type != "inline" or not token.children:
            continue
        last = token.children[-1]
        if tokens[index - 1].type == "paragraph_open" and last.type == "text" and (named := _ID.search(last.content)):
            alone = len(token.children) == 1 and not named.start()
            target = _block_above(tokens, index - 1) if alone else _named_by(tokens, index - 1)
            if target is not None:
                target.attrSet("id", named[1])
                last.content = last.content[: named.start()]
                dropped.update((index - 1, index, index + 1) if alone else ())
        for child in token.children:
            if child.type == "text" and "==" in child.content:
                child.content = _HIGHLIGHT.sub(r"\1", child.content)
    if dropped:
        state.tokens = [token for index, token in enumerate(tokens) if index not in dropped]


def _named_by(tokens: list[Token], paragraph: int) -> Token:
    """The element that an id at the end of a paragraph names: the item, where the paragraph is all of it."""
    above = tokens[paragraph - 1] if paragraph else None
    return above if tokens[paragraph].hidden and above and above.type == "list_item_open" else tokens[paragraph]


def _block_above(tokens: list[Token], paragraph: int) -> Token | None:
    """The opening of the block before a paragraph; None if nothing stands before it on its level."""
    level = tokens[paragraph].level
    for index in range(paragraph - 1, -1, -1):
        token = tokens[index]
        if token.level < level or (token.level == level and token.nesting >= 0):
            return token if token.level == level else None
    return None
