"""Subcomponents (layer 2 of the component graph), and the texts embedded for both layers."""

from __future__ import annotations

from backtrail.ingest.pictures.description import WRITTEN
from backtrail.language.sentences import split_sentences
from backtrail.language.table_rows import row_sentence
from backtrail.state.component import Component, Picture, Subcomponent, Table

SURROGATE_CHARACTERS = 2000
"""About 500 tokens, at least as many as embedders of this size read (256 to 512)."""


def subcomponents(component: Component) -> list[Subcomponent]:
    """Return the sentences of a text if several, the rows of a table, or the objects in a picture.

    The index of a row is its 0-based number in the table; empty rows leave a gap.
    """
    if component.table is not None:
        return _rows(component, component.table)
    if component.text is not None:
        return _sentences(component, component.text)
    return _objects(component, component.image) if component.image is not None else []


def _objects(component: Component, picture: Picture) -> list[Subcomponent]:
    return [
        Subcomponent(id=f"{component.id}/o{n}", component=component.id, kind="object", index=n, text=seen)
        for n, seen in enumerate(picture.objects)
        if seen.strip()
    ]


def _sentences(component: Component, text: str) -> list[Subcomponent]:
    sentences = split_sentences(text)
    if len(sentences) < 2:
        return []
    return [
        Subcomponent(id=f"{component.id}/s{n}", component=component.id, kind="sentence", index=n, text=sentence)
        for n, sentence in enumerate(sentences)
    ]


def _rows(component: Component, table: Table) -> list[Subcomponent]:
    return [
        Subcomponent(id=f"{component.id}/r{n}", component=component.id, kind="row", index=n, text=row_text(table, n))
        for n, row in enumerate(table.rows)
        if any(cell.strip() for cell in row)
    ]


def row_text(table: Table, row: int) -> str:
    """Format a row as a sentence: "caption: header1 is cell1; header2 is cell2", without empty cells.

    Args:
        table: the table.
        row: 0-based number of the row.

    Raises:
        IndexError: the table has no such row.
    """
    return row_sentence(table.caption, table.header, table.rows[row])


def subcomponent_surrogate(document_title: str, subcomponent: Subcomponent) -> str:
    """Return the text embedded for a subcomponent: "title: sentence"."""
    return _after(document_title, subcomponent.text)


def surrogate(document_title: str, component: Component, limit: int = SURROGATE_CHARACTERS) -> str:
    """Return the text embedded for a component.

    Text: "title > section: text". Table: "title, caption: header | …; row; row …". Picture: "title: " and its
    descriptions without repetition.

    Args:
        document_title: title of the component's document.
        component: the component.
        limit: maximum number of characters.
    """
    if component.table is not None:
        full = _table_surrogate(document_title, component.section, component.table, limit)
    elif component.image is not None:
        full = _after(document_title, _picture_text(component.image))
    else:
        path = " > ".join(part for part in (document_title, component.section) if part)
        full = _after(path, component.text or "")
    return full[:limit].rstrip()


def _table_surrogate(title: str, section: str, table: Table, limit: int) -> str:
    caption = table.caption or section
    name = ", ".join(dict.fromkeys(part for part in (title, caption) if part))
    lines = [_line(table.header)]
    length = 0
    for row in table.rows:
        if length > limit:
            break
        lines.append(_line(row))
        length += len(lines[-1])
    return _after(name, "; ".join(line for line in lines if line))


def _line(cells: tuple[str, ...]) -> str:
    return " | ".join(cell for cell in cells if cell.strip())


def _picture_text(picture: Picture) -> str:
    """Join title, caption, alternative text, nearby text and recognized text without repetition."""
    parts: list[str] = []
    for text in (picture.title, picture.caption, picture.alt, picture.nearby, picture.recognized):
        text = text.replace(WRITTEN, "").strip()  # our prefix would count as rare words in another language
        if text and not any(text.casefold() in part.casefold() for part in parts):
            parts.append(text)
    return " ".join(part if part[-1] in ".!?。…:" else f"{part}." for part in parts)


def _after(name: str, text: str) -> str:
    return f"{name}: {text}" if name and text else name or text
