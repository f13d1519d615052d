"""Walk the tree of a page and create drafts in reading order.

One pass without recursion. Inline text is buffered; a block boundary makes it a paragraph, except in lists, quotes and
the like, which stay whole. Pictures wait until their paragraph is closed.
"""

from __future__ import annotations

from typing import Any

from backtrail.ingest.draft import Draft, PictureDraft
from backtrail.ingest.html.elements import APART, BLOCKS, ENTRY, HEADINGS, LABEL, is_skipped
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.open_figures import (
    NO_CAPTION,
    OpenFigure,
    holds_picture_or_table,
    open_figure,
)
from backtrail.ingest.html.outline import Heading, Outline
from backtrail.ingest.html.rewrites.pictures import sources
from backtrail.ingest.html.split_long_blocks import fits, is_too_long, parts_of, with_links
from backtrail.ingest.html.table import TableReading, is_layout, read_table
from backtrail.ingest.html.text import Inline, TextBuffer, element_ids, normalise, walk_events
from backtrail.state.component import Link

_WHOLE = HEADINGS | {"ul", "ol", "dl", "pre", "blockquote"}
_LONGEST_RUN = 1_000
"""Maximum characters of consecutive headings without content that become one text, a bound (ours). On 9 of 166 pages of
the development set of WCXB, 45 headings are joined; none of these texts is as long."""
_CARRIES_ID = frozenset({"p", "ul", "ol", "dl", "pre", "blockquote"})


class PageWalker:
    """Converter of a page's body to drafts.

    Args:
        title: the page's title; a first-level heading that repeats it is left out of section paths.
        targets: resolves the page's links.
    """

    def __init__(self, title: str, targets: LinkTargets) -> None:
        self.drafts: list[Draft] = []
        self._outline = Outline(title)
        self._targets = targets
        self._buffer = TextBuffer(targets)
        self._whole: Any = None
        self._overlong = False
        self._element_id = ""
        self._heading_run: Draft | None = None
        self._figures: list[OpenFigure] = []
        self._waiting: list[Draft] = []
        self._pictured: Draft | None = None
        self._ids: list[str] = []
        self._links: list[Link] = []

    @property
    def section(self) -> str:
        """Current section path."""
        return self._outline.section

    def walk(self, body: Any, whole: bool = True) -> list[Draft]:
        """Return the drafts of all components under an element, in reading order.

        Args:
            body: the element.
            whole: whether the element is the whole page; else the last heading names what follows.
        """
        walker = walk_events(body)
        taken: Any = None
        for event, element in walker:
            if event == "start":
                if element is not body and self._take(element):
                    taken = element
                    walker.skip_subtree()
                else:
                    self._start(element)
                    self._buffer.add(element.text)
                continue
            if element is taken:
                taken = None
            else:
                self._end(element)
            if element is not body:
                self._buffer.add(element.tail)
        self._flush()
        self._say(self._outline.leave() if whole else self._outline.read())
        self._attach_the_rest()
        return self.drafts

    def _take(self, element: Any) -> bool:
        """Handle an element with its contents; return False if its contents are to be walked."""
        tag = element.tag
        if is_skipped(element):
            if isinstance(tag, str) and tag in BLOCKS:
                self._boundary()
            self._ids.extend(name for part in element.iter() for name in element_ids(part))
            return True
        if tag == "img":
            self._picture(element)
            return True
        if tag == "figcaption" and self._figures:
            return True
        if tag == "table" and not is_layout(element):
            self._boundary()
            self._table(element)
            return True
        return False

    def _start(self, element: Any) -> None:
        tag = element.tag
        if tag in BLOCKS:
            if self._overlong and element.getparent() is self._whole:
                self._divide_before(element)
            # a definition continues the line of its term
            goes_on = tag != "dd" or ((before := element.getprevious()) is not None and before.tag == "dt")
            self._boundary(tag if goes_on else "")
        if element.attrib and element.get(LABEL):
            self._open_label(element)
        if APART in element.attrib:
            self._say(self._outline.leave())
            self._outline.end()
        if tag == "figure" and holds_picture_or_table(element):
            around = self._figures[-1] if self._figures else None
            self._figures.append(open_figure(element, self._targets, around))
            return
        if self._whole is None and _stays_whole(element):
            self._whole = element
            self._buffer.preformatted = tag == "pre"
            self._overlong = tag != "pre" and tag not in HEADINGS and is_too_long(element)
        if tag == "pre" and self._whole is not element:
            self._buffer.in_code = self._whole is not None
        if self._whole in (None, element) and tag in _CARRIES_ID:
            self._element_id = element.get("id", "").strip()
        self._buffer.open(element)

    def _end(self, element: Any) -> None:
        tag = element.tag
        self._buffer.close(element)
        if tag == "pre":
            self._buffer.in_code = False
        if self._figures and self._figures[-1].element is element:
            self._boundary()
            self._close_figure(self._figures.pop())
        elif element is self._whole:
            self._whole, self._overlong = None, False
            if tag in HEADINGS:
                self._heading(element)
            else:
                self._boundary()
        elif tag in BLOCKS:
            self._boundary()
        self._outline.close_label(element)

    def _divide_before(self, item: Any) -> None:
        """Close the current part of an overlong list if the next item would make it too long."""
        if self._buffer.has_text() and not fits(self._buffer.length, item):
            self._flush()
            self._element_id = ""

    def _open_label(self, element: Any) -> None:
        """Start a named block; within a list or quote its name is a line."""
        label = normalise(element.get(LABEL))
        if self._whole is not None:
            self._buffer.add(label)
            self._buffer.separate()
            return
        self._outline.open_label(element, label)

    def _boundary(self, tag: str = "") -> None:
        """Start a new component, or a new line of a component that stays whole."""
        if self._whole is None:
            self._flush()
            self._element_id = ""
        else:
            self._buffer.separate(tag)

    def _flush(self) -> None:
        """Close the current paragraph, then add the waiting pictures and tables."""
        text, links, ids = self._buffer.take()
        parts = [*parts_of(text)] if self._buffer.preformatted else [text]
        self._buffer.preformatted = False
        if text:
            for part, part_links in with_links(parts, links):
                if shown := part.strip("\n"):
                    self._emit(Draft(self._outline.section, self._element_id, text=shown, links=part_links, ids=ids))
                    self._element_id, ids = "", []
        elif self._pictured is not None:
            self._pictured.ids.extend(ids)
            self._pictured.links.extend(links)
        else:
            self._ids.extend(ids)
            self._links.extend(links)
        self._pictured = None
        waiting, self._waiting = self._waiting, []
        for draft in waiting:
            self._emit(draft)

    def _emit(self, draft: Draft) -> None:
        """Add a draft with the names and links that had no component."""
        draft.ids = self._ids + draft.ids
        draft.links = self._links + draft.links
        self._ids, self._links = [], []
        self._heading_run = None
        self._outline.read()
        self.drafts.append(draft)

    def _attach_the_rest(self) -> None:
        """Attach names and links after the last component to it."""
        if self.drafts:
            self.drafts[-1].ids.extend(self._ids)
            self.drafts[-1].links.extend(self._links)

    def _heading(self, element: Any) -> None:
        text, links, ids = self._buffer.take()
        text = normalise(text)
        heading = Heading(element, int(element.tag[1]), text)
        if text and not heading.is_paragraph:
            self._say(self._outline.leave(heading.level))
            self._outline.enter(heading)
        self._ids.extend(ids)
        self._links.extend(links)
        if heading.is_paragraph:
            self._emit(Draft(self._outline.section, text=text))
        self._flush()

    def _say(self, heading: Draft | None) -> None:
        """Add a heading without content as text; consecutive ones become one text."""
        if heading is None:
            return
        run = self._heading_run
        if run is None or run.section != heading.section or len(run.text) + len(heading.text) > _LONGEST_RUN:
            self._emit(heading)
            self._heading_run = heading
            return
        run.text += f"\n{heading.text}"
        run.ids.extend(self._ids)
        run.links.extend(self._links)
        self._ids, self._links = [], []

    def _picture(self, image: Any) -> None:
        caption, own_id, names = self._figure_around()
        alt = normalise(image.get("alt", ""))
        source, *others = sources(image)
        draft = Draft(
            section=self._outline.section,
            element_id=image.get("id", "").strip() or own_id,
            picture=PictureDraft(source, alt, normalise(image.get("title", "")), caption.text, tuple(others)),
            links=self._buffer.picture_links(alt) + caption.links,
            ids=element_ids(image) + names,
        )
        self._wait(draft)

    def _table(self, element: Any) -> None:
        """Add a table, then the pictures and nested tables of its cells."""
        pending = [element]
        while pending:
            current = pending.pop(0)
            reading = read_table(current, self._targets)
            if any(reading.table.header) or reading.table.rows:
                self._wait(self._table_draft(current, reading))
            else:
                self._ids.extend(reading.ids)
                self._links.extend(reading.links)
            for image in reading.images:
                self._picture(image)
            pending.extend(reading.tables)

    def _table_draft(self, element: Any, reading: TableReading) -> Draft:
        caption, own_id, names = self._figure_around()
        text = reading.table.caption or caption.text or self._outline.nearest
        return Draft(
            section=self._outline.section,
            element_id=element.get("id", "").strip() or own_id,
            table=reading.table.model_copy(update={"caption": text}),
            links=reading.links + caption.links,
            ids=reading.ids + names,
        )

    def _figure_around(self) -> tuple[Inline, str, list[str]]:
        """Return the caption of the innermost open figure, and its id and names if not claimed yet."""
        if not self._figures:
            return NO_CAPTION, "", []
        figure = self._figures[-1]
        return figure.caption, *figure.claim()

    def _wait(self, draft: Draft) -> None:
        """Queue a picture or table after its surrounding text; without such text add it at once."""
        if self._whole is not None or self._buffer.has_text():
            self._waiting.append(draft)
        else:
            self._emit(draft)
            self._pictured = draft

    def _close_figure(self, figure: OpenFigure) -> None:
        """Add the caption of a figure whose pictures were all hidden."""
        if figure.used:
            return
        self._ids.extend(figure.ids)
        if figure.caption.text and figure.element.find(".//figure") is None:
            caption = figure.caption
            self._emit(Draft(self._outline.section, figure.element_id, text=caption.text, links=caption.links))


def _stays_whole(element: Any) -> bool:
    return ENTRY in element.attrib or (element.tag in _WHOLE and not _is_frame(element))


def _is_frame(element: Any) -> bool:
    """Return whether a list or quote arranges sections, such as cards, and must not become one component.

    So it is on 47 of 366 pages, with 2,059 components within.
    """
    return element.tag not in HEADINGS and any(element.find(f".//{tag}") is not None for tag in HEADINGS)
