"""Parser of e-books: each chapter is parsed as a page; links between chapters stay in the document."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from backtrail.ingest.archive import Archive
from backtrail.ingest.draft import Draft
from backtrail.ingest.epub.package import Book, part_name, read_book
from backtrail.ingest.finish_draft import document_of
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.markup import parse_body
from backtrail.ingest.html.source import decode
from backtrail.ingest.html.text import normalise
from backtrail.ingest.html.walk_tree import PageWalker
from backtrail.ingest.images import prettify
from backtrail.ingest.office.pictures import PartPictures
from backtrail.ingest.parsed import ParsedDocument
from backtrail.state.component import Link

MAX_TEXT = 128 * 2**20
"""Most bytes of all chapters together (ours)."""


def parse_epub(path: Path, document_id: str) -> ParsedDocument:
    """Parse one e-book. Scripts are never run, remote parts never fetched.

    Raises:
        UnreadableSource: it is locked, damaged, beyond the bounds, or not an e-book.
    """
    notes: list[str] = []
    with Archive(path, "e-book", with_doctype=True) as archive:
        book = read_book(archive)
        title = book.title or prettify(path.stem)
        drafts = [Draft("About this book", text=book.about)] if book.about else []
        left = MAX_TEXT
        for chapter in book.chapters:
            left -= archive.size(chapter)
            if left < 0:
                notes.append(f"{chapter} and later chapters were not read: more than {MAX_TEXT // 2**20} MB of text")
                break
            drafts += _chapter(archive, book, chapter, title, document_id, notes)
        return document_of(
            drafts, document_id=document_id, title=title, path=path, notes=notes, find=PartPictures(archive).find
        )


def _chapter(archive: Archive, book: Book, chapter: str, title: str, document_id: str, notes: list[str]) -> list[Draft]:
    markup = decode(archive.read(chapter))
    if markup is None:
        notes.append(f"{chapter} is not text and was not read")
        return []
    body, losses = parse_body(markup)
    notes.extend(f"{chapter}: {loss}" for loss in losses)
    for aside in list(body.iter("aside")):  # in books, asides are notes, not navigation
        aside.tag = "div"
    headings = _heading_texts(body, title)
    outer = [label for label in book.labels.get(chapter, ()) if label.casefold() not in headings]
    drafts = PageWalker(title, LinkTargets(chapter)).walk(body)
    for draft in drafts:
        for name in dict.fromkeys([draft.element_id, *draft.ids]):  # one file may hold many chapters
            if name and (labels := book.labels.get(f"{chapter}#{name}")):
                outer = [label for label in labels if label.casefold() not in headings]
        draft.section = " > ".join([*outer, draft.section] if draft.section else outer)
        draft.ids = [f"{chapter}#{name}" for name in dict.fromkeys([draft.element_id, *draft.ids]) if name]
        draft.element_id = ""
        draft.links = [_within(link, book, archive, document_id) for link in draft.links]
        if draft.picture is not None:
            source = draft.picture.source
            inside = source if ":" in source.partition("/")[0] else part_name(chapter, source)
            draft.picture = dataclasses.replace(draft.picture, source=inside)
    if drafts:
        drafts[0].ids.insert(0, chapter)
    return drafts


def _heading_texts(body: Any, title: str) -> set[str]:
    """Return the texts of a chapter's headings and the book's title, which labels would repeat in 8 of 55 books."""
    headings = (one for level in range(1, 7) for one in body.iter(f"h{level}"))
    return {normalise(" ".join(one.itertext())).casefold() for one in headings} | {title.casefold()}


def _within(link: Link, book: Book, archive: Archive, document_id: str) -> Link:
    """Turn a link to a chapter into a link within this document."""
    if link.kind != "internal":
        return link
    if link.target not in book.chapters:
        if link.target in archive:  # the book itself, or a part that is no chapter
            return link.model_copy(update={"target": document_id, "component": None})
        return link.model_copy(update={"kind": "dead", "component": None})
    place = f"{link.target}#{link.component}" if link.component else link.target
    return link.model_copy(update={"target": document_id, "component": place})
