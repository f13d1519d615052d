import zipfile

import pytest

from backtrail.ingest.epub.parse import parse_epub
from backtrail.ingest.errors import UnreadableSource

CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OPS/book.opf"/></rootfiles></container>"""
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>
<dc:title>The Light</dc:title><dc:creator>Ann Keeper</dc:creator></metadata><manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>
<item id="lamp" href="img/lamp.png" media-type="image/png"/></manifest>
<spine><itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/></spine></package>"""
NAV = """<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>
<nav epub:type="toc">
<ol><li><a href="text/one.xhtml">Part one</a><ol><li><a href="text/two.xhtml">The lens</a></li></ol></li></ol>
</nav></body></html>"""
ONE = """<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><body>
<p><img src="../img/lamp.png" alt="The lamp"/></p>
<p>The lamp burns, see <a href="two.xhtml#old">the lens</a> and <a href="https://light.example">the site</a>.</p>
</body></html>"""
TWO = """<html xmlns="http://www.w3.org/1999/xhtml"><body><h2>The lens</h2>
<p id="old">It is old.</p><table><tr><th>Year</th></tr><tr><td>1880</td></tr></table></body></html>"""


@pytest.fixture
def book(tmp_path, picture):
    def make(**changed):
        parts = {
            "mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER, "OPS/book.opf": PACKAGE,
            "OPS/nav.xhtml": NAV, "OPS/text/one.xhtml": ONE, "OPS/text/two.xhtml": TWO, "OPS/img/lamp.png": picture(),
            **{name.replace("__", "/").replace("_dot_", "."): text for name, text in changed.items()},
        }  # fmt: skip
        path = tmp_path / "light.epub"
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in parts.items():
                archive.writestr(name, content)
        return path

    return make


def test_chapters_come_in_the_order_of_the_spine_with_the_sections_of_the_contents(book):
    document = parse_epub(book(), "light.epub")
    assert document.document.title == "The Light"
    assert [(part.section, part.modality) for part in document.components] == [
        ("About this book", "text"), ("Part one", "image"), ("Part one", "text"),
        ("Part one > The lens", "text"), ("Part one > The lens", "table"),
    ]  # fmt: skip
    assert document.components[0].text == "By Ann Keeper"
    assert document.components[1].image.blob in document.blobs


def test_links_between_chapters_lead_within_the_book(book):
    document = parse_epub(book(), "light.epub")
    inside, outside = document.components[2].links
    assert (inside.kind, inside.target, inside.anchor) == ("internal", "light.epub", "the lens")
    assert document.fragments[inside.component] == document.components[3].id
    assert (outside.kind, outside.target) == ("external", "https://light.example")


def test_locked_and_broken_books_are_refused_by_name(book):
    locked = """<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>
    <enc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/>
    <enc:CipherData><enc:CipherReference URI="OPS/text/one.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>"""
    with pytest.raises(UnreadableSource, match="locked by digital rights management"):
        parse_epub(book(**{"META-INF__encryption_dot_xml": locked}), "light.epub")
    with pytest.raises(UnreadableSource, match="no package"):
        parse_epub(book(**{"META-INF__container_dot_xml": "<container/>"}), "light.epub")
    with pytest.raises(UnreadableSource, match="no chapters"):
        parse_epub(book(**{"OPS__book_dot_opf": "<package/>"}), "light.epub")


def test_entities_are_not_expanded_and_paths_do_not_leave_the_book(book, tmp_path):
    (tmp_path / "secret.png").write_bytes(b"secret")
    bomb = '<!DOCTYPE html [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;">]>'
    body = '<body><p>Now &b; then</p><img src="../../../secret.png" alt="S"/></body>'
    page = f'{bomb}<html xmlns="http://www.w3.org/1999/xhtml">{body}</html>'
    document = parse_epub(book(OPS__text__one_dot_xhtml=page), "light.epub")
    assert "xxxxx" not in "".join(part.text or "" for part in document.components)
    assert any("not fetched" in part.reason for part in document.skipped)
    assert all(
        blob is None or len(blob) == 64 for blob in (part.image.blob for part in document.components if part.image)
    )


def test_entries_of_the_contents_that_lead_into_a_file_divide_it(book):
    nav = NAV.replace("</ol></li></ol>", '</ol></li><li><a href="text/two.xhtml#b">Rust</a></li></ol>')
    text = ('<html xmlns="http://www.w3.org/1999/xhtml"><body><p>It is old.</p><p class="head"><a id="b"></a>No heading'
            "</p><p>Salt does it.</p></body></html>")  # fmt: skip
    document = parse_epub(book(OPS__nav_dot_xhtml=nav, OPS__text__two_dot_xhtml=text), "light.epub")
    assert [(part.section, part.text) for part in document.components][-3:] == [
        ("Part one > The lens", "It is old."), ("Rust", "No heading"), ("Rust", "Salt does it."),
    ]  # fmt: skip
