"""What an answer rests on, as it stands in its document: the sentence in its paragraph, the row in its table, the
place on the page of a PDF, the picture; with what stands before and after it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from backtrail.cli.show.trace_record import UNFIT
from backtrail.nodes.reading.citation_locations import place, titled
from backtrail.state.answer import Citation
from backtrail.state.component import Component, Document
from backtrail.state.evidence import EvidenceLocator
from backtrail.state.settings import Settings
from backtrail.tools.errors import BacktrailError
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.contents import ContentsReader
from backtrail.tools.web.shelf import is_web

ROWS_BESIDE = 3
"""Rows of a long table that are shown before and after the cited one."""

MOST_CITED = 60
"""Cited rows of a table that are shown."""

BESIDE_CHARACTERS = 280
"""Of a neighbouring paragraph that is shown to place the cited one."""


@dataclass(frozen=True)
class Marked:
    """A piece of text, cited or beside what is cited."""

    text: str
    cited: bool = False


@dataclass(frozen=True)
class Row:
    """A row of a table with its number for people."""

    number: int
    cells: Sequence[str]
    cited: bool = False


@dataclass(frozen=True)
class Source:
    """One citation in its surroundings. ``missing`` says why there are none.

    ``also`` are title, place and address of where else the same stands, ``also_more`` how many of them are left out.
    """

    number: int
    title: str
    where: str
    quote: str = ""
    text: Sequence[Marked] = ()
    before: str = ""
    after: str = ""
    caption: str = ""
    header: Sequence[str] = ()
    rows: Sequence[Row] = ()
    rows_left: int = 0
    picture: str = ""
    page_picture: str = ""
    document: str = ""
    original: str = ""
    missing: str = ""
    also: Sequence[tuple[str, str, str]] = ()
    also_more: int = 0
    alt: str = field(default="")


def sources_of(values: Mapping[str, Any], settings: Settings, toolbox: Toolbox) -> list[Source]:
    """The sources of an answer in its order: its citations, or what it quotes where it is not sure. Blocking."""
    answer = values.get("answer") or {}
    cited: Sequence[Citation] = ()
    with suppress(*UNFIT):
        cited = answer["quotes"] if answer["abstained"] and answer.get("quotes") else answer["citations"]
    contents = toolbox.contents(settings)
    return [_source(number, citation, contents, settings.corpus) for number, citation in enumerate(cited, 1)]


def _source(number: int, citation: Citation, contents: ContentsReader, corpus: str) -> Source:
    named: dict[str, Any] = {"number": number}
    try:
        named.update(title=titled(citation), where=place(citation["modality"], citation["locator"]))
        named.update(quote=citation["quote"], original=web_address(str(citation["locator"].get("url", ""))))
        named.update(also=_also(citation, corpus), also_more=citation.get("also_more", 0))
        component = contents.components([citation["component"]]).get(citation["component"])
        document = contents.documents([citation["document"]]).get(citation["document"])
    except BacktrailError as error:
        return Source(**named, missing=str(error))
    except UNFIT:
        return Source(number, str(citation.get("title", "")), "", missing="What was cited cannot be read.")
    if component is None:
        return Source(**named, missing="It is no longer in the corpus.")
    if not is_web(component.id):
        named["document"] = address_of(corpus, component.document, component.id)
    if document is not None:
        named["original"] = named["original"] or web_address(document.url)
    return Source(**named, **_contents(component, citation, document, contents, corpus))


def _also(citation: Citation, corpus: str) -> list[tuple[str, str, str]]:
    return [
        (titled(one), place(one["modality"], one["locator"]), address_of(corpus, one["document"], one["component"]))
        for one in citation.get("also", [])
    ]


def _contents(
    component: Component, citation: Citation, document: Document | None, contents: ContentsReader, corpus: str
) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    locator = citation["locator"]
    if component.table is not None:
        shown.update(_table(component, cited_rows(locator)))
    elif component.image is not None:
        held = component.image
        if held.blob:
            at = "" if is_web(component.id) else f"?corpus={quote(corpus, safe='')}"
            shown["picture"] = f"/blobs/{held.blob}{at}"
        shown.update(caption=held.caption or held.title, alt=held.alt or held.caption or held.title)
    else:
        sentence = _sentence(component, locator.get("sentence"), contents)
        shown["text"] = mark(component.text or "", sentence or citation["quote"])
    if has_page(component, document):
        shown["page_picture"] = page_address(corpus, component)
    return shown


def _sentence(component: Component, index: int | None, contents: ContentsReader) -> str:
    """The cited sentence as it stands in its paragraph; empty where that is not known."""
    read = getattr(contents, "subcomponents", None)
    if index is None or read is None:
        return ""
    sentences = [one.text for one in read([component.id]).get(component.id, []) if one.kind == "sentence"]
    return sentences[index] if index < len(sentences) else ""


def mark(text: str, cited: str) -> list[Marked]:
    """A text in pieces, of which those are marked that are cited. What is not found there marks nothing."""
    start = text.find(cited) if cited else -1
    if start < 0 and cited:
        folded = " ".join(cited.split())
        start, cited = text.find(folded), folded
    if start < 0:
        return [Marked(text)]
    pieces = [Marked(text[:start]), Marked(cited, cited=True), Marked(text[start + len(cited) :])]
    return [piece for piece in pieces if piece.text]


def cited_rows(locator: EvidenceLocator) -> list[int]:
    """Return the numbers of the rows that a citation names, at most ``MOST_CITED``."""
    row = locator.get("row")
    ranges = locator.get("rows") or ([[row, row]] if row is not None else [])
    return list(islice((number for first, last in ranges for number in range(first, last + 1)), MOST_CITED))


def _table(component: Component, cited: Sequence[int]) -> dict[str, Any]:
    table = component.table
    assert table is not None
    beside = set(cited)
    if len(cited) == 1:
        beside = set(range(cited[0] - ROWS_BESIDE, cited[0] + ROWS_BESIDE + 1))
    if not any(0 <= row < len(table.rows) for row in cited):
        beside = set(range(2 * ROWS_BESIDE + 1))
    # as answers count them: a sheet's rows by the sheet, others from 1
    begins = component.locator.first_row if component.locator.first_row is not None else 1
    rows = [Row(begins + number, cells, number in cited) for number, cells in enumerate(table.rows) if number in beside]
    return {
        "caption": table.caption, "header": table.header, "rows": rows, "rows_left": len(table.rows) - len(rows)
    }  # fmt: skip


def has_page(component: Component, document: Document | None) -> bool:
    """Whether a component stands on a page of a PDF that is there to be drawn."""
    if not component.locator.page or document is None or not document.source.lower().endswith(".pdf"):
        return False
    return os.path.isfile(document.source)


def page_address(corpus: str, component: Component) -> str:
    """Where the page of a PDF is, with a box around the component."""
    meant = urlencode({"document": component.document, "component": component.id})
    return f"/ui/corpora/{quote(corpus, safe='')}/page?{meant}"


def address_of(corpus: str, document: str, component: str = "") -> str:
    """Where a document can be read, at one of its components."""
    at = f"&at={quote(component, safe='')}#cited" if component else ""
    return f"/ui/corpora/{quote(corpus, safe='')}/document?id={quote(document, safe='')}{at}"


def web_address(url: str) -> str:
    """An address that a link may lead to; empty for every other kind, which could be a script."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in ("http", "https") and parts.netloc else ""
