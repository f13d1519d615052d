import io
import itertools
import re
from pathlib import Path

import pytest
from fixtures.drawn_pdf import NEXT, lines, noise, raw_pdf, ruled, written
from fixtures.parsed import texts
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen import canvas

from backtrail.ingest.errors import EmptySource, UnreadableSource
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.pdf import isolated_reader, page_words, reading, worker
from backtrail.ingest.pdf.assemble import assemble
from backtrail.ingest.pdf.parse import parse_pdf
from backtrail.ingest.pdf.reading import read_file

NOISE = 'O-:TG"//ZPsOB"Z\'ZT:PeO-E"11W:WPoO/"BEBE1P\':W/E:P!O]'
PROSE = (
    "Rivers carry water from the hills down to the sea, and with it sand and",
    "mud which settle where the current slows. A delta is what they leave be-",
    "hind at the mouth.",
)


def whole_page(sheet):
    lines(sheet, 40, 460, "On Rivers", size=20)
    lines(sheet, 40, 430, *PROSE)
    lines(sheet, 40, 370, "Lengths", size=14)
    lines(sheet, 40, 350, "Table 1. The longest")
    ruled([["Name", "km"], ["Nile", "6650"], ["Amazon", ""]], 40, 280)(sheet)
    sheet.linkURL("https://e.org/nile", (40, 298, 80, 316))
    sheet.drawImage(noise(80, 60), 40, 160, 120, 90)
    sheet.drawImage(noise(10, 10), 300, 160, 10, 10)
    lines(sheet, 40, 145, "Figure 1: A delta.")
    lines(sheet, 40, 110, "See the web for more.")
    sheet.linkURL("https://e.org/", (60, 105, 90, 120))
    sheet.bookmarkPage("here")
    sheet.linkRect("", "here", (40, 425, 100, 440))
    sheet.showPage()
    lines(sheet, 40, 460, "Last page.")
    sheet.showPage()


def test_paragraphs_tables_and_pictures_with_page_and_box(drawn):
    parsed = drawn(whole_page)
    first, table, image, more, last = parsed.components
    assert parsed.document.title == "On Rivers"
    assert first.text == " ".join(PROSE).replace("be- hind", "behind")
    assert (first.id, first.section, first.locator.page) == ("docs/file name.pdf#text-1", "", 1)
    assert first.locator.box == pytest.approx((40, 60, 359, 96), abs=2)
    assert table.table.model_dump() == {
        "caption": "Table 1. The longest", "header": ("Name", "km"), "rows": (("Nile", "6650"), ("Amazon", "")),
    }  # fmt: skip
    assert table.section == "Lengths"
    assert [(link.target, link.anchor, link.row, link.column) for link in table.links] == [
        ("https://e.org/nile", "Nile", 0, 0)
    ]
    assert image.image.caption == "Figure 1: A delta."
    assert Image.open(io.BytesIO(parsed.blobs[image.image.blob])).size == pytest.approx((120, 90), abs=3)
    assert (more.text, [link.target for link in more.links]) == ("See the web for more.", ["https://e.org/"])
    assert first.links == ()
    assert (last.text, last.locator.page) == ("Last page.", 2)
    assert parsed.skipped == []


def test_pages_are_told_of_once_for_each_reason_and_blank_ones_not(drawn):
    def scan(sheet):
        sheet.drawImage(noise(100, 100), 0, 0, 400, 500)

    parsed = drawn(written(40, 400, "Some text"), NEXT, scan, NEXT, NEXT, *[scan, NEXT] * 5)
    assert [part.source for part in parsed.skipped] == ["docs/file name.pdf: pages 2, 4-8"]
    with pytest.raises(EmptySource, match="all its pages are blank"):
        drawn(NEXT)


def damaged(path, *contents):
    """A page for each of some contents, all but the first packed and then bent in the middle."""
    sheet = canvas.Canvas(str(path), pagesize=(600, 500), pageCompression=1)
    for content in contents:
        lines(sheet, 10, 480, *content, size=8)
        sheet.showPage()
    sheet.save()
    written = path.read_bytes()
    streams = [match.end() for match in re.finditer(rb"(?<!end)stream\r?\n", written)]
    for start in streams[1:]:
        end = written.index(b"~>", start) if b"~>" in written[start:] else written.index(b"endstream", start)
        written = written[: start + 2] + b"\xff" * (end - start - 2) + written[end:]
    path.write_bytes(written)
    return path


def test_a_damaged_page_is_not_said_to_be_a_scan(tmp_path, monkeypatch):
    monkeypatch.setattr("reportlab.rl_config.useA85", 0)
    (parsed,) = parse_pdf(damaged(tmp_path / "bent.pdf", ["Some text", NOISE], ["Lost"], ["Lost"]), "bent.pdf")
    assert texts(parsed) == ["Some text"]
    assert [(part.source, part.reason) for part in parsed.skipped] == [
        ("bent.pdf: page 1", "damaged: what its broken contents draw in place of words was left out"),
        ("bent.pdf: pages 2-3", "no text: blank or damaged, as the file has contents that cannot be unpacked"),
    ]


def test_a_file_of_which_nothing_can_be_read_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("reportlab.rl_config.useA85", 0)
    path = damaged(tmp_path / "bent.pdf", ["Lost"], ["Lost"])
    written = path.read_bytes()
    first = re.search(rb"(?<!end)stream\r?\n", written).end()
    path.write_bytes(written[: first + 2] + b"\xff" * 8 + written[first + 10 :])
    with pytest.raises(UnreadableSource, match=r"nothing of it can be read .pages 1-2: no text: blank or damaged"):
        parse_pdf(path, "bent.pdf")


def test_pages_with_too_many_objects_give_their_text_only(tmp_path, monkeypatch):
    monkeypatch.setattr(page_words, "MAX_OBJECTS", 50)
    sheet = canvas.Canvas(str(tmp_path / "plot.pdf"), pagesize=(400, 500))
    lines(sheet, 40, 400, "Some text")
    for n in range(100):
        sheet.rect(n, n, 5, 5)
    sheet.save()
    reading = read_file(tmp_path / "plot.pdf", {})
    (parsed,) = assemble(tmp_path / "plot.pdf", "plot.pdf", reading, LinkTargets("plot.pdf"))
    assert texts(parsed) == ["Some text"]
    assert "drawing objects" in parsed.skipped[0].reason


def test_encrypted_files_say_what_to_do(drawn):
    with pytest.raises(UnreadableSource, match=r"encrypted\. Save a copy without"):
        drawn(whole_page, encrypt=StandardEncryption("user", ownerPassword="owner"))
    assert len(drawn(whole_page, encrypt=StandardEncryption("", ownerPassword="owner")).components) == 5


@pytest.mark.parametrize("content", [b"", b"%PDF-1.4\n%broken", b"hello", None])
def test_damaged_files_and_those_without_pages(tmp_path, content):
    path = raw_pdf(tmp_path / "x.pdf", "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>")
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UnreadableSource, match=None if content is None else r"damaged.*\. Open it"):
        parse_pdf(path, "x.pdf")


def form_bomb(path: Path, pages: int = 3, bad: int = 2) -> None:
    """Pages of which one draws a form that draws a form ten times, and so on eight times over."""
    bomb, text = "/X Do " * 10, "BT /F 12 Tf 72 700 Td (Page %d is fine.) Tj ET"
    form = "<</Type/XObject/Subtype/Form/BBox[0 0 600 700]/Resources<</XObject<</X %d 0 R>>>>/Length %d>>"
    form += "stream\n%s\nendstream"
    forms = [form % (5 + n, len(bomb), bomb) for n in range(8)] + [form % (3, 14, "0 0 9 9 re S ")]
    drawn = []
    for number in range(1, pages + 1):
        content = bomb if number == bad else text % number
        drawn.append(f"<</Length {len(content)}>>stream\n{content}\nendstream")
        drawn.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources <</Font<</F 3 0 R>>/XObject<</X 4 0 R>>>>"
            f"/Contents {3 + len(forms) + len(drawn)} 0 R>>"
        )
    kids = " ".join(f"{3 + len(forms) + 2 * number} 0 R" for number in range(1, pages + 1))
    tree = f"<</Type/Pages/Kids[{kids}]/Count {pages}>>"
    font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    raw_pdf(path, "<</Type/Catalog/Pages 2 0 R>>", tree, font, *forms, *drawn)


def test_a_page_on_which_pdfium_never_ends_is_left_out(tmp_path, monkeypatch):
    monkeypatch.setenv(worker.SECONDS_VARIABLE, "1")
    isolated_reader.stop()
    form_bomb(tmp_path / "bomb.pdf")
    (parsed,) = parse_pdf(tmp_path / "bomb.pdf", "bomb.pdf")
    assert [component.text for component in parsed.components] == ["Page 1 is fine.", "Page 3 is fine."]
    assert [(part.source, part.reason) for part in parsed.skipped] == [
        ("bomb.pdf: page 2", "reading the page took too long, too much memory or made pdfium fail; it was left out")
    ]
    isolated_reader.stop()


def test_a_page_that_cannot_be_laid_out_is_left_out(tmp_path, monkeypatch):
    lay_out = reading.lay_out

    def failing(words):
        return {}["column"] if words.number == 2 else lay_out(words)

    monkeypatch.setattr(reading, "lay_out", failing)
    form_bomb(tmp_path / "x.pdf", pages=3, bad=0)
    read = read_file(tmp_path / "x.pdf", {})
    assert [page.number for page in read.pages] == [1, 3]
    assert read.notes == [(2, "the page cannot be read (KeyError: 'column')")]


def test_a_file_whose_pages_all_take_long_is_read_as_far_as_its_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "process_time", itertools.count(0, 40).__next__)  # 40 seconds for each page
    form_bomb(tmp_path / "x.pdf", pages=5, bad=0)
    read = read_file(tmp_path / "x.pdf", {})
    assert [page.number for page in read.pages] == [1]
    assert read.notes == [
        (2, "the pages before it took more than 65 seconds; it and all after it were left out. Split the file")
    ]


@pytest.mark.parametrize(("pages", "notes"), [(3, []), (4, [(4, "the file has 4 pages, of which 3 were read")])])
def test_a_file_of_too_many_pages_is_read_up_to_the_last_that_is_allowed(tmp_path, monkeypatch, pages, notes):
    monkeypatch.setattr(reading, "MAX_PAGES", 3)
    form_bomb(tmp_path / "x.pdf", pages, bad=0)
    read = read_file(tmp_path / "x.pdf", {})
    assert [page.number for page in read.pages] == [1, 2, 3]
    assert read.notes == notes
