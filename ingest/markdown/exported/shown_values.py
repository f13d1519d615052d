"""Values that a component is given, as what it most likely shows: titles over texts, lists, tables of plain entries.

Nothing of the component is known but its name. What styles, places and links is left out, as of attributes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from html import escape
from inspect import cleandoc

from backtrail.ingest.markdown.exported.literals import Markup, Value
from backtrail.ingest.markdown.labels import label_open
from backtrail.ingest.markdown.said_by_attributes import is_prop, is_said

MOST_CHARACTERS = 400_000
"""Characters shown on one page."""

MOST_VALUES = 20_000

_TITLES = ("title", "question", "q", "label", "heading", "header", "term", "name", "summary")
_TEXTS = frozenset({
    "content", "answer", "a", "text", "description", "desc", "body", "details", "detail", "children", "definition",
    "message", "note", "notes", "caption", "subtitle", "summary", "quote", "paragraph", "explanation", "tooltip",
})  # fmt: skip
_LINKS = ("href", "url", "link", "to")
_ENTRIES = frozenset({"type", "kind", "role", "language", "size", "variant", "as", "align", "target"})
"""Names that mean something else of an entry than of a component: the type of a setting."""
_WORD = re.compile(r"[^\W\d_]")
_LONGEST_TITLE = 300
_LONGEST_CELL = 300
_FEWEST_ROWS = 2


class ShownValues:
    """What the values of one page show, up to so many characters of all and so many values.

    Args:
        unwrap: reads JSX.
    """

    def __init__(self, unwrap: Callable[[str], str]) -> None:
        self._unwrap = unwrap
        self._left = MOST_VALUES
        self._characters = MOST_CHARACTERS

    def of(self, value: Value) -> str:
        """Markdown with HTML; empty where a value says nothing."""
        shown = "".join(self._blocks(value))[: max(self._characters, 0)]
        self._characters -= len(shown)
        return shown

    @property
    def is_full(self) -> bool:
        """Whether the page has more values than are shown."""
        return self._left < 0 or self._characters <= 0

    def _blocks(self, value: Value) -> Iterator[str]:
        self._left -= 1
        if self._left < 0:
            return
        if isinstance(value, str):
            if text := self._markdown(value):
                yield f"\n\n{text}\n\n"
        elif isinstance(value, dict):
            yield from self._entry(value)
        elif isinstance(value, list):
            if texts := _texts(value):
                yield "\n\n" + "\n".join(f"- {' '.join(text.split())}" for text in texts) + "\n\n"
            elif rows := _rows(value):
                yield _table(rows)
            else:
                for one in value:
                    yield from self._blocks(one)

    def _entry(self, entry: Mapping[str, Value]) -> Iterator[str]:
        """One object: its texts and what is nested in it, under its title if it has one."""
        title = next((key for key in _TITLES if _title(entry.get(key))), "")
        heading = _title(entry.get(title)) if title else ""
        held = "".join(self._held({key: value for key, value in entry.items() if key != title}))
        if held and heading:
            yield f"\n\n{label_open(' '.join(heading.split()))}\n\n{held}\n\n</div>\n\n"
        elif held:
            yield held
        elif heading:
            link = next((said for key in _LINKS if (said := said_in_line(entry.get(key)))), "")
            yield f"\n\n[{heading}](<{link}>)\n\n" if link and not set(link) & set("<>\n") else f"\n\n{heading}\n\n"

    def _held(self, entry: Mapping[str, Value]) -> Iterator[str]:
        for key, value in entry.items():
            if value is None or _is_layout(key):
                continue
            if isinstance(value, str) and not isinstance(value, Markup) and key.lower() not in _TEXTS:
                self._left -= 1
                if self._left >= 0 and is_said(value):
                    yield f"\n\n{key}: {self._markdown(value)}\n\n"
            else:
                yield from self._blocks(value)

    def _markdown(self, value: str) -> str:
        """A text as Markdown that begins at the margin."""
        if isinstance(value, Markup):
            return self._unwrap(value).strip()
        return cleandoc(value).strip() if _WORD.search(value) else ""


def said_in_line(value: Value) -> str:
    """A text as it stands in a line; empty for anything else."""
    return value if isinstance(value, str) and not isinstance(value, Markup) else ""


def _title(value: Value) -> str:
    """A short text that may head something."""
    said = said_in_line(value).strip()
    return said if said and len(said) <= _LONGEST_TITLE and _WORD.search(said) else ""


def _is_layout(key: str) -> bool:
    return is_prop(key) and key not in _ENTRIES


def _texts(values: list[Value]) -> list[str]:
    """The entries of a list of texts; none if it holds anything else."""
    texts = [said_in_line(value) for value in values]
    return texts if values and all(_WORD.search(text) for text in texts) else []


def _rows(values: list[Value]) -> list[dict[str, str]]:
    """Objects of the same plain entries, with what is not shown left out; none if they are anything else."""
    rows: list[dict[str, str]] = []
    for value in values:
        if not isinstance(value, dict):
            return []
        row = {key: said_in_line(one) for key, one in value.items() if not _is_layout(key)}
        if any(not said and isinstance(value[key], (list, dict, Markup)) for key, said in row.items()):
            return []
        if any(len(said) > _LONGEST_CELL or "\n" in said.strip() for said in row.values()):
            return []
        rows.append({key: said for key, said in row.items() if said})
    named = {key for row in rows for key in row}
    if len(rows) < _FEWEST_ROWS or len(named) < 2 or any(len(row) * 2 < len(named) for row in rows):
        return []
    return [] if {key.lower() for key in named} & _TEXTS and len(named) == 2 else rows


def _table(rows: list[dict[str, str]]) -> str:
    names = list(dict.fromkeys(key for row in rows for key in row))
    lines = ["<tr>" + "".join(f"<th>{escape(name)}</th>" for name in names) + "</tr>"]
    for row in rows:
        lines.append("<tr>" + "".join(f"<td>{escape(row.get(name, '').strip())}</td>" for name in names) + "</tr>")
    return "\n\n<table>\n" + "\n".join(lines) + "\n</table>\n\n"
