"""Assemble documents with components, sections and links from the layouts of a file's pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backtrail.ingest.finish import finish
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.images import UnusablePicture, check_picture
from backtrail.ingest.parsed import ParsedDocument, SkippedPart
from backtrail.ingest.pdf.divide import Division, divide, division_ids
from backtrail.ingest.pdf.elements import Element, body_size, read_elements
from backtrail.ingest.pdf.fragments import joined, read_rows
from backtrail.ingest.pdf.headings import mark_headings
from backtrail.ingest.pdf.links import Linked, Targets, jump_link, references
from backtrail.ingest.pdf.reading import Reading
from backtrail.ingest.pdf.tables.grid import as_table
from backtrail.ingest.pdf.titles.choose_title import title_of
from backtrail.ingest.pdf.unreadable.group_by_reason import by_reason
from backtrail.state.component import Component, Document, Link, Locator, Picture


def assemble(path: Path, document_id: str, reading: Reading, hrefs: LinkTargets) -> list[ParsedDocument]:
    """Return the documents of a file, the file's own first.

    Args:
        path: the file.
        document_id: the id of the file's own document.
        reading: its pages.
        hrefs: resolves addresses.
    """
    body = body_size(reading.pages)
    elements = read_elements(reading.pages, body)
    mark_headings(elements, reading.outline, body)
    title = title_of(reading, elements, path)
    divisions = divide(elements, len(reading.pages))
    ids = division_ids(document_id, divisions)
    drafts = [_Draft(id_, division, title, document_id) for id_, division in zip(ids, divisions, strict=True)]
    places = {id(element): place for draft in drafts for element, place in draft.places()}
    network = _Network(hrefs, Targets(elements, reading.frames), lambda element: places.get(id(element)))
    documents = [draft.finish(network, path, drafts[1:] if number == 0 else []) for number, draft in enumerate(drafts)]
    skipped = (SkippedPart(f"{document_id}: {pages}", reason) for pages, reason in by_reason(reading.notes))
    documents[0].skipped[:0] = skipped
    return documents


@dataclass(frozen=True)
class _Network:
    """Resolvers of links: by address, by position or name of an element, and the component of an element."""

    hrefs: LinkTargets
    targets: Targets
    linked: Linked


_DATED = re.compile(r"\b(1[4-9]|20)\d\d\b")
"""A year: a heading of the title page with one becomes text too, so that it can be found and cited."""
_LABELS = 2000  # maximum of letters of a drawing's labels


class _Draft:
    """A document under construction."""

    def __init__(self, id_: str, division: Division, title: str, above: str) -> None:
        self.id = id_
        self._above = above if division.name else ""
        self.name = division.name
        self.title = f"{title}: {division.name}" if division.name else title
        self._division = division
        self._named: list[tuple[Element, str, str]] = []
        self._counts: Counter[str] = Counter()
        self._file_title = title
        self._sections()

    def _sections(self) -> None:
        """Give every element that becomes a component its id and section."""
        path: list[tuple[int, str]] = []
        for element in self._division.elements:
            if element.heading is not None:
                path = [(level, name) for level, name in path if level < element.heading]
                if not self._repeats_title(element):
                    path.append((element.heading, " ".join(element.text.split())))
                if self._named or self._above or not _DATED.search(element.text):
                    continue
            modality = "text" if element.part.block else "table" if element.part.table else "image"
            if modality == "text" and not element.text:
                continue
            self._counts[modality] += 1
            section = " > ".join(name for _, name in path) if element.heading is None else ""
            self._named.append((element, f"{self.id}#{modality}-{self._counts[modality]}", section))

    def _repeats_title(self, heading: Element) -> bool:
        """Whether a heading repeats the title, and therefore is not a section."""
        text = " ".join(heading.text.split())
        of_title = not (self._named or self._above) and f" {text} " in f" {self._file_title} "
        return of_title or text in (self._file_title, " ".join(self.name.split()))

    def places(self) -> list[tuple[Element, tuple[str, str]]]:
        """Return document and component of every element; for a heading, those of the next component."""
        ids = {id(element): name for element, name, _ in self._named}
        found: list[tuple[Element, tuple[str, str]]] = []
        below: str | None = None
        for element in reversed(self._division.elements):
            below = ids.get(id(element), below)
            if below is not None:
                found.append((element, (self.id, below)))
        return found

    def finish(self, network: _Network, path: Path, sections: Sequence[_Draft]) -> ParsedDocument:
        """Return the document with its components and links; ``sections`` are its child documents."""
        components: list[Component] = []
        blobs: dict[str, Path | bytes] = {}
        fragments: dict[str, str] = {}
        skipped: list[SkippedPart] = []
        for element, name, section in self._named:
            content = self._content(element, section, blobs, skipped)
            if content is None:
                continue
            box = element.part.box
            place = (round(box[0], 1), round(box[1], 1), round(box[2], 1), round(box[3], 1))
            component = Component(
                id=name,
                document=self.id,
                position=len(components),
                section=section,
                links=tuple(link for link in _links(element, network) if link.component != name),
                locator=Locator(page=element.page, box=place, continued=tuple(element.continued)),
                **content,
            )
            components.append(component)
            fragments.setdefault(f"page={element.page}", name)
        if sections:
            components.append(self._contents(sections, len(components)))
        if components:
            up = [Link(target=self._above, kind="parent")] if self._above else []
            down = [Link(target=section.id, anchor=section.name, kind="child") for section in sections]
            first = components[0]
            components[0] = first.model_copy(update={"links": (*first.links, *up, *down)})
        document = Document(id=self.id, title=self.title, source=str(path))
        return finish(document, components, blobs=blobs, skipped=skipped, fragments=fragments)

    def _content(
        self, element: Element, section: str, blobs: dict[str, Path | bytes], skipped: list[SkippedPart]
    ) -> dict[str, Any] | None:
        """Return modality and content of a component; None for an unusable picture."""
        part, caption = element.part, element.text
        if part.block is not None:
            return {"modality": "text", "text": element.text}
        if part.table is not None:
            return {"modality": "table", "table": as_table(part.table, caption or section.rpartition(" > ")[2])}
        if part.figure is None or part.figure.png is None:
            return None
        try:
            blob = check_picture(part.figure.png).sha256
        except UnusablePicture as error:
            skipped.append(SkippedPart(f"{self.id}: page {element.page}", error.problem))
            return None
        blobs[blob] = part.figure.png
        labels = "; ".join(joined(row.fragments) for row in read_rows(part.figure.labels))
        return {"modality": "image", "image": Picture(blob=blob, caption=caption, alt=labels[:_LABELS])}

    def _contents(self, sections: Sequence[_Draft], position: int) -> Component:
        """Return the table of contents: the names of the sections, linked to their documents."""
        names = [section.name for section in sections]
        return Component(
            id=f"{self.id}#contents",
            document=self.id,
            position=position,
            modality="text",
            section="Contents",
            text="\n".join(names),
            links=tuple(Link(target=section.id, anchor=section.name) for section in sections),
            locator=Locator(page=1),
        )


def _links(element: Element, network: _Network) -> list[Link]:
    """Return the links of an element's annotations and textual references, without duplicates."""
    found = [
        jump_link(jump, anchor, element, network.hrefs, network.targets, network.linked)
        for jump, anchor in element.part.jumps
    ]
    for anchor, there in references(element, network.targets):
        place = network.linked(there)
        if place is not None:
            found.append(Link(target=place[0], anchor=anchor, component=place[1]))
    return list(dict.fromkeys(link for link in found if link is not None))
