"""backtrail corpus documents, components, inspect: list what was read, to check it against the source."""

from __future__ import annotations

import base64
import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backtrail.cli.commands.options import AsJson

if TYPE_CHECKING:
    from backtrail.ingest.parsed import ParsedDocument
    from backtrail.ingest.picture_words import PictureReader
    from backtrail.ingest.report import Problem
    from backtrail.state.component import Component, Document

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of a corpus.")]


def documents(name: Name, as_json: AsJson = False) -> None:
    """List the documents of a corpus with their component counts."""
    from backtrail.cli.show.console import out
    from backtrail.tools.corpus.inventory import stored_documents

    found = stored_documents(name)
    if as_json:
        print(json.dumps({"corpus": name, "documents": [dataclasses.asdict(one) for one in found]}, ensure_ascii=False))
        return
    for one in found:
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(one.components.items())) or "nothing"
        out.print(f"{one.id}  {one.title}  ({counts})", markup=False, soft_wrap=True)


def components(
    name: Name,
    document: Annotated[str, typer.Argument(metavar="DOCUMENT", help="Id of a document, as `documents` lists it.")],
    as_json: AsJson = False,
) -> None:
    """Show the stored components of a document in reading order."""
    from backtrail.tools.corpus.inventory import stored_components

    found, stored = stored_components(name, document)
    _show([(found, stored)], [], as_json=as_json)


def inspect(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of any kind that can be ingested.", exists=True)],
    page: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the result as an HTML page, pictures included.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Parse a file as an ingest would and show the components. Nothing is stored."""
    from backtrail.cli.show.console import err
    from backtrail.cli.show.contents_lines import contents_page

    parsed, problems = _parsed(file)
    left_out = [f"{one.source}: {one.reason}" for one in problems]
    left_out += [f"{part.source}: {part.reason}" for one in parsed for part in one.skipped]
    left_out += [f"{name}: {count}, not evaluated" for one in parsed for name, count in one.left_out.items()]
    read = [(one.document, one.components) for one in parsed]
    if page is not None:
        page.write_text(contents_page(read, left_out, _pictures(parsed)), encoding="utf-8")
        err.print(f"[dim]written to {page}[/]")
    else:
        _show(read, left_out, as_json=as_json)
    if not parsed:
        raise typer.Exit(1)


def _parsed(file: Path) -> tuple[list[ParsedDocument], list[Problem]]:
    from backtrail.ingest.discover import discover
    from backtrail.ingest.parse import parse
    from backtrail.ingest.parsed import ParsedDocument
    from backtrail.ingest.report import Problem

    found = [one for source in discover([file]).sources for one in parse(source, _installed_ocr())]
    problems = [one for one in found if isinstance(one, Problem)]
    return [one for one in found if isinstance(one, ParsedDocument)], problems


def _installed_ocr() -> PictureReader | None:
    """Return the OCR that a new corpus would use; None without Tesseract."""
    from backtrail.ingest.picture_words import PictureReader
    from backtrail.tools.ocr.errors import TesseractMissing
    from backtrail.tools.ocr.open import default_ocr, open_ocr

    try:
        return PictureReader(open_ocr(default_ocr()))
    except TesseractMissing:
        return None


def _pictures(parsed: Iterable[ParsedDocument]) -> dict[str, str]:
    from backtrail.nodes.reading.pictures import mime_of

    found: dict[str, str] = {}
    for one in parsed:
        for sha256, blob in one.blobs.items():
            content = blob if isinstance(blob, bytes) else blob.read_bytes()
            found[sha256] = f"data:{mime_of(content)};base64,{base64.b64encode(content).decode()}"
    return found


def _show(read: list[tuple[Document, list[Component]]], left_out: list[str], *, as_json: bool) -> None:
    from backtrail.cli.show.console import err, out
    from backtrail.cli.show.contents_lines import component_lines

    if as_json:
        plain = [
            {"document": document.model_dump(mode="json"), "components": [one.model_dump(mode="json") for one in parts]}
            for document, parts in read
        ]
        print(json.dumps({"read": plain, "left_out": left_out}, ensure_ascii=False))
        return
    for document, parts in read:
        out.print(f"{document.title} ({document.id})", style="bold", markup=False, soft_wrap=True)
        for one in parts:
            for line in component_lines(one):
                out.print(line, markup=False, highlight=False, soft_wrap=True)
    for line in left_out:
        err.print(f"not read: {line}", markup=False, soft_wrap=True, style="yellow")
