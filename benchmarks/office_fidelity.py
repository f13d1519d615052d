"""Measure what ingestion keeps of eight known layouts in five formats, and mammoth of the Word files.

    python benchmarks/office_fidelity.py [--with-mammoth]

The documents are rendered from benchmarks/fidelity/source.py with python-docx, python-pptx, openpyxl and by hand
(e-books, pages). ``--with-mammoth`` reads the Word files with mammoth and our reader of pages, too
(``pip install mammoth``).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from fidelity.book import write_book
from fidelity.page import write_page
from fidelity.scores import MEASURES, Score, score
from fidelity.slides import write_slides
from fidelity.source import Known, known_documents
from fidelity.word import write_word
from fidelity.workbook import write_workbook

from backtrail.ingest.discover import Source
from backtrail.ingest.html.parse import parse_page
from backtrail.ingest.kinds import kind_of
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument

WRITERS: dict[str, Callable[[Known, Path], None]] = {
    ".docx": write_word, ".pptx": write_slides, ".xlsx": write_workbook, ".epub": write_book,
    ".html": write_page,
}  # fmt: skip


def main() -> None:
    """Render, read and compare the documents, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--with-mammoth", action="store_true")
    parser.add_argument("--by-layout", action="store_true")
    options = parser.parse_args()
    print("| | " + " | ".join(MEASURES) + " | s |\n|---|" + "--:|" * (len(MEASURES) + 1))
    with tempfile.TemporaryDirectory() as folder:
        for ending in WRITERS:
            files = written(ending, Path(folder))
            _report(ending, files, read, by_layout=options.by_layout)
            if ending == ".docx" and options.with_mammoth:
                _report("mammoth, .docx", files, _with_mammoth, by_layout=options.by_layout)


def written(ending: str, folder: Path) -> dict[str, Path]:
    """Write the known documents in a format; return the files by name."""
    files = {known.name: folder / f"{known.name}{ending}" for known in known_documents()}
    for known in known_documents():
        WRITERS[ending](known, files[known.name])
    return files


def _report(name: str, files: dict[str, Path], parser: Callable[[Path], ParsedDocument], *, by_layout: bool) -> None:
    total: Score = dict.fromkeys(MEASURES, (0, 0))
    started = time.monotonic()
    parsed = {layout: parser(path) for layout, path in files.items()}
    seconds = time.monotonic() - started
    for known in known_documents():
        found = score(known, parsed[known.name])
        total = {one: (total[one][0] + found[one][0], total[one][1] + found[one][1]) for one in MEASURES}
        if by_layout:
            print(_line(f"{name} {known.name}", found))
    print(_line(f"**{name}**", total, f"{seconds:.2f}"))


def _line(name: str, found: Score, seconds: str = "") -> str:
    cells = (f"{100 * right / of:.1f}" if of else "–" for right, of in (found[one] for one in MEASURES))
    return f"| {name} | {' | '.join(cells)} | {seconds} |"


def read(path: Path) -> ParsedDocument:
    """Parse a file as ingestion does."""
    (document,) = parse(Source(kind_of(path) or "text", path, path.name, path.parent))
    assert isinstance(document, ParsedDocument), document
    return document


def _with_mammoth(path: Path) -> ParsedDocument:
    import mammoth

    pictures: list[str] = []

    def keep(image: object) -> dict[str, str]:
        name = f"{path.stem}-{len(pictures)}.png"
        pictures.append(name)
        with image.open() as stream:  # type: ignore[attr-defined]
            (path.parent / name).write_bytes(stream.read())
        return {"src": name}

    with path.open("rb") as stream:
        html = mammoth.convert_to_html(stream, convert_image=mammoth.images.img_element(keep)).value
    return parse_page(f"<html><body>{html}</body></html>", path, path.name, path.parent)


if __name__ == "__main__":
    main()
