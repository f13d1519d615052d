"""Small valid documents of every type that ingestion reads."""

from __future__ import annotations

import functools
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from email.message import EmailMessage

import docx
import openpyxl
import pptx
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from campaigns.hostile.compound import message, old_workbook

PAGE = (
    "<html><head><title>Pumps</title></head><body><h1>Pumps</h1><p>They are <a href='b.html'>low</a>.</p>"
    "<table><tr><th>Pump</th><th>Litres</th></tr><tr><td>A 1</td><td>120</td></tr></table><img src='p.png' alt='P'>"
    "</body></html>"
)
MARKDOWN = "---\ntitle: Pumps\n---\n# Pumps\n\nThey are [low](b.md).\n\n| Pump | Litres |\n|---|---|\n| A 1 | 120 |\n"
DRAWING = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='120' height='120'><text x='9' y='9'>Pump A 1</text><rect x='20' "
    "y='20' width='50' height='50'/></svg>"
)
CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="b.opf"/></rootfiles></container>"""
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="c" href="c.xhtml"
media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>"""
XLSB_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.bin" '
    'ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/></Types>'
)

MAIN = {
    ".docx": "document.xml",
    ".pptx": "slide1.xml",
    ".xlsx": "sheet1.xml",
    ".epub": "c.xhtml",
    ".ods": "content.xml",
}
"""The main part of each archive."""


def zipped(parts: Mapping[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return an archive of these parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def parts_of(content: bytes) -> dict[str, bytes]:
    """Return the parts of an archive."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_part(content: bytes, ending: str, part: bytes) -> bytes:
    """Return an archive with the parts with this ending replaced."""
    return zipped({name: part if name.endswith(ending) else old for name, old in parts_of(content).items()})


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    stream = io.BytesIO()
    save(stream)
    return stream.getvalue()


def _word() -> bytes:
    paper = docx.Document()
    paper.add_heading("Pumps", 1)
    paper.add_paragraph("They are low.")
    paper.add_table(2, 2).cell(0, 0).text = "a"
    paper.add_picture(io.BytesIO(picture("PNG")))
    return _saved(paper.save)


def _slides() -> bytes:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Pumps"
    slide.shapes.add_table(2, 2, 0, 0, 100, 100).table.cell(0, 0).text = "a"
    slide.shapes.add_picture(io.BytesIO(picture("PNG")), 0, 0)
    return _saved(deck.save)


def _workbook() -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["Pump", "Litres"])
    book.active.append(["A 1", 120])
    book.active.merge_cells("A3:B3")
    return _saved(book.save)


def _sheet() -> bytes:
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    cell = "<t:table-cell t:number-columns-repeated='3'><x:p>a</x:p></t:table-cell>"
    body = f"<t:table t:name='S'><t:table-row t:number-rows-repeated='2'>{cell}</t:table-row></t:table>"
    names = f"xmlns:o='{space}office:1.0' xmlns:t='{space}table:1.0' xmlns:x='{space}text:1.0'"
    mimetype = "application/vnd.oasis.opendocument.spreadsheet"
    return zipped({"mimetype": mimetype, "content.xml": f"<o:d {names}>{body}</o:d>"})


def _opendocument(kind: str, inner: str) -> bytes:
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    names = f"xmlns:o='{space}office:1.0' xmlns:d='{space}drawing:1.0' xmlns:x='{space}text:1.0'"
    content = f"<o:document {names}><o:body><o:{kind}>{inner}</o:{kind}></o:body></o:document>"
    return zipped({"mimetype": f"application/vnd.oasis.opendocument.{kind}", "content.xml": content})


def _book() -> bytes:
    page = "<html xmlns='http://www.w3.org/1999/xhtml'><body><h1>Pumps</h1><p>They are low.</p></body></html>"
    parts = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER, "b.opf": PACKAGE}
    return zipped({**parts, "c.xhtml": page})


def _notebook() -> bytes:
    output = {"output_type": "stream", "text": ["7"]}
    cells = [{"cell_type": "markdown", "source": "# Pumps"}, {"cell_type": "code", "source": "1", "outputs": [output]}]
    return json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}).encode()


def _mail() -> bytes:
    mail = EmailMessage()
    mail["Subject"] = "Pumps"
    mail.set_content("Low.")
    mail.add_alternative("<p>Low.</p>", subtype="html")
    mail.add_attachment("a,b\n1,2\n", filename="list.csv")
    return mail.as_bytes()


def _pdf() -> bytes:
    stream = io.BytesIO()
    canvas = Canvas(stream, pageCompression=0)
    canvas.bookmarkPage("one")
    canvas.addOutlineEntry("Pumps", "one")
    canvas.drawString(72, 700, "The pumps are low.")
    canvas.linkURL("http://pumps.example", (72, 690, 200, 710))
    canvas.grid([72, 150, 250], [500, 520, 540])
    canvas.drawString(80, 505, "A 1")
    canvas.showPage()
    canvas.drawString(72, 700, "The seals are soft.")
    canvas.save()
    return stream.getvalue()


def picture(kind: str) -> bytes:
    """Return a picture of 40 by 40 pixels."""
    image = Image.new("RGB", (40, 40), "red")
    return _saved(lambda stream: image.save(stream, kind))


@functools.cache
def sound() -> dict[str, bytes]:
    """Return contents by extension; that of .xlsb, which no library here can write, is an empty shell."""
    pictures = {".png": "PNG", ".jpg": "JPEG", ".gif": "GIF", ".webp": "WEBP", ".bmp": "BMP", ".tif": "TIFF",
                ".avif": "AVIF"}  # fmt: skip
    return {
        ".html": PAGE.encode(), ".xhtml": f"<?xml version='1.0'?>{PAGE.replace('>', ' >')}".encode(),
        ".md": MARKDOWN.encode(), ".mdx": f"import X from './x'\n\n{MARKDOWN}\n<X a={{1}}/>\n".encode(),
        ".rst": b"Pumps\n=====\n\n.. note:: Low.\n\n:doc:`x`\n", ".ipynb": _notebook(), ".pdf": _pdf(),
        ".epub": _book(), ".docx": _word(), ".docm": _word(), ".pptx": _slides(), ".xlsx": _workbook(),
        ".xlsm": _workbook(), ".ods": _sheet(), ".xls": old_workbook(),
        ".odt": _opendocument("text", "<x:h>Pumps</x:h><x:p>They are low.</x:p>"),
        ".odp": _opendocument("presentation", "<d:page><d:custom-shape><x:p>Low</x:p></d:custom-shape></d:page>"),
        ".xlsb": zipped({"[Content_Types].xml": XLSB_TYPES, "xl/workbook.bin": bytes(64)}), ".eml": _mail(),
        ".mbox": b"From a\n" + _mail() + b"\nFrom b\n" + _mail(), ".msg": message(), ".csv": b"a,b\n1,2\n",
        ".tsv": b"a\tb\n1\t2\n", ".txt": b"Pumps\n=====\n\nThey are low.\n",
        ".svg": DRAWING.encode(), **{ending: picture(kind) for ending, kind in pictures.items()},
    }  # fmt: skip
