"""The layered component graph: documents, components, subcomponents and links (FiF, section 3.2).

They are stored in the corpus; a run's state refers to them by id.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Modality = Literal["text", "table", "image"]
LinkKind = Literal["internal", "dead", "external", "parent", "child", "sibling", "reference", "name", "tag", "date"]
"""Target of an author's link; or of a derived edge: the page above or below in a site's navigation, a file in the same
folder, what the text refers to, what contains the same rare name; or a label: a tag, or an ISO date."""
SubcomponentKind = Literal["sentence", "row", "object"]


class Record(BaseModel):
    """Immutable base model."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Link(Record):
    """A navigational edge: from a component (for tables, from one cell) to a document or component."""

    target: str = Field(description="Document id; for external links the URL; for dead links the href as written.")
    anchor: str = Field(default="", description="The text that carries the link.")
    row: int | None = Field(default=None, description="0-based body row of the table cell that holds the link.")
    column: int | None = Field(default=None, description="0-based column of that cell.")
    component: str | None = Field(default=None, description="Component id when the link points into a document.")
    kind: LinkKind = "internal"


class Table(Record):
    """A table with spans resolved: every row has as many cells as the header."""

    caption: str = ""
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class Picture(Record):
    """An image component: the file by content hash, and every text that describes it."""

    blob: str | None = Field(default=None, description="sha256 of the stored file; None if there is none.")
    title: str = ""
    caption: str = ""
    alt: str = ""
    nearby: str = Field(default="", description="Text around the figure in its document.")
    recognized: str = Field(default="", description="A vision model's description, and the words that OCR read.")
    objects: tuple[str, ...] = Field(default=(), description="Visual objects that the model saw, a phrase each.")


class Locator(Record):
    """Position of a component in its source."""

    page: int | None = Field(default=None, description="1-based page of a PDF.")
    slide: int | None = Field(default=None, description="1-based slide of a deck.")
    sheet: str | None = Field(default=None, description="Name of the sheet of a workbook.")
    first_row: int | None = Field(
        default=None, description="1-based row, in its sheet or file, of a table's first body row; the rest follow it."
    )
    cell: int | None = Field(default=None, description="1-based cell of a notebook.")
    box: tuple[float, float, float, float] | None = Field(default=None, description="x0, top, x1, bottom in points.")
    fragment: str | None = Field(default=None, description="The element's own id in an HTML page.")
    continued: tuple[tuple[int, int], ...] = Field(
        default=(),
        description="Of a table that goes on over pages: 0-based first row and page of each later part.",
        exclude_if=lambda parts: not parts,  # hashes of other components stay as they were
    )

    def page_of(self, row: int) -> int | None:
        """Return the page of a table's row, counted from 0."""
        return next((page for first, page in reversed(self.continued) if row >= first), self.page)


class Component(Record):
    """Layer 1: a paragraph, table or image. Exactly one of text, table, image is set."""

    id: str
    document: str
    position: int = Field(description="0-based reading order within the document.")
    modality: Modality
    section: str = Field(default="", description="Heading path, outermost first, joined with ' > '.")
    text: str | None = None
    table: Table | None = None
    image: Picture | None = None
    links: tuple[Link, ...] = ()
    locator: Locator = Locator()


class Subcomponent(Record):
    """Layer 2: a sentence, a table row with its header, or a visual object."""

    id: str = Field(description="'<component id>/s3' (sentence), '/r5' (row) or '/o1' (object), 0-based.")
    component: str
    kind: SubcomponentKind
    index: int = Field(description="0-based among the component's subcomponents of this kind.")
    text: str


class Identity(Record):
    """What tells a document from others of its kind, read off its title, file name and first page."""

    periods: tuple[str, ...] = Field(default=(), description="Covered periods: '2023', '2023-Q1', '2023-07-01'.")
    versions: tuple[str, ...] = Field(default=(), description="Versions without 'v': '0.104.0'.")
    names: tuple[str, ...] = Field(default=(), description="File name and title without periods and versions.")


class Document(Record):
    """Layer 0: a document, with a short textual summary."""

    id: str
    title: str
    url: str = ""
    source: str = Field(default="", description="File or folder it was ingested from.")
    summary: str = ""
    identity: Identity = Field(default=Identity(), description="Found when the index is built; else empty.")
