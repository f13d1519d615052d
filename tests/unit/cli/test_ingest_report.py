"""What people are told at the end of an ingest."""

from __future__ import annotations

import pytest

from backtrail.cli.show.ingest_report import show_report
from backtrail.ingest.parsed import Problem, SkippedPart
from backtrail.ingest.report import IngestReport


def test_refused_pictures_are_one_line_however_many_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    report = IngestReport("pumps", pictures=2)
    for part in (SkippedPart(f"p{n}.md", f"pumps/{n}.png: no such file", "no such file") for n in range(40)):
        report.count_refused(part)
        report.skipped.append(part.problem)
    report.skipped.append(Problem("notes.doc", "the old format of Word is not read"))
    show_report(report)
    said = capsys.readouterr()
    assert "pictures: 2 stored, 40 refused (no such file: 40; --json names them)" in said.out
    assert said.err == "skipped notes.doc: the old format of Word is not read\n"
    assert len(report.as_json()["skipped"]) == 41


def test_a_name_does_not_add_lines_to_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    failed = [Problem("a.docx\nfailed b.docx: is damaged\n", "is damaged")]
    show_report(IngestReport("pumps", failed=failed))
    assert capsys.readouterr().err == "failed a.docx\\nfailed b.docx: is damaged\\n: is damaged\n"
