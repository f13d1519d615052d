"""What people are told of an ingest: how far it is, how long the rest takes, and what came of it."""

import time

import pytest

from backtrail.cli.show import ingest_progress
from backtrail.cli.show.ingest_progress import IngestBar
from backtrail.cli.show.ingest_report import show_report
from backtrail.cli.show.status_lines import StatusLines
from backtrail.ingest.parsed import Problem, SkippedPart
from backtrail.ingest.report import IngestReport


def test_where_no_bar_can_be_drawn_lines_tell_how_far_an_ingest_is(monkeypatch, capfd):
    monkeypatch.setattr(ingest_progress, "StatusLines", lambda: StatusLines(0.01))
    printed = ""
    with IngestBar(shown=True) as bar:
        bar.stage("read", 1200)
        bar.advance(3)
        while "Reading 3" not in printed:
            time.sleep(0.01)
            printed += capfd.readouterr().err
    assert "Reading 3 of 1,200 (0:00)" in printed.splitlines()
    capfd.readouterr()
    time.sleep(0.03)
    assert capfd.readouterr().err == ""


def test_refused_pictures_are_one_line_however_many_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    report = IngestReport("pumps", pictures=2)
    for part in (SkippedPart(f"p{n}.md", f"pumps/{n}.png: no such file", "no such file") for n in range(40)):
        report.count_refused(part)
        report.warnings.append(part.problem)
    report.skipped.append(Problem("notes.doc", "the old format of Word is not read"))
    show_report(report)
    said = capsys.readouterr()
    assert "pictures: 2 stored, 40 refused (no such file: 40; --json names them)" in said.out
    assert said.err == "skipped notes.doc: the old format of Word is not read\n"
    assert len(report.as_json()["warnings"]) == 40


def test_a_name_does_not_add_lines_to_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    failed = [Problem("a.docx\nfailed b.docx: is damaged\n", "is damaged")]
    show_report(IngestReport("pumps", failed=failed))
    assert capsys.readouterr().err == "failed a.docx\\nfailed b.docx: is damaged\\n: is damaged\n"
