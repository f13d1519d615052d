"""Files parsed in processes side by side: the same corpus, and a parser that fails takes one file with it."""

import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.linked_pages import linked_pages

from backtrail.ingest.discover import Source, discover
from backtrail.ingest.parse_cache.trace_dependencies import Traced
from backtrail.ingest.parsed import ParsedDocument, Problem
from backtrail.ingest.parsing import sources
from backtrail.ingest.parsing.file import PageReader, read_file
from backtrail.ingest.parsing.isolated_files import MOST_BYTES, MOST_UNPACKED, Costs
from backtrail.ingest.parsing.workers import Workers
from backtrail.ingest.picture_words import PictureWords
from backtrail.ingest.pipeline import ingest

FAULTY = "fixtures.faulty_parser"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    return linked_pages(tmp_path / "folder", 8)


class Pages:
    """OCR that counts what it is asked for."""

    fingerprint = "pages"

    def __init__(self) -> None:
        self.asked = 0

    def read_pages(self, pictures: Sequence[bytes]) -> list[PictureWords]:
        self.asked += 1
        return [PictureWords() for _ in pictures]


def parsed(workers: Workers, folder: Path) -> dict[str, list[Any]]:
    handles = [workers.submit(source) for source in discover([folder])]
    return {handle.source.document_id: list(handle) for handle in handles}


def test_an_ingest_with_workers_is_that_of_one_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_WORTH_WHILE", 0.0)
    reports = {}
    for name, count in (("alone", "1"), ("beside", "2")):
        monkeypatch.setenv("BACKTRAIL_PARSE_WORKERS", count)
        reports[name] = ingest([folder], name, embedder="hashed", opened=HashedEmbedder())
    assert reports["alone"].version == reports["beside"].version
    assert reports["alone"].skipped == reports["beside"].skipped != []
    again = ingest([folder], "beside", embedder="hashed", opened=HashedEmbedder())
    assert (again.added, again.unchanged) == (0, 8)


def test_an_empty_file_is_told_and_fails_only_where_something_was_in_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "Workers", lambda *_: pytest.fail("a small folder starts no process"))
    (folder / "blank.md").write_text(" \n")
    first = ingest([folder], "blank", embedder="hashed", opened=HashedEmbedder())
    assert (first.failed, first.added) == ([], 8)
    empty = sorted(Path(one.source).name for one in first.skipped if one.reason.startswith("the file is empty"))
    assert empty == ["blank.md", "empty.pdf"]
    (folder / "page3.md").write_text("")
    again = ingest([folder], "blank", embedder="hashed", opened=HashedEmbedder())
    assert [Path(one.source).name for one in again.failed] == ["page3.md"]
    assert (again.unchanged, again.deleted) == (7, 0)


def test_a_parser_that_fails_costs_its_file_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_PARSE_SECONDS", "1")
    for name in ("crash", "hang", "memory", "raise"):
        (folder / f"{name}.txt").write_text("Text.")
    with closing(Workers(2, module=FAULTY)) as workers:
        found = parsed(workers, folder)
    problems = {name: entries[0] for name, entries in found.items() if isinstance(entries[0], Problem)}
    assert sorted(problems) == ["crash.txt", "empty.pdf", "hang.txt", "memory.txt", "raise.txt"]
    for name in ("crash.txt", "hang.txt"):
        assert "took too long" in problems[name].reason
    assert "more memory" in problems["memory.txt"].reason
    assert "ZeroDivisionError" in problems["raise.txt"].reason
    assert all(isinstance(found[f"page{number}.md"][0], ParsedDocument) for number in range(8))


def test_where_no_process_can_be_started_files_are_parsed_here(folder: Path) -> None:
    with closing(Workers(1, module="fixtures.no_such_module")) as workers:
        assert parsed(workers, folder) == {source.document_id: list(read_file(source)) for source in discover([folder])}


def test_scanned_pages_are_read_by_the_ocr_of_the_ingest(folder: Path) -> None:
    (folder / "scan.txt").write_text("Text.")
    pages = Pages()
    with closing(Workers(1, pages, module=FAULTY)) as workers:
        assert len(parsed(workers, folder)["scan.txt"]) == 2
    assert pages.asked == 1


def test_what_nobody_waits_for_is_ended(folder: Path) -> None:
    (folder / "hang.txt").write_text("Text.")
    workers = Workers(1, module=FAULTY)
    (hang,) = [source for source in discover([folder]) if source.document_id == "hang.txt"]
    workers.submit(hang)
    processes: list[Any] = workers._processes
    while not (processes and processes[0]._process):
        time.sleep(0.01)
    process = processes[0]._process
    workers.close()
    assert process is not None
    assert process.wait(5) != 0
    assert not any(thread.is_alive() for thread in workers._threads)


def test_a_costly_file_is_parsed_apart_from_the_first_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_PARSE_WORKERS", "1")
    monkeypatch.setenv("BACKTRAIL_PARSE_SECONDS", "1")
    monkeypatch.setattr(sources, "Workers", partial(Workers, module=FAULTY))
    (folder / "hang.txt").write_text("A line.\n" * (MOST_BYTES // 8 + 1))
    report = ingest([folder], "first", embedder="hashed", opened=HashedEmbedder())
    assert [Path(one.source).name for one in report.failed] == ["hang.txt"]
    assert report.added == 8


def test_a_small_file_that_keeps_its_parser_busy_costs_itself_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(source: Source, pictures: PageReader | None) -> Iterator[ParsedDocument | Problem | Traced]:
        while source.path.name == "page3.md":
            pass
        yield from read_file(source, pictures)

    monkeypatch.setattr(sources, "read_file", busy)
    monkeypatch.setattr(sources, "parse_seconds", lambda: 0.5)
    report = ingest([folder], "busy", embedder="hashed", opened=HashedEmbedder())
    assert [(Path(one.source).name, one.reason[:24]) for one in report.failed] == [
        ("page3.md", "its parser took too long")
    ]
    assert report.added == 7


def test_what_is_costly(folder: Path) -> None:
    with zipfile.ZipFile(folder / "spaces.docx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", " " * (MOST_UNPACKED + 1))
    (folder / "spaces.txt").write_bytes((folder / "spaces.docx").read_bytes())
    with zipfile.ZipFile(folder / "pictures.docx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/large.png", " " * (MOST_UNPACKED + 1))
    (folder / "damaged.docx").write_bytes(b"PK\x03\x04" + b"?" * 99)
    costs = Costs(list(discover([folder])))
    assert [source.document_id for source in discover([folder]) if source in costs] == ["spaces.docx", "spaces.txt"]
    (folder / "page3.md").write_text("word " * (MOST_BYTES // 5 + 1))
    costs = Costs(found := list(discover([folder])))
    assert sum(source in costs for source in found) == 8 + 2  # a page may ask for the others of its folder
