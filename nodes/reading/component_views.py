"""Show components to deciders: bounded text with numbered rows and sentences."""

from __future__ import annotations

from collections.abc import Iterable

from backtrail.language.sentences import split_sentences
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.component import Component, Document
from backtrail.state.evidence import SNIPPET_CHARACTERS, EvidenceLocator
from backtrail.tools.web.shelf import is_web

COMPONENT_CHARACTERS = 4_000
RULES_CHARACTERS = 20_000
"""Characters of a component that rules read: a page of a manual that is one block is longer than a prompt has room
for."""
ROWS_SHOWN = 200
MOST_ROWS = 5_000
MOST_CHARACTERS = 100_000
CELL_CHARACTERS = 400
SENTENCE_CHARACTERS = 1_200


def clip(text: str, characters: int) -> str:
    """Text cut at a word, with an ellipsis that shows the cut."""
    if len(text) <= characters:
        return text
    return text[: characters - 1].rsplit(" ", 1)[0] + "…"


def joined(parts: Iterable[str]) -> str:
    """Parts without the empty ones and without repeats."""
    return ". ".join(dict.fromkeys(part.strip() for part in parts if part.strip()))


def component_text(component: Component, characters: int = COMPONENT_CHARACTERS) -> str:
    """A component in plain text; table rows one a line, numbered from 0."""
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
    """One line for people and deciders who read a trace; of a table the named row."""
    if component.table is not None:
        table = component.table
        shown = table.rows[row] if row is not None and row < len(table.rows) else table.header
        return clip(joined([table.caption, " | ".join(cell for cell in shown if cell)]), SNIPPET_CHARACTERS)
    return clip(" ".join(component_text(component).split()), SNIPPET_CHARACTERS)


def evidence_text(
    component: Component, document: Document | None, score: float, *, characters: int = COMPONENT_CHARACTERS
) -> EvidenceText:
    """A component as the reader sees it, with everything a citation may point at numbered.

    Args:
        characters: so much of a text.
    """
    title = document.title if document else component.document
    table = component.table
    sentences = [] if table else split_sentences(component_text(component, characters))
    return EvidenceText(
        id=component.id,
        modality=component.modality,
        title=title,
        section=table.caption if table and table.caption else component.section,
        sentences=sentences,
        header=list(table.header) if table else [],
        rows=[list(row) for row in table.rows[:ROWS_SHOWN]] if table else [],
        score=score,
        has_picture=bool(component.image and component.image.blob),
    )


def whole_text(component: Component, document: Document | None, score: float) -> EvidenceText:
    """A component with every sentence and row, up to sizes that no page of prose has; what a prompt shows is chosen."""
    text = evidence_text(component, document, score)
    if component.table is not None:
        rows = [[clip(cell, CELL_CHARACTERS) for cell in row] for row in component.table.rows[:MOST_ROWS]]
        place = joined([component.section, component.table.caption])
        return text.model_copy(update={"rows": rows, "section": place})
    sentences = split_sentences(component_text(component, MOST_CHARACTERS))
    return text.model_copy(update={"sentences": [clip(sentence, SENTENCE_CHARACTERS) for sentence in sentences]})


def locator(component: Component, document: Document | None = None) -> EvidenceLocator:
    """Where the component stands in its source, as far as is known; of something from the web the address."""
    place: EvidenceLocator = {}
    if component.locator.page is not None:
        place["page"] = component.locator.page
    if component.locator.slide is not None:
        place["slide"] = component.locator.slide
    if component.locator.sheet is not None:
        place["sheet"] = component.locator.sheet
    if component.locator.cell is not None:
        place["cell"] = component.locator.cell
    if component.locator.box is not None:
        place["box"] = list(component.locator.box)
    if component.locator.fragment is not None:
        place["fragment"] = component.locator.fragment
    if component.image is not None and component.image.blob:
        place["blob"] = component.image.blob
    if document is not None and document.url and is_web(component.id):
        place["url"] = document.url
    return place
