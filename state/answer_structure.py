"""Structure of an answer: items, a table or sections, each with numbers of the answer's citations, and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NotRequired

from typing_extensions import TypedDict

EMPTY_CELL = "–"


class Item(TypedDict):
    """One thing of a list. ``citations`` are numbers into the answer's citations, from 1."""

    text: str
    citations: list[int]


class Cell(TypedDict):
    """A value of a table. An empty one lists in ``searched`` the searches of the run that were made for it."""

    text: str
    citations: list[int]
    searched: NotRequired[list[str]]


class Table(TypedDict):
    """A comparison; the first cell of a row names it. Every row has a cell for each column."""

    columns: list[str]
    rows: list[list[Cell]]


class Section(TypedDict):
    """A heading with its text in Markdown."""

    heading: str
    text: str
    citations: list[int]


class Structure(TypedDict, total=False):
    """At most one of ``items``, ``table`` and ``sections``. ``cut`` says what was too long and is left out."""

    items: list[Item]
    table: Table
    sections: list[Section]
    cut: str


def structure_of(answer: Structure) -> Structure:
    """Return the structure of an answer or of its copy in a message, without the rest of it."""
    held: Structure = {}
    if "items" in answer:
        held["items"] = answer["items"]
    if "table" in answer:
        held["table"] = answer["table"]
    if "sections" in answer:
        held["sections"] = answer["sections"]
    if "cut" in answer:
        held["cut"] = answer["cut"]
    return held


def one_line(text: str) -> str:
    """Return a text without line ends."""
    return " ".join(text.split())


def structure_markdown(
    structure: Structure,
    *,
    prose: Callable[[str], str] = str.strip,
    inline: Callable[[str], str] = one_line,
    numbered: bool = True,
) -> str:
    """Return a structure as Markdown: a list, a table or headings, with ``[n]`` behind what cites source n.

    Args:
        prose: escapes a text of several lines.
        inline: escapes a text as one line.
        numbered: whether to write the numbers of the citations.
    """

    def marked(text: str, citations: list[int]) -> str:
        return " ".join([text, *(f"[{number}]" for number in citations if numbered)])

    parts = ["\n".join(f"- {marked(inline(one['text']), one['citations'])}" for one in structure.get("items", []))]
    if table := structure.get("table"):

        def written(cell: Cell) -> str:
            return marked(inline(cell["text"]) or EMPTY_CELL, cell["citations"]).replace("|", "\\|")

        lines = [[inline(column).replace("|", "\\|") for column in table["columns"]], ["---"] * len(table["columns"])]
        lines += [[written(cell) for cell in row] for row in table["rows"]]
        parts += ["\n".join(f"| {' | '.join(line)} |" for line in lines)]
        parts += ["\n".join(f"- {inline(line)}" for line in not_found_cells(table))]
    for one in structure.get("sections", []):
        parts += [f"### {inline(one['heading'])}", marked(prose(one["text"]), one["citations"])]
    parts += [f"*{inline(structure['cut'])}*"] if "cut" in structure else []
    return "\n\n".join(part for part in parts if part)


def not_found_cells(table: Table) -> Iterator[str]:
    """Yield a line for each empty cell: what it would hold, and what was searched for it."""
    for row in table["rows"]:
        for column, cell in zip(table["columns"], row, strict=False):
            if not cell["text"]:
                tried = "; ".join(f"“{one}”" for one in cell.get("searched", []))
                yield f"Not found: {row[0]['text']}, {column}" + (f" (searched: {tried})" if tried else "")


def with_structure(text: str, answer: Structure) -> str:
    """Return the whole answer as Markdown, its text and its structure, without numbers of citations."""
    return "\n\n".join(part for part in (text, structure_markdown(structure_of(answer), numbered=False)) if part)
