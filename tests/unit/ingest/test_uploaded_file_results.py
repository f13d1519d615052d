"""Each uploaded file has its result, with what was not read of it."""

from backtrail.ingest.parsed import Problem
from backtrail.ingest.report import IngestReport
from backtrail.ingest.uploaded_file_results import file_results

FILES = ["a.md", "a.md.zip", "new.md", "old.md", "sub/b.pdf"]


def test_results_tell_what_became_of_each_file() -> None:
    report = IngestReport(
        "c",
        skipped=[Problem("/u/a.md.zip", "archives are not opened; unpack it")],
        warnings=[Problem("/u/sub/b.pdf: page 3", "it has no text"), Problem("/elsewhere/x", "not ours")],
    )
    before = {"/u/a.md": "1", "/u/old.md": "2"}
    after = {"/u/a.md": "1", "/u/old.md": "3", "/u/new.md": "4", "/u/sub/b.pdf": "5"}
    assert [tuple(one.values()) for one in file_results("/u", FILES, before, after, report)] == [
        ("a.md.zip", "skipped", ["archives are not opened; unpack it"]),
        ("sub/b.pdf", "added", ["page 3: it has no text"]),
        ("a.md", "unchanged", []),
        ("new.md", "added", []),
        ("old.md", "changed", []),
    ]
