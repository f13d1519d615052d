"""Components for the terminal, and as an HTML page to compare with the source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import cast

from jinja2 import Environment, StrictUndefined

from backtrail.nodes.reading.citation_locations import place
from backtrail.state.component import Component, Document
from backtrail.state.evidence import EvidenceLocator


def component_lines(component: Component) -> Iterator[str]:
    """Yield locator, contents (rows of a table, words of a picture) and links of a component."""
    head = dict.fromkeys([component.modality, component.section, where_it_stands(component)])
    yield f"{component.id}  {' · '.join(part for part in head if part)}"
    for line in _contents(component):
        yield f"  {line}"
    for link in component.links:
        yield f"  → {link.anchor or '(no text)'}: {link.target} ({link.kind})"


def where_it_stands(component: Component) -> str:
    """Format the locator as citations do: page, slide, sheet or cell."""
    return place(component.modality, cast("EvidenceLocator", component.locator.model_dump(exclude_none=True)))


def _contents(component: Component) -> Iterator[str]:
    if component.table is not None:
        if component.table.caption:
            yield component.table.caption
        if any(component.table.header):
            yield " | ".join(component.table.header)
        yield from (" | ".join(row) for row in component.table.rows)
    elif component.image is not None:
        picture = component.image
        words = {"title": picture.title, "caption": picture.caption, "alt": picture.alt, "words": picture.recognized}
        yield from (f"{kind}: {text}" for kind, text in words.items() if text)
        if picture.blob is None:
            yield "(no file was stored)"
    else:
        yield from (component.text or "").splitlines()


def contents_page(
    read: Sequence[tuple[Document, Sequence[Component]]], left_out: Sequence[str], pictures: Mapping[str, str]
) -> str:
    """Render documents as one self-contained HTML page without scripts.

    Args:
        read: documents with their components in reading order.
        left_out: a line for each part that was not read.
        pictures: data URLs by sha256.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.globals["where_it_stands"] = where_it_stands
    page = files("backtrail.cli.show").joinpath("contents_page.html").read_text(encoding="utf-8")
    return environment.from_string(page).render(read=read, left_out=left_out, pictures=pictures)
