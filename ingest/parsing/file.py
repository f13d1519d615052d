"""Parse a discovered file of any kind; problems are yielded, not raised."""

from __future__ import annotations

import dataclasses
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from backtrail.ingest.discover import Source
from backtrail.ingest.divide import divide
from backtrail.ingest.errors import EmptySource, UnreadableSource
from backtrail.ingest.kinds import SourceKind, installed_parsers, kind_of, label_of, named_like, why_not_read
from backtrail.ingest.mail.documents import Delivery
from backtrail.ingest.parse_cache.trace_dependencies import Trace, Traced, read_by, record_file, traced
from backtrail.ingest.parsed import EmptyFile, ParsedDocument, Problem, SkippedPart
from backtrail.ingest.picture_words import PictureWords
from backtrail.ingest.sites.served_site import ServedSite
from backtrail.ingest.sniff_type import recognise
from backtrail.state.errors import BacktrailError

_log = logging.getLogger(__name__)


class PageReader(Protocol):
    """OCR for scanned pages, possibly in another process than the parser."""

    @property
    def fingerprint(self) -> str:
        """Name, languages and version of the OCR."""
        ...

    def read_pages(self, pictures: Sequence[bytes]) -> list[PictureWords]:
        """Return the words of the scanned pages of one file, in order."""
        ...


def read_file(source: Source, pictures: PageReader | None = None) -> Iterator[ParsedDocument | Problem | Traced]:
    """Yield the documents of a file and its problems, then its dependencies.

    A fault of a parser affects only its file.

    Args:
        source: the file.
        pictures: OCR for scanned pages; None reports them.
    """
    trace = Trace(source.root)
    yield from traced(_guarded(source, pictures), trace)
    yield trace.result()


def _guarded(source: Source, pictures: PageReader | None) -> Iterator[ParsedDocument | Problem]:
    try:
        yield from parse_file(source, pictures)
    except BacktrailError:  # not about the file
        raise
    except MemoryError:
        yield Problem(str(source.path), "parsing it takes more memory than available. Split it into smaller files")
    except Exception as error:  # noqa: BLE001 - a fault must not affect other files
        _log.warning("A parser failed on %s", source.path, exc_info=True)
        problem = f"its parser failed on it ({type(error).__name__}: {error})"[:300]
        yield Problem(str(source.path), f"{problem}. This is a fault of Backtrail, not of the file; please report it")


def parse_file(source: Source, pictures: PageReader | None = None) -> Iterator[ParsedDocument | Problem]:
    """Yield the documents of a file. Its contents decide the kind, not its name."""
    record_file(source.path)
    try:
        if not source.path.stat().st_size:
            raise EmptySource(str(source.path))
        kind = _kind_by_contents(source)
        read = map(_served_at(source), _parse_file(dataclasses.replace(source, kind=kind), pictures))
        for document in _divided(kind, read):
            if kind != source.kind and document.document.id == source.document_id:
                note = f"has the extension of {named_like(source.kind)} and was read as the {label_of(kind)} that it is"
                document.skipped.append(SkippedPart(document.document.id, note))
            yield document
    except (UnreadableSource, OSError) as error:
        kind_of_problem = EmptyFile if isinstance(error, EmptySource) else Problem
        yield kind_of_problem(str(source.path), reason_of(error).removeprefix(f"{source.path}: "))


_DIVIDED: frozenset[SourceKind] = frozenset(
    {"html", "markdown", "restructured", "notebook", "epub", "word", "slides", "odt", "odp", "text"}
)
"""Kinds whose long files are divided by section here; PDF files are divided by pages."""


def _divided(kind: SourceKind, documents: Iterable[ParsedDocument]) -> Iterator[ParsedDocument]:
    for document in documents:
        yield from divide(document) if kind in _DIVIDED else (document,)


def _served_at(source: Source) -> Callable[[ParsedDocument], ParsedDocument]:
    """Return a function that sets the url of a document fetched from the web."""
    address = source.site_map.served_at(source.document_id) if isinstance(source.site_map, ServedSite) else ""

    def addressed(parsed: ParsedDocument) -> ParsedDocument:
        document = parsed.document
        if not address or document.id != source.document_id or document.url:
            return parsed
        return dataclasses.replace(parsed, document=document.model_copy(update={"url": address}))

    return addressed


def _kind_by_contents(source: Source) -> SourceKind:
    """Return the kind of a file's contents.

    Raises:
        UnreadableSource: the kind is not supported.
    """
    contents = None if source.kind in installed_parsers() else recognise(source.path)
    if contents is None:
        return source.kind
    if contents.kind is None:
        problem = f"has the extension of {named_like(source.kind)}, but is {contents.label}"
        raise UnreadableSource(str(source.path), problem, contents.advice)
    return contents.kind


def _has_front_matter(path: Path) -> bool:
    """Return whether an HTML file is a site's source: served pages do not start with front matter."""
    try:
        with path.open("rb") as file:
            return re.match(rb"(?:\xef\xbb\xbf)?(?:---|\+\+\+)[ \t]*\r?\n", file.read(64)) is not None
    except OSError:
        return False


def _parse_file(source: Source, pictures: PageReader | None) -> Iterator[ParsedDocument]:
    """Yield the documents of a file. Parsers are imported on use, because some libraries import slowly."""
    path, document_id, root = source.path, source.document_id, source.root
    if parser := installed_parsers().get(source.kind):
        yield from parser.parse(path, document_id)
        return
    match source.kind:
        case "html" if _has_front_matter(path):
            from backtrail.ingest.markdown.parse import parse_html_source

            yield parse_html_source(path, document_id, root, source.site_map)
        case "html":
            from backtrail.ingest.html.parse import parse_html

            yield parse_html(path, document_id, root, source.site_map)
        case "markdown":
            from backtrail.ingest.markdown.parse import parse_markdown

            yield parse_markdown(path, document_id, root, source.site_map)
        case "restructured":
            from backtrail.ingest.restructured.parse import parse_restructured

            yield parse_restructured(path, document_id, root, source.site_map)
        case "image":
            from backtrail.ingest.images import parse_image

            yield parse_image(path, document_id)
        case "pdf":
            from backtrail.ingest.pdf.parse import parse_pdf

            read_by(pictures.fingerprint if pictures else "")
            yield from parse_pdf(path, document_id, source.site_map, pictures.read_pages if pictures else None)
        case "epub":
            from backtrail.ingest.epub.parse import parse_epub

            yield parse_epub(path, document_id)
        case "notebook":
            from backtrail.ingest.notebook.parse import parse_notebook

            yield parse_notebook(path, document_id, root, source.site_map)
        case "mail" | "mailbox" | "outlook":
            yield from _parse_mail(source, Delivery(path), pictures)
        case "text":
            from backtrail.ingest.plain.text import parse_text

            yield parse_text(path, document_id)
        case _:
            yield _parse_office_file(source, path, document_id)


def _parse_office_file(source: Source, path: Path, document_id: str) -> ParsedDocument:
    match source.kind:
        case "word":
            from backtrail.ingest.word.parse import parse_word

            return parse_word(path, document_id, source.site_map)
        case "slides":
            from backtrail.ingest.slides.parse import parse_slides

            return parse_slides(path, document_id, source.site_map)
        case "odt":
            from backtrail.ingest.opendocument.parse import parse_odt

            return parse_odt(path, document_id, source.site_map)
        case "odp":
            from backtrail.ingest.opendocument.parse import parse_odp

            return parse_odp(path, document_id, source.site_map)
        case "xlsx":
            from backtrail.ingest.sheets.workbook import parse_xlsx

            return parse_xlsx(path, document_id)
        case "ods":
            from backtrail.ingest.sheets.workbook import parse_ods

            return parse_ods(path, document_id)
        case "old_excel":
            from backtrail.ingest.sheets.workbook import parse_old_excel

            return parse_old_excel(path, document_id)
        case _:
            from backtrail.ingest.sheets.delimited import parse_delimited

            return parse_delimited(path, document_id)


def _parse_mail(source: Source, delivery: Delivery, pictures: PageReader | None) -> Iterator[ParsedDocument]:
    from backtrail.ingest.mail.parse import parse_eml, parse_mbox, parse_msg

    parse_attachment = partial(_parse_attachment, pictures=pictures)
    if source.kind == "mailbox":
        yield from parse_mbox(source.path, source.document_id, parse_attachment)
    elif source.kind == "mail":
        yield from parse_eml(source.path, source.document_id, delivery, parse_attachment)
    else:
        yield from parse_msg(source.path, source.document_id, delivery, parse_attachment)


def _parse_attachment(
    path: Path, document_id: str, delivery: Delivery, pictures: PageReader | None
) -> Iterator[ParsedDocument | SkippedPart]:
    """Yield the documents of an attachment, or a note if it cannot be read."""
    kind = kind_of(path)
    if kind is None or kind == "mailbox":
        yield SkippedPart(document_id, why_not_read(path))
        return
    source = Source(kind, path, document_id, path.parent)
    try:
        source = dataclasses.replace(source, kind=_kind_by_contents(source))
        if source.kind in ("mail", "outlook"):
            yield from _parse_mail(source, delivery, pictures)
        else:
            yield from _divided(source.kind, _parse_file(source, pictures))
    except (UnreadableSource, OSError) as error:
        yield SkippedPart(document_id, reason_of(error).removeprefix(f"{path}: "))


def reason_of(error: Exception) -> str:
    """Return an error's message, or its name if empty."""
    return str(error) or type(error).__name__
