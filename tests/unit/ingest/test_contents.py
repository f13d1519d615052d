import zipfile

import pytest

from backtrail.ingest.discover import discover
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.report import Problem


def said(path):
    """What is read of a file: the kinds of its components, and what is said of it."""
    (one,) = parse(next(iter(discover([path]))))
    if isinstance(one, Problem):
        return [], one.reason
    assert isinstance(one, ParsedDocument)
    return [component.modality for component in one.components], one.skipped[0].reason


@pytest.mark.parametrize(("name", "kind"), [("scan.txt", "a plain text"), ("cover.epub", "an e-book")])
def test_a_file_that_is_another_kind_than_its_name_says_is_read_as_what_it_is(tmp_path, picture, name, kind):
    (tmp_path / name).write_bytes(picture())
    assert said(tmp_path / name) == (["image"], f"has the extension of {kind} and was read as the picture that it is")


def test_contents_that_are_not_read_are_named(tmp_path):
    for content, reason in ((b"{\\rtf1 Hello}", "an RTF file"), (b"\x1f\x8b\x08" + b"0" * 40, "gzip")):
        (tmp_path / "notes.md").write_bytes(content)
        modalities, problem = said(tmp_path / "notes.md")
        assert (modalities, reason in problem) == ([], True)


def test_an_archive_under_a_wrong_name_is_not_opened(tmp_path):
    with zipfile.ZipFile(tmp_path / "list.csv", "w") as archive:
        archive.writestr("a.txt", "a")
    told = "has the extension of a delimited table, but is a zip archive of 1 file. Unpack it"
    assert said(tmp_path / "list.csv")[1].startswith(told)
