"""Parser of notebooks: sections from Markdown headings, cell numbers as locators."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from backtrail.ingest.draft import Draft, PictureDraft
from backtrail.ingest.finish_draft import document_of
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.markup import parse_body
from backtrail.ingest.html.split_long_blocks import parts_of
from backtrail.ingest.html.walk_tree import PageWalker
from backtrail.ingest.images import MAX_BYTES, NotAPicture, PictureTooLarge, prettify
from backtrail.ingest.local_pictures import local_picture
from backtrail.ingest.markdown.expand import expand
from backtrail.ingest.markdown.page import Page
from backtrail.ingest.markdown.parse import to_html
from backtrail.ingest.notebook.cells import Cell, read_notebook, text_of
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.sites.front_matter import FrontMatter
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.state.component import Locator

MAX_PRINTED = 20_000
"""Most characters of one printed output: 4 of 384 notebooks have longer ones, with half as many 10."""

LONGEST_LINE = 4_000
"""Most characters of a line of code or output: 3 of 384 notebooks have longer ones, with half as many 4."""

_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")


def parse_notebook(path: Path, document_id: str, root: Path, site_map: SiteMap | None = None) -> ParsedDocument:
    """Parse one notebook. Its code is never run.

    Raises:
        UnreadableSource: see ``read_notebook``.
    """
    metadata, cells = read_notebook(path)
    reader = _NotebookReader(path, document_id, root, site_map or SiteMap(root))
    for cell in cells:
        reader.read(cell)
    title = text_of(metadata.get("title")) or reader.title or prettify(path.stem)
    for draft in reader.drafts:  # the title was unknown during the walk
        if f"{draft.section} > ".startswith(f"{title} > "):
            draft.section = draft.section.removeprefix(title).removeprefix(" > ")
    return document_of(
        reader.drafts, document_id=document_id, title=title, path=path, notes=reader.notes, find=reader.find
    )


@dataclass
class _NotebookReader:
    """Collector of the drafts of one notebook, cell by cell; a section continues in the next cell."""

    path: Path
    document_id: str
    root: Path
    site_map: SiteMap
    title: str = ""
    drafts: list[Draft] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _pictures: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        targets = LinkTargets(self.document_id, site_map=self.site_map)
        self._walker = PageWalker("", targets)

    def read(self, cell: Cell) -> None:
        """Add a cell's drafts."""
        if cell.kind == "markdown":
            self._prose(cell, cell.source)
        else:
            self._add_text(cell, cell.source)
        for output in cell.outputs:
            self._output(cell, output)

    def find(self, source: str) -> Path | bytes:
        """Return the bytes of a picture in the notebook, or a file of its folder.

        Raises:
            UnusablePicture: it does not exist or cannot be used.
        """
        encoded = self._pictures.get(source)
        if encoded is None:
            return local_picture(source, folder=self.path.parent, root=self.root)
        if len(encoded) > 2 * MAX_BYTES:
            raise PictureTooLarge(source, f"its base64 has over {2 * MAX_BYTES // 2**20} MB", "Draw it smaller")
        try:
            return base64.b64decode("".join(encoded.split()), validate=True)
        except (binascii.Error, ValueError) as error:
            raise NotAPicture(source, f"its encoding is damaged ({error})", "Run the cell again") from error

    def _prose(self, cell: Cell, source: str) -> None:
        page = Page(self.document_id, self.path, self.root, self.site_map, FrontMatter())
        for name, encoded in cell.attachments.items():
            self._pictures[f"cell-{cell.number}/{name}"] = encoded
        source = source.replace("](attachment:", f"](cell-{cell.number}/")
        title, markup = to_html(expand(source, page), page)
        self.title = self.title or title
        self._walk(cell, markup)
        self.notes.extend(f"cell {cell.number}: {name} was not evaluated" for name in page.left_out)

    def _walk(self, cell: Cell, markup: str) -> None:
        """Add the drafts of HTML, as part of the page that all cells make."""
        body, losses = parse_body(markup)
        self.notes.extend(f"cell {cell.number}: {loss}" for loss in losses)
        start = len(self._walker.drafts)
        self._walker.walk(body, whole=False)
        for draft in self._walker.drafts[start:]:
            draft.locator = Locator(cell=cell.number)
            self.drafts.append(draft)

    def _add(self, cell: Cell, **content: Any) -> None:
        self.drafts.append(Draft(self._walker.section, locator=Locator(cell=cell.number), **content))

    def _add_text(self, cell: Cell, text: str) -> None:
        lines = (line.rstrip()[:LONGEST_LINE] for line in text.expandtabs(4).splitlines())
        for part in parts_of("\n".join(lines)):
            if part.strip():
                self._add(cell, text=part.strip("\n"))

    def _output(self, cell: Cell, output: dict[str, str]) -> None:
        """Add the richest form of an output: a picture, a table in HTML, Markdown, else text."""
        picture = next((media for media in _PICTURES if media in output), None)
        plain = output.get("text/plain", "")
        if picture is not None:
            name = f"output-{len(self._pictures) + 1}"
            self._pictures[name] = output[picture]
            self._add(cell, picture=PictureDraft(name))
        elif "<table" in output.get("text/html", "").lower():
            self._walk(cell, output["text/html"])
        elif "text/markdown" in output:
            self._prose(cell, output["text/markdown"])
        elif plain:
            if len(plain) > MAX_PRINTED:
                kept = f"only {MAX_PRINTED:,} of {len(plain):,} printed characters were read"
                self.notes.append(f"cell {cell.number}: {kept}")
            self._add_text(cell, plain[:MAX_PRINTED])
