"""Files that are broken or mean harm: formats by defects, then mutations by seed. Every one is read or refused by name.

``BACKTRAIL_MUTATIONS=2000 pytest tests/unit/ingest/test_hostile_files.py`` is the long form.
"""

from __future__ import annotations

import io
import json
import os
import random
import resource
import socket
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest

from backtrail.ingest.discover import Source
from backtrail.ingest.kinds import kind_of
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.report import Problem

MUTATIONS = int(os.environ.get("BACKTRAIL_MUTATIONS", "200"))
MOST_MEGABYTES = 1500
"""What a test process with all parsers loaded may reach."""


def _docx() -> bytes:
    paper = docx.Document()
    paper.add_heading("Pumps", 1)
    paper.add_paragraph("They are low.")
    paper.add_table(2, 2).cell(0, 0).text = "a"
    return _saved(paper.save)


def _pptx() -> bytes:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Pumps"
    slide.shapes.add_table(2, 2, 0, 0, 100, 100).table.cell(0, 0).text = "a"
    return _saved(deck.save)


def _xlsx() -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["Pump", "Litres"])
    book.active.append(["A 1", 120])
    book.active.merge_cells("A3:B3")
    return _saved(book.save)


def _saved(save: Callable[[io.BytesIO], None]) -> bytes:
    stream = io.BytesIO()
    save(stream)
    return stream.getvalue()


def _zip(parts: dict[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="b.opf"/></rootfiles></container>"""
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="c" href="c.xhtml"
media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>"""


def _epub() -> bytes:
    page = "<html xmlns='http://www.w3.org/1999/xhtml'><body><h1>Pumps</h1><p>They are low.</p></body></html>"
    return _zip(
        {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER, "b.opf": PACKAGE, "c.xhtml": page}
    )


def _ods() -> bytes:
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    cell = "<t:table-cell t:number-columns-repeated='3'><x:p>a</x:p></t:table-cell>"
    body = f"<t:table t:name='S'><t:table-row t:number-rows-repeated='2'>{cell}</t:table-row></t:table>"
    names = f"xmlns:o='{space}office:1.0' xmlns:t='{space}table:1.0' xmlns:x='{space}text:1.0'"
    return _zip(
        {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": f"<o:d {names}>{body}</o:d>"}
    )


def _ipynb() -> bytes:
    output = {"output_type": "stream", "text": ["7"]}
    cells = [{"cell_type": "markdown", "source": "# Pumps"}, {"cell_type": "code", "source": "1", "outputs": [output]}]
    return json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}).encode()


def _eml() -> bytes:
    mail = EmailMessage()
    mail["Subject"] = "Pumps"
    mail.set_content("Low.")
    mail.add_alternative("<p>Low.</p>", subtype="html")
    mail.add_attachment("a,b\n1,2\n", filename="list.csv")
    return mail.as_bytes()


VALID: dict[str, bytes] = {
    ".docx": _docx(), ".pptx": _pptx(), ".xlsx": _xlsx(), ".epub": _epub(), ".ods": _ods(), ".ipynb": _ipynb(),
    ".eml": _eml(), ".mbox": b"From a\n" + _eml(), ".csv": b"a,b\n1,2\n", ".txt": b"Pumps\n=====\n\nThey are low.\n",
    ".rst": b"Pumps\n=====\n\n.. note:: Low.\n\n:doc:`x`\n",
}  # fmt: skip
ZIPPED = (".docx", ".pptx", ".xlsx", ".epub", ".ods")


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("an address was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def read(tmp_path: Path, content: bytes, ending: str) -> list[ParsedDocument | Problem]:
    path = tmp_path / f"file{ending}"
    path.write_bytes(content)
    kind = kind_of(path)
    assert kind is not None
    found = list(parse(Source(kind, path, path.name, tmp_path)))
    assert found, "neither read nor refused"
    assert all(one.reason for one in found if isinstance(one, Problem))
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert used < MOST_MEGABYTES, f"{used:.0f} MB"
    return found


def refused(found: list[ParsedDocument | Problem]) -> str:
    (problem,) = found
    assert isinstance(problem, Problem)
    return problem.reason


@pytest.mark.parametrize("ending", VALID)
def test_the_files_that_are_broken_below_are_read_when_whole(tmp_path: Path, ending: str) -> None:
    assert all(isinstance(one, ParsedDocument) and one.components for one in read(tmp_path, VALID[ending], ending))


@pytest.mark.parametrize("ending", VALID)
@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9, 0.999])
def test_truncated(tmp_path: Path, ending: str, share: float) -> None:
    read(tmp_path, VALID[ending][: int(share * len(VALID[ending]))], ending)


@pytest.mark.parametrize("ending", VALID)
@pytest.mark.parametrize("other", VALID)
def test_named_like_another_kind(tmp_path: Path, ending: str, other: str) -> None:
    read(tmp_path, VALID[other], ending)


def changed(ending: str, part: str, content: bytes) -> bytes:
    """A valid archive with the parts whose names end in ``part`` replaced."""
    with zipfile.ZipFile(io.BytesIO(VALID[ending])) as archive:
        return _zip({name: content if name.endswith(part) else archive.read(name) for name in archive.namelist()})


MAIN = {
    ".docx": "document.xml",
    ".pptx": "slide1.xml",
    ".xlsx": "sheet1.xml",
    ".epub": "c.xhtml",
    ".ods": "content.xml",
}
BOMB = (
    b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(f'<!ENTITY {b} "{f"&{a};" * 10}">'.encode() for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    + b"]><a>&i;</a>"
)
OUTSIDE = (
    b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname"><!ENTITY y SYSTEM "http://127.0.0.1:9/y">]><a>&x;&y;</a>'
)


@pytest.mark.parametrize("ending", ZIPPED)
@pytest.mark.parametrize("content", [b"", b"<", b"\0" * 99, b"<a/>", b"<a>" * 50_000, BOMB, OUTSIDE, b"\xff\xfe<\0a"])
def test_parts_that_are_no_contents(tmp_path: Path, ending: str, content: bytes) -> None:
    host = Path("/etc/hostname").read_text().strip() if Path("/etc/hostname").exists() else "no such name"
    for one in read(tmp_path, changed(ending, MAIN[ending], content), ending):
        if isinstance(one, ParsedDocument):
            said = " ".join(part.text or "" for part in one.components)
            assert len(said) < 10_000
            assert len(host) < 4 or host not in said


@pytest.mark.parametrize("ending", ZIPPED)
def test_bombs_of_zeros_are_refused_before_they_are_unpacked(tmp_path: Path, ending: str) -> None:
    with zipfile.ZipFile(io.BytesIO(VALID[ending])) as archive:
        parts: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    zeros = bytes(180 * 2**20)
    bomb = _zip({**parts, "media/a.bin": zeros, "media/b.bin": zeros, "media/c.bin": zeros})
    assert "MB unpacked, more than" in refused(read(tmp_path, bomb, ending))


@pytest.mark.parametrize("ending", ZIPPED)
def test_a_million_parts_and_names_that_climb(tmp_path: Path, ending: str) -> None:
    with zipfile.ZipFile(io.BytesIO(VALID[ending])) as archive:
        parts: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    climbing = _zip({**parts, "../../escaped.txt": b"x", "/absolute.txt": b"x", "C:\\windows.txt": b"x"})
    read(tmp_path, climbing, ending)
    assert not (tmp_path.parent / "escaped.txt").exists()
    many = _zip({**parts, **{f"p/{n}": b"" for n in range(20_001)}}, zipfile.ZIP_STORED)
    assert "parts with" in refused(read(tmp_path, many, ending))


def test_many_cells_spans_and_rows_are_bounded_and_named(tmp_path: Path) -> None:
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    cells = "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 3000))
    spans = "".join(f'<mergeCell ref="A{n}:XFD1048576"/>' for n in range(1, 2000))
    sheet = f"<worksheet {space}><sheetData>{cells}</sheetData><mergeCells>{spans}</mergeCells></worksheet>"
    (document,) = read(tmp_path, changed(".xlsx", "sheet1.xml", sheet.encode()), ".xlsx")
    assert isinstance(document, ParsedDocument)
    assert any("columns were read" in part.reason for part in document.skipped)
    (table,) = read(tmp_path, b"a,b\n" + b"1,2\n" * 1_000_000, ".csv")
    assert isinstance(table, ParsedDocument)
    assert [part.reason for part in table.skipped] == [
        "row 200001 and what follows were not read: more than 200,000 rows"
    ]


def test_mutations(tmp_path: Path) -> None:
    endings = list(VALID)
    for seed in range(MUTATIONS):
        chance = random.Random(seed)
        ending = endings[seed % len(endings)]
        content = VALID[ending]
        if ending in ZIPPED and chance.random() < 0.7:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                name = chance.choice(archive.namelist())
                content = changed(ending, name, mutated(archive.read(name), chance))
        else:
            content = mutated(content, chance)
        try:
            read(tmp_path, content, ending)
        except Exception as error:
            raise AssertionError(f"seed {seed}, {ending}") from error


def mutated(content: bytes, chance: random.Random) -> bytes:
    """Some bytes changed, a stretch doubled, dropped, moved or blown up."""
    made = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        if not made:
            break
        start = chance.randrange(len(made))
        end = min(len(made), start + chance.randint(1, 200))
        match chance.randrange(5):
            case 0:
                made[start] = chance.randrange(256)
            case 1:
                made[start:end] = made[start:end] * 2
            case 2:
                del made[start:end]
            case 3:
                made[start:end] = bytes(reversed(made[start:end]))
            case _:
                made[start:end] = chance.choice([b"9" * 12, b"-1", b"<" * 50, b"&amp;", b'"', b"\xff\xff"])
    return bytes(made)
