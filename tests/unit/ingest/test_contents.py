from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from backtrail.ingest.discover import Source, discover
from backtrail.ingest.parse import parse
from backtrail.ingest.report import Problem


def parsed(path: Path):
    return list(parse(next(iter(discover([path])))))


def test_a_file_that_is_another_kind_than_its_name_says_is_read_as_what_it_is(tmp_path, picture):
    path = tmp_path / "scan.txt"
    path.write_bytes(picture())
    (document,) = parsed(path)
    assert document.components[0].modality == "image"
    assert [part.reason for part in document.skipped] == [
        "is named like a plain text, and was read as the picture that it is"
    ]


@pytest.mark.parametrize(
    ("content", "said"), [(b"{\\rtf1 Hello}", "an RTF file"), (b"\x1f\x8b\x08" + b"0" * 40, "gzip")]
)
def test_contents_that_are_not_read_are_named(tmp_path, content, said):
    path = tmp_path / "notes.md"
    path.write_bytes(content)
    (problem,) = parsed(path)
    assert isinstance(problem, Problem)
    assert said in problem.reason


def test_an_archive_under_a_wrong_name_is_not_opened(tmp_path):
    path = tmp_path / "list.csv"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "a")
    (problem,) = parsed(path)
    assert problem.reason.startswith("is named like a delimited table, but is a zip archive of 1 file. Unpack it")


def test_a_name_that_begins_with_a_vowel_has_its_article(tmp_path, picture):
    path = tmp_path / "cover.epub"
    path.write_bytes(picture())
    (document,) = parsed(path)
    assert "is named like an e-book, and was read as the picture" in document.skipped[0].reason


def test_a_file_that_is_gone_is_a_problem(tmp_path):
    (problem,) = parse(Source("text", tmp_path / "gone.txt", "gone.txt", tmp_path))
    assert isinstance(problem, Problem)
