"""Folders as people have them: files of many kinds, pictures beside pages, files of many sections."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import openpyxl
import pytest
from fixtures.hashed_embedder import HashedEmbedder
from PIL import Image

from backtrail.cli.show.ingest_lines import contents_lines
from backtrail.evals.gold import find_components
from backtrail.evals.questions import Evidence
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.tools.corpus.manage import check
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.reader import StoredCorpus


def run(path: Path) -> IngestReport:
    return ingest([path], "kept", embedder="hashed", opened=HashedEmbedder())


def opened() -> StoredCorpus:
    return open_corpus("kept", embedder=HashedEmbedder())


# --- files of many kinds ---------------------------------------------------------------------------
@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    book = openpyxl.Workbook()
    book.active.append(["Pump", "Litres"])
    book.active.append(["A 1", 120])
    book.active["A2"].hyperlink = "https://pumps.example"
    book.save(folder / "stock.xlsx")
    (folder / "notes.txt").write_text("The pumps are low.")
    (folder / "film.mov").write_bytes(b"0000ftypqt")
    (folder / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["Message-ID"] = "Pumps", "ann@x.example", "<1@x>"
    mail.set_content("See the list.")
    mail.add_attachment("Pump,Price\nA 1,90\n", filename="prices.csv")
    (folder / "mail.eml").write_bytes(mail.as_bytes())
    return folder


def test_all_kinds_are_in_and_the_rest_is_named(mixed: Path) -> None:
    report = run(mixed)
    assert (report.added, report.failed) == (4, [])
    assert report.links == {"internal": 1, "dead": 0, "external": 1}
    assert [(Path(part.source).name, part.reason.split(":")[0]) for part in report.skipped] == [
        ("film.mov", "sound and film are not read; give a transcript as .txt"),
        ("old.doc", "the old format of Word is not read; save it as .docx"),
    ]  # fmt: skip
    assert report.unknown == {".mov": 1, ".doc": 1}
    assert "files of kinds that are not read: .doc: 1, .mov: 1" in list(contents_lines(report))
    corpus = opened()
    assert set(corpus.documents(["mail.eml", "mail.eml/prices.csv", "notes.txt", "stock.xlsx"])) == {
        "mail.eml", "mail.eml/prices.csv", "notes.txt", "stock.xlsx",
    }  # fmt: skip
    table = corpus.components(["stock.xlsx#table-1"])["stock.xlsx#table-1"]
    assert (table.locator.sheet, table.locator.first_row) == ("Sheet", 2)
    assert check("kept") == []
    again = run(mixed)
    assert (again.unchanged, again.anything_new) == (4, False)


def test_copies_are_named_and_lock_files_ignored(mixed: Path) -> None:
    (mixed / "copy of notes.txt").write_bytes((mixed / "notes.txt").read_bytes())
    (mixed / "~$stock.xlsx").write_bytes(b"\x05owner")
    report = run(mixed)
    assert report.added == 5
    assert report.duplicates == {str(mixed / "notes.txt"): str(mixed / "copy of notes.txt")}
    line = f"files with the bytes of another: notes.txt = {mixed / 'copy of notes.txt'}"
    assert line in list(contents_lines(report))
    assert not any("~$" in part.source for part in [*report.failed, *report.skipped])
    assert run(mixed).duplicates == {}, "nothing is new"


# --- pictures beside pages -------------------------------------------------------------------------
def documents() -> list[str]:
    names = ["readme.md", *(f"{name}.png" for name in ("pier", "photos/boat", "photos/icon", "photos/copy"))]
    return sorted(opened().documents(names))


@pytest.fixture
def sea(tmp_path: Path) -> Path:
    """A page that shows one of four pictures: another lies below it, one is its copy, one is small."""
    top = tmp_path / "in"
    (top / "photos").mkdir(parents=True)
    (top / "readme.md").write_text("# Sea\n\nIt is blue.\n\n![Pier](pier.png)\n")
    for name, side, colour in (("pier", 120, "brown"), ("photos/boat", 120, "white"), ("photos/icon", 32, "red")):
        Image.new("RGB", (side, side), colour).save(top / f"{name}.png")
    (top / "photos" / "copy.png").write_bytes((top / "pier.png").read_bytes())
    return top


def test_a_picture_is_a_document_until_a_page_shows_it(sea: Path) -> None:
    report = run(sea)
    assert documents() == ["photos/boat.png", "readme.md"]
    assert (report.added, report.pictures, report.unreferenced_pictures) == (2, 2, 1)
    assert report.refused == {"shown by no page and small": 1}
    assert [Path(part.source).name for part in report.skipped] == ["icon.png"]
    assert check("kept") == []
    again = run(sea)
    assert (again.unchanged, again.anything_new, again.version) == (2, False, report.version)
    (sea / "readme.md").write_text("# Sea\n\nIt is blue.\n\n![Pier](pier.png)\n\n![Boat](photos/boat.png)\n")
    report = run(sea)
    assert (report.changed, report.deleted, report.unreferenced_pictures) == (1, 1, 0)
    assert documents() == ["readme.md"]


# --- files of many sections ------------------------------------------------------------------------
@pytest.fixture
def rivers(tmp_path: Path) -> Path:
    found = tmp_path / "rivers"
    found.mkdir()
    (found / "book.md").write_text(book(6))
    (found / "index.md").write_text("# Start\n\nSee [the mouth](book.md#mouth-4) and [all of it](book.md).\n")
    return found


def book(chapters: int) -> str:
    text = "# Rivers\n\nAll of them.\n"
    for n in range(chapters):
        text += f"\n## Chapter {n}\n\n" + "Water flows downhill. " * 1200
        text += f"\n\nSee [the first](#chapter-0).\n\n### Mouth {n}\n\nRiver {n} ends in sea {n}.\n"
    return text


def test_sections_of_a_long_file_have_their_links_their_place_and_their_gold(rivers: Path) -> None:
    report = run(rivers)
    assert report.links["dead"] == 0
    assert check("kept") == []
    corpus = opened()
    (start,) = corpus.children(["index.md"])["index.md"]
    place, whole = corpus.links([start])[start]
    assert place.target == "book.md/chapter-4"
    assert place.component is not None
    assert corpus.components([place.component])[place.component].text == "River 4 ends in sea 4."
    assert (whole.target, whole.component) == ("book.md", None)
    third = corpus.children(["book.md/chapter-3"])["book.md/chapter-3"]
    links = [link for found in corpus.links(third).values() for link in found]
    assert [link.target for link in links] == ["book.md/chapter-0"]  # one that led to its own page leads on now
    up, down = (corpus.hierarchy([id_])[id_] for id_ in ("book.md/chapter-2", "book.md"))
    assert [(link.kind, link.target) for link in up] == [("parent", "book.md")]
    sections = [link.target for link in down if link.target != "index.md"]  # which a folder without a site puts below
    assert sections == [f"book.md/chapter-{n}" for n in range(6)]
    (found,) = find_components(corpus, [Evidence(document="book.md", quote="River 5 ends in sea 5.")])
    assert [one.rpartition("#")[0] for one in found] == ["book.md/chapter-5"]


@pytest.mark.parametrize("given", ["folder", "file"])
def test_the_sections_of_a_file_that_breaks_stay_until_it_can_be_read_again(rivers: Path, given: str) -> None:
    book_file = rivers / "book.md"
    asked = rivers if given == "folder" else book_file
    assert run(asked).as_json()["documents_by_file"]["divided"] == {str(book_file): 7}
    ids = [f"book.md/chapter-{n}" for n in range(6)]
    book_file.write_bytes(b"\x00\x01\x02" * 50)
    broken = run(asked)
    assert (broken.deleted, len(broken.failed), len(opened().documents(ids))) == (0, 1, 6)
    book_file.write_text(book(6).replace("Chapter 5", "Chapter 6"))
    report = run(asked)
    assert (report.added, report.deleted, report.unchanged) == (1, 1, 5)
    assert list(opened().documents([*ids, "book.md/chapter-6"])) == [*ids[:5], "book.md/chapter-6"]
    assert check("kept") == []


def test_the_second_run_does_nothing_and_a_shorter_file_leaves_no_sections(rivers: Path) -> None:
    run(rivers)
    again = run(rivers)
    assert (again.unchanged, again.added, again.changed) == (8, 0, 0)
    (rivers / "book.md").write_text(book(1))
    shorter = run(rivers)
    assert (shorter.changed, shorter.deleted) == (1, 6)
    assert check("kept") == []
    (start,) = opened().children(["index.md"])["index.md"]
    assert [link.target for link in opened().links([start])[start]] == ["book.md", "book.md"]
