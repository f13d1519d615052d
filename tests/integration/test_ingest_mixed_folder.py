"""One folder with files of many kinds: all of them in, what cannot be read named, nothing lost on a second run."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import openpyxl
import pytest
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.cli.show.ingest_lines import contents_lines
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.tools.corpus.manage import check
from backtrail.tools.corpus.open import open_corpus


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
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
    write_mail(folder, "prices.csv")
    return folder


def write_mail(folder: Path, *names: str) -> None:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["Message-ID"] = "Pumps", "ann@x.example", "<1@x>"
    mail.set_content("See the list.")
    for name in names:
        mail.add_attachment("Pump,Price\nA 1,90\n", filename=name)
    (folder / "mail.eml").write_bytes(mail.as_bytes())


def run(path: Path) -> IngestReport:
    return ingest([path], "mixed", embedder="hashed", opened=HashedEmbedder())


def test_all_kinds_are_in_and_the_rest_is_named(folder: Path) -> None:
    report = run(folder)
    assert (report.added, report.failed) == (4, [])
    assert report.links == {"internal": 1, "dead": 0, "external": 1}
    assert [(Path(part.source).name, part.reason.split(":")[0]) for part in report.skipped] == [
        ("film.mov", "sound and film are not read; give a transcript as .txt"),
        ("old.doc", "the old format of Word is not read; save it as .docx"),
    ]  # fmt: skip
    assert report.unknown == {".mov": 1, ".doc": 1}
    assert "files of kinds that are not read: .doc: 1, .mov: 1" in list(contents_lines(report))
    corpus = open_corpus("mixed", embedder=HashedEmbedder())
    assert set(corpus.documents(["mail.eml", "mail.eml/prices.csv", "notes.txt", "stock.xlsx"])) == {
        "mail.eml", "mail.eml/prices.csv", "notes.txt", "stock.xlsx",
    }  # fmt: skip
    table = corpus.components(["stock.xlsx#table-1"])["stock.xlsx#table-1"]
    assert (table.locator.sheet, table.locator.first_row) == ("Sheet", 2)
    assert check("mixed") == []
    again = run(folder)
    assert (again.unchanged, again.anything_new) == (4, False)


def test_copies_are_named_and_lock_files_ignored(folder: Path) -> None:
    (folder / "copy of notes.txt").write_bytes((folder / "notes.txt").read_bytes())
    (folder / "~$stock.xlsx").write_bytes(b"\x05owner")
    report = run(folder)
    assert report.added == 5
    assert report.duplicates == {str(folder / "notes.txt"): str(folder / "copy of notes.txt")}
    line = f"files with the bytes of another: notes.txt = {folder / 'copy of notes.txt'}"
    assert line in list(contents_lines(report))
    assert not any("~$" in part.source for part in [*report.failed, *report.skipped])
    assert run(folder).duplicates == {}, "nothing is new"
