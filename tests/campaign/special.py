"""Defects that take knowing a format: nesting, cycles, bombs, paths, programs, references to elsewhere."""

from __future__ import annotations

import base64
import functools
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial

from PIL import Image

from campaign.cases import Case
from campaign.documents import CONTAINER, PACKAGE, parts_of, sound, with_part, zipped
from campaign.drawings import drawing_cases

MAIN = {
    ".docx": "document.xml",
    ".pptx": "slide1.xml",
    ".xlsx": "sheet1.xml",
    ".epub": "c.xhtml",
    ".ods": "content.xml",
}
"""The part of each archive that holds its contents."""

PATHS = ("../secret.txt", "{secret}", "file://{secret}", "..\\secret.txt", "/etc/passwd", "//localhost/etc/passwd",
         "..%2fsecret.txt", "%2e%2e/secret.txt", "~/secret.txt", "./a/../../secret.txt", "in\0/../secret.txt")  # fmt: skip
_OUTSIDE = '<!DOCTYPE a [<!ENTITY x SYSTEM "file://{secret}"><!ENTITY y SYSTEM "{url}/entity">'
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def entity_bomb() -> str:
    """Ten to the power of nine letters in ten entities."""
    levels = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    return f'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">{levels}]><a>&i;</a>'


def special_cases() -> Iterator[Case]:
    """All of them."""
    for ending in MAIN:
        yield from _archives(ending)
    for cases in (_word, _slides, _workbooks, _sheets, _books, _pages, _markdown, _restructured, _notebooks, _mails,
                  _tables, _pictures, _pdfs, drawing_cases):  # fmt: skip
        yield from cases()


def _archives(ending: str) -> Iterator[Case]:
    whole, main = sound()[ending], MAIN[ending]
    main_part = next(held for name, held in parts_of(whole).items() if name.endswith(main)).decode()
    for defect, content in {
        "no contents": b"", "half a tag": b"<", "zeros inside": bytes(99), "another root": b"<a/>",
        "nested 50,000 deep": b"<a>" * 50_000, "an entity bomb": entity_bomb().encode(),
        "entities from elsewhere": f"{_OUTSIDE}]><a>&x;&y;</a>".encode(),
        "parameter entities": b'<!DOCTYPE a [<!ENTITY % p SYSTEM "{url}/dtd"> %p;]><a/>',
        "a DTD from elsewhere": b'<!DOCTYPE a SYSTEM "{url}/dtd"><a/>',
        "a million attributes": ("<a " + " ".join(f"b{n}=''" for n in range(300_000)) + "/>").encode(),
        "wrong encoding declared": b"<?xml version='1.0' encoding='utf-16'?><a/>",
        "a part of 40 MB": main_part.replace("a", "a" * 2000).encode()[:40_000_000],
    }.items():  # fmt: skip
        yield Case(defect, ending, with_part(whole, main, content))
    parts: dict[str, str | bytes] = dict(parts_of(whole))
    yield Case("a bomb of zeros", ending, partial(_with_zeros, parts))
    many = {f"p/{n}": b"" for n in range(20_001)}
    yield Case("20,001 parts", ending, partial(zipped, {**parts, **many}, zipfile.ZIP_STORED))
    climbing = {"../secret.txt": b"x", "/etc/x": b"x", "C:\\x": b"x", "a/../../x": b"x", "a\0b": b"x"}
    yield Case("names that climb", ending, zipped({**parts, **climbing}))
    yield Case("the same name twice", ending, _doubled(parts))
    yield Case("stated sizes that lie", ending, _lying(whole))
    yield Case("archives in archives", ending, zipped({**parts, "inner.zip": functools.reduce(
        lambda inner, _: zipped({"a.zip": inner}), range(50), whole)}))  # fmt: skip
    yield Case("every part empty", ending, zipped(dict.fromkeys(parts, b"")))


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
    """The central directory says that parts are a hundred bytes long when they are not."""
    made, place = bytearray(whole), 0
    while (place := made.find(b"PK\x01\x02", place)) >= 0:
        made[place + 24 : place + 28] = struct.pack("<I", 100)
        place += 4
    return bytes(made)


def _related(whole: bytes, owner: str, *relations: str) -> bytes:
    """An archive of Office with further relations of a part."""
    parts = parts_of(whole)
    name = next(name for name in parts if name.endswith(f"_rels/{owner}.rels"))
    return with_part(
        whole, name, parts[name].replace(b"</Relationships>", "".join(relations).encode() + b"</Relationships>")
    )


def _relation(id_: str, kind: str, target: str, mode: str = "External") -> str:
    return f'<Relationship Id="{id_}" Type="{_RELATED}/{kind}" Target="{target}" TargetMode="{mode}"/>'


def _word() -> Iterator[Case]:
    whole = sound()[".docx"]

    def body(inner: str, defect: str) -> Case:
        return Case(
            defect,
            ".docx",
            with_part(whole, "document.xml", f"<w:document {_W}><w:body>{inner}</w:body></w:document>".encode()),
        )

    run = "<w:p><w:r><w:t>a</w:t></w:r></w:p>"
    yield body("<w:tbl><w:tr><w:tc>" * 500 + run + "</w:tc></w:tr></w:tbl>" * 500, "tables in tables")
    yield body(
        '<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="1000000"/></w:tcPr></w:tc></w:tr></w:tbl>', "a span of a million"
    )
    yield body("<w:tbl>" + "<w:tr><w:tc/><w:tc/></w:tr>" * 300_000 + "</w:tbl>", "600,000 cells")
    yield body("<w:p><w:hyperlink w:anchor='a'><w:r><w:t>a</w:t></w:r></w:hyperlink></w:p>" * 200_000, "200,000 links")
    yield body(f"<w:p><w:r><w:t>{'a ' * 4_000_000}</w:t></w:r></w:p>", "a paragraph of 8 MB")
    yield body(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val='-9'/><w:numId w:val='999999999999'/></w:numPr></w:pPr></w:p>" * 10,
        "numbers out of range",
    )
    styles = f'<w:styles {_W}><w:style w:styleId="a"><w:basedOn w:val="b"/></w:style><w:style w:styleId="b"><w:basedOn w:val="a"/></w:style></w:styles>'
    cyclic = with_part(whole, "styles.xml", styles.encode())
    used = f"<w:document {_W}><w:body><w:p><w:pPr><w:pStyle w:val='a'/></w:pPr><w:r><w:t>a</w:t></w:r></w:p></w:body></w:document>"
    yield Case("styles in a circle", ".docx", with_part(cyclic, "document.xml", used.encode()))
    yield Case("parts from elsewhere", ".docx", _related(
        whole, "document.xml", _relation("x1", "image", "{url}/i.png"), _relation("x2", "attachedTemplate", "{url}/t.dotm"),
        _relation("x3", "image", "file://{secret}"), _relation("x4", "image", "../../../secret.txt", "Internal"),
        _relation("x5", "styles", "document.xml", "Internal")))  # fmt: skip
    macros = zipped({**parts_of(whole), "word/vbaProject.bin": b'Sub AutoOpen()\nShell "touch {secret}"\nEnd Sub'})
    yield Case("macros", ".docm", macros)


def _slides() -> Iterator[Case]:
    whole = sound()[".pptx"]

    def tree(inner: str, defect: str) -> Case:
        slide = f"<p:sld {_P} {_A}><p:cSld><p:spTree>{inner}</p:spTree></p:cSld></p:sld>"
        return Case(defect, ".pptx", with_part(whole, "slide1.xml", slide.encode()))

    shape = "<p:sp><p:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></p:txBody></p:sp>"
    yield tree("<p:grpSp>" * 240 + shape + "</p:grpSp>" * 240, "groups in groups")
    yield tree(shape * 20_000, "20,000 shapes")
    grid = "<a:tbl><a:tblGrid/>" + "<a:tr><a:tc gridSpan='1000000' rowSpan='1000000'/></a:tr>" * 100 + "</a:tbl>"
    yield tree(
        f"<p:graphicFrame><a:graphic><a:graphicData>{grid}</a:graphicData></a:graphic></p:graphicFrame>",
        "spans of a million",
    )
    yield Case("parts from elsewhere", ".pptx", _related(
        whole, "slide1.xml", _relation("x1", "image", "{url}/i.png"), _relation("x2", "video", "file://{secret}"),
        _relation("x3", "slide", "slide1.xml", "Internal")))  # fmt: skip


def _workbooks() -> Iterator[Case]:
    whole = sound()[".xlsx"]

    def sheet(inner: str, defect: str) -> Case:
        return Case(defect, ".xlsx", with_part(whole, "sheet1.xml", f"<worksheet {_S}>{inner}</worksheet>".encode()))

    far = "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 3000))
    merged = "".join(f'<mergeCell ref="A{n}:XFD1048576"/>' for n in range(1, 2000))
    yield sheet(f"<sheetData>{far}</sheetData><mergeCells>{merged}</mergeCells>", "merged far and wide")
    cells = "".join(f'<c r="{column}@"><v>1</v></c>' for column in "ABCDEFGHIJ")
    rows = "".join(f'<row r="{n}">{cells}</row>'.replace("@", str(n)) for n in range(1, 100_001))
    yield sheet(f"<sheetData>{rows}</sheetData>", "a million cells")
    yield sheet(
        '<sheetData><row r="99999999999"><c r="ZZZZZZ9999999999"><v>1e999</v></c></row></sheetData>',
        "places out of range",
    )
    yield sheet(
        '<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1" t="s"><v>-5</v></c></row></sheetData>',
        "strings that are not there",
    )
    yield sheet(
        '<sheetData><row><c t="str"><f>HYPERLINK("{url}/x")</f><v>a</v></c><c><f>WEBSERVICE("{url}/y")</f></c></row></sheetData>',
        "formulas that ask",
    )
    yield Case("parts from elsewhere", ".xlsx", _related(
        whole, "workbook.xml", _relation("x1", "externalLink", "{url}/b.xlsx"), _relation("x2", "worksheet", "file://{secret}"),
        _relation("x3", "worksheet", "../../secret.txt", "Internal")))  # fmt: skip
    yield Case("macros", ".xlsm", zipped({**parts_of(whole), "xl/vbaProject.bin": b"Sub Workbook_Open()\nEnd Sub"}))


def _sheets() -> Iterator[Case]:
    whole = sound()[".ods"]
    names = " ".join(f"xmlns:{short}='urn:oasis:names:tc:opendocument:xmlns:{long}:1.0'" for short, long in
                     (("o", "office"), ("t", "table"), ("x", "text")))  # fmt: skip

    def table(inner: str, defect: str) -> Case:
        content = f"<o:d {names}><t:table t:name='S'>{inner}</t:table></o:d>"
        return Case(defect, ".ods", with_part(whole, "content.xml", content.encode()))

    cell = "<t:table-cell t:number-columns-repeated='1000000'><x:p>a</x:p></t:table-cell>"
    yield table(f"<t:table-row t:number-rows-repeated='1000000'>{cell}</t:table-row>", "a cell that repeats 10¹² times")
    yield table(f"<t:table-row t:number-rows-repeated='-1'>{cell}</t:table-row>", "a negative count")
    yield table("<t:table-row><t:table-cell><x:p>a</x:p></t:table-cell></t:table-row>" * 300_000, "300,000 rows")
    nested = "<t:table-cell>" + "<x:p><x:span>" * 120 + "a" + "</x:span></x:p>" * 120 + "</t:table-cell>"
    yield table(f"<t:table-row>{nested}</t:table-row>", "nested text")


def _books() -> Iterator[Case]:
    page = "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>a</p></body></html>"
    base = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER}
    for path in PATHS[:8]:
        package = PACKAGE.replace('href="c.xhtml"', f'href="{path}"')
        yield Case(f"a chapter at {path}", ".epub", zipped({**base, "b.opf": package}))
    yield Case("a chapter on the web", ".epub", zipped({**base, "b.opf": PACKAGE.replace("c.xhtml", "{url}/c.xhtml")}))
    spine = PACKAGE.replace('<itemref idref="c"/>', '<itemref idref="c"/>' * 100_000)
    yield Case("one chapter 100,000 times", ".epub", zipped({**base, "b.opf": spine, "c.xhtml": page}))
    own = PACKAGE.replace('href="c.xhtml"', 'href="b.opf"')
    yield Case("the package as its chapter", ".epub", zipped({**base, "b.opf": own}))
    shown = "".join(f"<img src='{path}' alt='a'/>" for path in (*PATHS[:8], "{url}/p.png"))
    pictures = page.replace("<p>a</p>", shown)
    yield Case("pictures from elsewhere", ".epub", zipped({**base, "b.opf": PACKAGE, "c.xhtml": pictures}))
    points = "<navPoint><navLabel><text>a</text></navLabel><content src='c.xhtml'/>" * 5_000
    toc = f"<ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'><navMap>{points}{'</navPoint>' * 5000}</navMap></ncx>"
    listed = PACKAGE.replace(
        "</manifest>", '<item id="t" href="t.ncx" media-type="application/x-dtbncx+xml"/></manifest>'
    )
    yield Case("contents nested 5,000 deep", ".epub", zipped({**base, "b.opf": listed, "c.xhtml": page, "t.ncx": toc}))


def _pages() -> Iterator[Case]:
    def page(inner: str, defect: str, ending: str = ".html") -> Case:
        return Case(defect, ending, f"<html><body><p>a</p>{inner}</body></html>".encode())

    for tag in ("div", "span", "b", "ul><li", "table><tr><td", "blockquote", "font", "dl><dd", "svg", "math"):
        yield page(f"<{tag}>" * 30_000 + "deep", f"nested {tag}")
    yield page("<a href='x.html'>x</a> " * 1_000_000, "a million links")
    yield page("<a href='#p'>x</a>" * 300_000, "300,000 links without a space")
    yield page(
        f"<table>{'<tr>' + '<td>1</td>' * 100 + '</tr>'}</table>".replace(
            "</table>", ("<tr>" + "<td>1</td>" * 100) * 9_999
        ),
        "a million cells",
    )
    yield page("<table><tr><td colspan=1000000 rowspan=1000000>a</table>", "a span of a million")
    yield page("<table>" + "<tr>" + "<td colspan=1000 rowspan=65534>a" * 1000 + "</table>", "a thousand large spans")
    yield page("<table>" + "<tr><td rowspan=65534>a" * 3000 + "</table>", "spans in stairs")
    yield page(
        "".join(f"<img src='{path}' alt='a'>" for path in (*PATHS, "{url}/p.png", "//127.0.0.1/p.png")),
        "pictures from elsewhere",
    )
    yield page(
        "<iframe src='{url}/f'></iframe><object data='{url}/o'></object><script src='{url}/s'></script><link rel=stylesheet href='{url}/c'>",
        "frames and scripts",
    )
    yield page(
        "<script>fetch('{url}/x')</script><svg onload='fetch(1)'><a href='javascript:alert(1)'>x</a></svg>", "scripts"
    )
    yield page(f"<img alt=a src='data:image/png;base64,{'A' * 3_000_000}'>", "a data address of 3 MB")
    yield page("<p title='" + "x" * 9_000_000 + "'>a", "an attribute of 9 MB")
    yield page("<!--" * 200_000, "comments that do not end")
    yield page("&amp;" * 500_000 + "&#x110000;&#-1;&#99999999999;", "entities")
    yield page("<p id=a>a</p>" * 200_000, "one id 200,000 times")
    yield page("<h1>a</h1><h6>b</h6>" * 50_000, "100,000 headings")
    yield page("<figure>" * 300 + "<img src=p.png alt=a><figcaption>a" * 300, "figures in figures")
    yield Case(
        "a base elsewhere",
        ".html",
        b"<base href='{url}/'><base href='file://{secret}'><p>a</p><a href='x'>x</a><img src='p.png' alt=p>",
    )
    yield Case(
        "entities from elsewhere",
        ".xhtml",
        f"<?xml version='1.0'?>{_OUTSIDE.replace('DOCTYPE a', 'DOCTYPE html')}]><html><body><p>&x;&y; a</p></body></html>".encode(),
    )
    yield Case("an entity bomb", ".xhtml", f"<?xml version='1.0'?>{entity_bomb()}".encode())


def _markdown() -> Iterator[Case]:
    for path in PATHS:
        text = "# a\n\n" + "\n\n".join(form.replace("@", path) for form in (
            "![p](@)", "--8<-- \"@\"", "{!@!}", "{* @ *}", "{{#include @}}", '{% include "@" %}', "<!-- @include: @ -->",
            "<<< @", "{{< readfile file=\"@\" >}}", "```{include} @\n```", "```{literalinclude} @\n```", "[a](@)"))  # fmt: skip
        yield Case(f"includes {path!r}", ".md", text.encode())
    yield Case(
        "includes from the web",
        ".md",
        b'a\n\n--8<-- "{url}/x"\n\n{{< readfile file="{url}/y" >}}\n\n![p]({url}/p.png)\n',
    )
    ring = b'a\n\n--8<-- "other.md"\n'
    yield Case("includes in a circle", ".md", ring, {"other.md": b'b\n\n--8<-- "file.md"\n\n--8<-- "other.md"\n'})
    fan = {f"n{level}.md": f'--8<-- "n{level + 1}.md"\n\n'.encode() * 20 for level in range(9)} | {
        "n9.md": b"x " * 1000
    }
    yield Case("includes that multiply", ".md", b'--8<-- "n0.md"\n', fan)
    yield Case("front matter that multiplies", ".md", ("---\na: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{b}: &{b} [{','.join(f'*{a}' for _ in range(9))}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)) + "---\ntext\n").encode())  # fmt: skip
    yield Case(
        "front matter with objects", ".md", b"---\na: !!python/object/apply:os.system ['touch {secret}']\n---\ntext\n"
    )
    for defect, text in {
        "nested quotes": "> " * 20_000 + "a", "nested lists": "".join(" " * n + "- a\n" for n in range(2_000)),
        "nested containers": ":::: tip\n" * 5_000, "nested admonitions": "".join("    " * n + "!!! note\n" for n in range(500)),
        "nested brackets": "[" * 50_000 + "a" + "](b)" * 50_000, "a million links": "[a](b.md) " * 300_000,
        "a wide table": "|" + "a|" * 20_000 + "\n|" + "-|" * 20_000 + "\n|" + "1|" * 20_000,
        "shortcodes that do not end": "{{< tabs >}}{{% tab %}}" * 20_000, "macros": "{{ ''.__class__.__mro__ }}{% for a in range(10**9) %}x{% endfor %}",
        "definitions": "[a]: b\n" * 100_000 + "[a]", "footnotes in a circle": "[^a]\n\n[^a]: [^b]\n\n[^b]: [^a]\n",
        "emphasis": "*a_ " * 50_000, "wiki links": "[[" * 50_000 + "]]" * 50_000, "raw HTML": "<div>\n\n" * 20_000,
    }.items():  # fmt: skip
        yield Case(defect, ".md", text.encode())
        yield Case(defect, ".mdx", text.encode())


def _restructured() -> Iterator[Case]:
    for path in (*PATHS[:8], "{url}/x"):
        text = f"A\n=\n\n.. include:: {path}\n\n.. literalinclude:: {path}\n\n.. image:: {path}\n\n.. figure:: {path}\n\n.. csv-table::\n   :file: {path}\n\n.. raw:: html\n   :file: {path}\n\n.. raw:: html\n   :url: {path}\n\n.. csv-table::\n   :url: {path}\n"
        yield Case(f"includes {path!r}", ".rst", text.encode())
    yield Case("includes in a circle", ".rst", b".. include:: other.rst\n", {"other.rst": b".. include:: file.rst\n"})
    yield Case("nested quotes", ".rst", "".join(" " * n + "a\n\n" for n in range(2_000)).encode())
    yield Case("nested lists", ".rst", "".join("  " * n + "- a\n\n" for n in range(1_000)).encode())
    yield Case("substitutions in a circle", ".rst", b".. |a| replace:: |b|\n.. |b| replace:: |a|\n\n|a|\n")
    bomb = ".. |a0| replace:: xxxxxxxxxx\n" + "".join(
        f".. |a{n + 1}| replace:: " + f"|a{n}| " * 10 + "\n" for n in range(9)
    )
    yield Case("substitutions that multiply", ".rst", (bomb + "\n|a9|\n").encode())
    yield Case("a million references", ".rst", b"a_ `b`_ :doc:`c` " * 60_000)


def _notebooks() -> Iterator[Case]:
    def cells(*given: object) -> bytes:
        return json.dumps({"nbformat": 4, "metadata": {}, "cells": given}).encode()

    text = {"cell_type": "markdown", "source": "a"}
    yield Case("100,000 cells", ".ipynb", cells(*[text] * 100_000))
    yield Case("nested 100,000 deep", ".ipynb", b'{"cells":' + b"[" * 100_000)
    yield Case(
        "cells of other types",
        ".ipynb",
        cells(None, 1, "a", [], {}, {"cell_type": "code", "outputs": 5, "source": {"a": 1}}),
    )
    huge = base64.b64encode(_png(60_000, 60_000)).decode()
    output = {"output_type": "display_data", "data": {"image/png": huge, "text/html": "<img src='{url}/x'>"}}
    yield Case(
        "a picture of 3.6 gigapixels", ".ipynb", cells({"cell_type": "code", "source": "1", "outputs": [output]})
    )
    shown = {
        "cell_type": "markdown",
        "source": "".join(f"![p]({path})" for path in (*PATHS[:8], "attachment:x", "{url}/p")),
    }
    yield Case("pictures from elsewhere", ".ipynb", cells(shown))
    yield Case("one number of a million digits", ".ipynb", b'{"nbformat": ' + b"9" * 1_000_000 + b"}")
    ansi = {"output_type": "stream", "text": "\x1b[" * 200_000 + "\b" * 200_000 + "\r" * 200_000}
    yield Case("signs of a terminal", ".ipynb", cells({"cell_type": "code", "source": "1", "outputs": [ansi]}))


def _mails() -> Iterator[Case]:
    head = "Subject: a\nMIME-Version: 1.0\n"
    deep = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(2_000))
    yield Case("parts 2,000 deep", ".eml", (head + deep + "\n\na").encode())
    inner = "Content-Type: message/rfc822\n\nSubject: a\n" * 500
    yield Case("messages in messages", ".eml", (head + inner + "\n\na").encode())
    part = "--b\nContent-Type: text/csv\nContent-Disposition: attachment; filename=a.csv\n\na,b\n1,2\n"
    yield Case(
        "5,000 attachments",
        ".eml",
        (head + "Content-Type: multipart/mixed; boundary=b\n\n" + part * 5_000 + "--b--").encode(),
    )
    names = "".join(
        f'--b\nContent-Type: text/csv\nContent-Disposition: attachment; filename="{path}"\n\na,b\n1,2\n'
        for path in PATHS
    )
    yield Case(
        "attachments with names that climb",
        ".eml",
        (head + "Content-Type: multipart/mixed; boundary=b\n\n" + names + "--b--").encode(),
    )
    yield Case(
        "a body elsewhere",
        ".eml",
        (
            head + 'Content-Type: message/external-body; access-type=URL; URL="{url}/x"\n\nContent-Type: text/plain\n\n'
        ).encode(),
    )
    yield Case(
        "pictures from elsewhere",
        ".eml",
        (
            head
            + "Content-Type: text/html\n\n<p>a</p><img src='{url}/p.png' alt=p><img src='file://{secret}' alt=p><img src='cid:x' alt=p>"
        ).encode(),
    )
    yield Case("a head of 5 MB", ".eml", (head + "X-A: " + "a\n b" * 1_000_000 + "\n\na").encode())
    yield Case("100,000 heads", ".eml", (head + "X-A: b\n" * 100_000 + "\n\na").encode())
    yield Case(
        "words in encodings that are none",
        ".eml",
        b"Subject: =?no-such?q?=FF=?= =?utf-8?b?!!!?=\nContent-Type: text/plain; charset=none\n\n\xff\xfe",
    )
    yield Case("60,000 messages", ".mbox", b"From a\nSubject: a\n\nb\n\n" * 60_000)
    yield Case(
        "answers in a circle",
        ".mbox",
        b"From a\nMessage-ID: <1>\nIn-Reply-To: <2>\n\na\n\nFrom b\nMessage-ID: <2>\nIn-Reply-To: <1>\n\nb\n",
    )


def _tables() -> Iterator[Case]:
    for ending, mark in ((".csv", b","), (".tsv", b"\t")):
        yield Case("a million cells", ending, (mark.join([b"1"] * 10) + b"\n") * 100_000)
        yield Case("a row of a million cells", ending, mark * 1_000_000)
        yield Case("a quote that does not end", ending, b'a,b\n"' + b"x,y\n" * 200_000)
        yield Case("a cell of 9 MB", ending, b"a" + mark + b"x" * 9_000_000 + b"\n")
        yield Case("formulas", ending, b'=cmd|" /C calc"!A0' + mark + b'=WEBSERVICE("{url}/x")\n1' + mark + b"2\n")
        yield Case("rows of other lengths", ending, b"".join(mark * (n % 50) + b"a\n" for n in range(20_000)))


def _png(width: int, height: int) -> bytes:
    """A PNG that says it is so large, with rows of zeros packed as long as they may be."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes(min(width // 8 * height, 50_000_000)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _pictures() -> Iterator[Case]:
    yield Case("3.6 gigapixels", ".png", _png(60_000, 60_000))
    yield Case("no width", ".png", _png(0, 10))
    yield Case("a row of two billion", ".png", _png(2**31 - 1, 1))
    frames = [Image.new("P", (300, 300), n % 256) for n in range(200)]
    stream = io.BytesIO()
    frames[0].save(stream, "GIF", save_all=True, append_images=frames[1:])
    yield Case("200 frames", ".gif", stream.getvalue())
    gif = bytearray(sound()[".gif"])
    gif[6:10] = struct.pack("<HH", 65535, 65535)
    yield Case("4 gigapixels", ".gif", bytes(gif))
    bmp = bytearray(sound()[".bmp"])
    bmp[18:26] = struct.pack("<ii", 2**31 - 1, -(2**31))
    yield Case("negative height", ".bmp", bytes(bmp))
    tif = sound()[".tif"]
    yield Case(
        "a directory that leads to itself", ".tif", tif[:4] + struct.pack("<I", 8) + struct.pack("<HI", 0, 8) * 3
    )
    text = b"\x89PNG\r\n\x1a\n" + sound()[".png"][8:33]
    packed = zlib.compress(bytes(100_000_000))
    chunk = b"zTXt" + b"a\0\0" + packed
    yield Case(
        "a text that unpacks to 100 MB",
        ".png",
        text + struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) + sound()[".png"][33:],
    )
    yield Case("a script inside", ".jpg", sound()[".jpg"][:-2] + b"<script>fetch('{url}')</script>\xff\xd9")


def _pdf(objects: list[bytes], trailer: bytes = b"") -> bytes:
    """A PDF of these objects, numbered from 1; the first is its catalogue."""
    made, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return made + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + (
        b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF" % (size, trailer, len(made)))  # fmt: skip


def _stream(content: bytes, more: bytes = b"") -> bytes:
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(content), more, content)


def _pdf_page(content: bytes, resources: bytes = b"", page: bytes = b"", catalogue: bytes = b"", *more: bytes) -> bytes:
    """A PDF of one page; further objects are numbered from 6, the font is 5."""
    return _pdf([
        b"<</Type/Catalog/Pages 2 0 R%s>>" % catalogue, b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>%s>>%s>>" % (resources, page),
        _stream(content), b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", *more])  # fmt: skip


_SAID = b"BT /F 12 Tf 72 700 Td (The pumps are low.) Tj ET\n"


def _pdfs() -> Iterator[Case]:
    yield Case("sound, by hand", ".pdf", _pdf_page(_SAID))
    yield Case(
        "pages in a circle",
        ".pdf",
        _pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"]),
    )
    yield Case(
        "a million pages counted",
        ".pdf",
        _pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 1000000>>"]),
    )
    form = _stream(b"/X Do /X Do", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>")
    yield Case("a form that draws itself", ".pdf", _pdf_page(_SAID + b"/X Do", b"/XObject<</X 6 0 R>>", b"", b"", form))
    yield Case("a stream that unpacks to 300 MB", ".pdf", _unpacking)
    image = _stream(
        zlib.compress(bytes(1000)),
        b"/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode",
    )
    yield Case(
        "a picture of 3.6 gigapixels",
        ".pdf",
        _pdf_page(_SAID + b"600 0 0 600 0 0 cm /I Do", b"/XObject<</I 6 0 R>>", b"", b"", image),
    )
    outline = [b"<</Title(a)/Parent 6 0 R/Next 7 0 R/First 6 0 R/Dest[3 0 R]>>", b"<</Title(b)/Next 7 0 R/Prev 7 0 R>>"]
    yield Case("an outline in a circle", ".pdf", _pdf_page(_SAID, b"", b"", b"/Outlines 6 0 R", *outline))
    asking = b"<</Type/Annot/Subtype/Link/Rect[0 0 99 99]/A<</S/%s/%s({url}/x)/F({secret})/JS(app.launchURL\\('{url}'\\))>>>>"
    actions = [
        asking % pair
        for pair in (
            (b"URI", b"URI"),
            (b"Launch", b"Win"),
            (b"GoToR", b"D"),
            (b"JavaScript", b"X"),
            (b"SubmitForm", b"X"),
            (b"ImportData", b"X"),
        )
    ]
    refs = b"/Annots[%s]" % b" ".join(b"%d 0 R" % (6 + n) for n in range(len(actions)))
    yield Case(
        "actions", ".pdf", _pdf_page(_SAID, b"", refs, b"/OpenAction<</S/JavaScript/JS(while\\(1\\);)>>", *actions)
    )
    outside = _stream(
        b"",
        b"/Type/XObject/Subtype/Image/Width 9/Height 9/F({secret})/FFilter/DCTDecode/BitsPerComponent 8/ColorSpace/DeviceGray",
    )
    yield Case(
        "a picture in another file", ".pdf", _pdf_page(_SAID + b"/I Do", b"/XObject<</I 6 0 R>>", b"", b"", outside)
    )
    yield Case("200,000 letters", ".pdf", _pdf_page(b"BT /F 1 Tf 0 700 Td (" + b"a " * 200_000 + b") Tj ET"))
    yield Case(
        "100,000 rules",
        ".pdf",
        _pdf_page(_SAID + b"".join(b"%d 0 m %d 800 l S\n" % (n % 600, n % 600) for n in range(100_000))),
    )
    yield Case("states that are not restored", ".pdf", _pdf_page(b"q " * 200_000 + _SAID))
    yield Case(
        "numbers out of range",
        ".pdf",
        _pdf_page(
            b"BT /F 1e38 Tf 1e38 -1e38 Td 9e99 0 0 9e99 1e38 1e38 Tm (a) Tj ET 1e38 1e38 1e38 1e38 re f\n" + _SAID
        ),
    )
    yield Case("a box of nothing", ".pdf", _pdf_page(_SAID).replace(b"[0 0 600 800]", b"[0 0 000 000]"))
    yield Case("a box of a mile", ".pdf", _pdf_page(_SAID).replace(b"[0 0 600 800]", b"[0 0 9e9 9e9]"))
    yield Case(
        "locked",
        ".pdf",
        _pdf(
            [
                b"<</Type/Catalog/Pages 2 0 R>>",
                b"<</Type/Pages/Kids[]/Count 0>>",
                b"<</Filter/Standard/V 2/R 3/O(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)/U(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)/P -4/Length 128>>",
            ],
            b"/Encrypt 3 0 R/ID[(a)(b)]",
        ),
    )
    nested = b"[" * 50_000 + b"]" * 50_000
    yield Case("arrays 50,000 deep", ".pdf", _pdf_page(_SAID, b"/X " + nested))
    yield Case(
        "5,000 links",
        ".pdf",
        _pdf_page(
            _SAID,
            b"",
            b"/Annots[" + b"<</Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(http://x.example)>>>>" * 20_000 + b"]",
        ),
    )


def _unpacking() -> bytes:
    zeros = zlib.compress(zlib.compress(bytes(300_000_000)))
    return _pdf_page(_SAID, b"", b"/Thumb 6 0 R", b"", _stream(zeros, b"/Filter[/FlateDecode/FlateDecode]"))
