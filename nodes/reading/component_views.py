"""Components as text for deciders: bounded, with numbered rows and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backtrail.language.sentences import split_sentences
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.component import Component, Document
from backtrail.state.evidence import SNIPPET_CHARACTERS, EvidenceLocator
from backtrail.tools.web.shelf import is_web

COMPONENT_CHARACTERS = 4_000
RULES_CHARACTERS = 20_000
"""Characters of a component that rules read: a manual page in one block is longer than fits a prompt."""
ROWS_SHOWN = 200
MOST_ROWS = 5_000
MOST_CHARACTERS = 100_000
CELL_CHARACTERS = 400
SENTENCE_CHARACTERS = 1_200


def clip(text: str, characters: int) -> str:
    """Cut a text at a word, with an ellipsis."""
    if len(text) <= characters:
        return text
    return text[: characters - 1].rsplit(" ", 1)[0] + "…"


def joined(parts: Iterable[str]) -> str:
    """Join parts without empty ones and repeats."""
    return ". ".join(dict.fromkeys(part.strip() for part in parts if part.strip()))


def component_text(component: Component, characters: int = COMPONENT_CHARACTERS) -> str:
    """Return a component as plain text; table rows one per line, numbered from 0."""
    if component.table is not None:
        table = component.table
        lines = [table.caption, *([" | ".join(table.header)] if any(table.header) else [])]
        lines += [f"{index}: " + " | ".join(row) for index, row in enumerate(table.rows[:ROWS_SHOWN])]
        if len(table.rows) > ROWS_SHOWN:
            lines.append(f"({len(table.rows) - ROWS_SHOWN} more rows)")
        return clip("\n".join(lines), characters)
    if component.image is not None:
        picture = component.image
        return clip(joined([picture.title, picture.caption, picture.alt, picture.recognized]), characters)
    return clip(component.text or "", characters)


def snippet(component: Component, row: int | None = None) -> str:
    """Return one line for traces; of a table the given row."""
    if component.table is not None:
        table = component.table
        shown = table.rows[row] if row is not None and row < len(table.rows) else table.header
        return clip(joined([table.caption, " | ".join(cell for cell in shown if cell)]), SNIPPET_CHARACTERS)
    return clip(" ".join(component_text(component).split()), SNIPPET_CHARACTERS)


def evidence_text(
    component: Component, document: Document | None, score: float, *, characters: int = COMPONENT_CHARACTERS
) -> EvidenceText:
    """Return a component as the reader sees it, with numbered rows and sentences.

    Args:
        characters: bound of its text.
    """
    title = document.title if document else component.document
    table = component.table
    sentences = [] if table else split_sentences(component_text(component, characters))
    return EvidenceText(
        id=component.id,
        modality=component.modality,
        title=title,
        section=table.caption if table and table.caption else component.section,
        place=_place(component),
        sentences=sentences,
        header=list(table.header) if table else [],
        rows=[list(row) for row in table.rows[:ROWS_SHOWN]] if table else [],
        score=score,
        has_picture=bool(component.image and component.image.blob),
    )


def _place(component: Component) -> str:
    numbers = {"page": component.locator.page, "slide": component.locator.slide}
    return next((f"{name} {number}" for name, number in numbers.items() if number is not None), "")


def whole_text(component: Component, document: Document | None, score: float) -> EvidenceText:
    """Return a component with all its sentences and rows, up to sizes beyond any page of prose."""
    text = evidence_text(component, document, score)
    if component.table is not None:
        rows = [[clip(cell, CELL_CHARACTERS) for cell in row] for row in component.table.rows[:MOST_ROWS]]
        place = joined([component.section, component.table.caption])
        return text.model_copy(update={"rows": rows, "section": place})
    sentences = piece_texts(component)
    return text.model_copy(update={"sentences": [clip(sentence, SENTENCE_CHARACTERS) for sentence in sentences]})


def piece_texts(component: Component) -> list[str]:
    """Return the rows or sentences of a component in full, numbered as readers cite them."""
    if component.table is not None:
        return [" | ".join(row) for row in component.table.rows]
    return split_sentences(component_text(component, MOST_CHARACTERS))


def only_shown(text: EvidenceText, numbers: Sequence[int]) -> EvidenceText:
    """Return a text with only some of its rows or sentences shown."""
    pieces, word = (len(text.rows), "rows") if text.rows else (len(text.sentences), "sentences")
    shown = [number for number in numbers if number < pieces]
    left_out = f"{pieces - len(shown)} of {pieces} {word}" if len(shown) < pieces else ""
    return text.model_copy(update={"shown": shown, "left_out": left_out})


def locator(component: Component, document: Document | None = None, row: int | None = None) -> EvidenceLocator:
    """Return the position of a component, or of a row of its table, in its source; for web pages also the URL."""
    place: EvidenceLocator = {}
    page = component.locator.page if row is None else component.locator.page_of(row)
    if page is not None:
        place["page"] = page
    if component.locator.slide is not None:
        place["slide"] = component.locator.slide
    if component.locator.sheet is not None:
        place["sheet"] = component.locator.sheet
    if component.locator.cell is not None:
        place["cell"] = component.locator.cell
    if component.locator.box is not None and page == component.locator.page:
        place["box"] = list(component.locator.box)
    if component.locator.fragment is not None:
        place["fragment"] = component.locator.fragment
    if component.image is not None and component.image.blob:
        place["blob"] = component.image.blob
    if document is not None and document.url and is_web(component.id):
        place["url"] = document.url
    return place
