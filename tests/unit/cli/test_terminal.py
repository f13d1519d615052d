"""What strangers wrote does not steer the terminal that shows it; what people are told of an ingest."""

import io
import sys
import time

import pytest
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from backtrail.cli.show import ingest_progress
from backtrail.cli.show.console import GuardedConsole
from backtrail.cli.show.ingest_progress import IngestBar
from backtrail.cli.show.ingest_report import show_report
from backtrail.cli.show.status_lines import StatusLines
from backtrail.cli.show.terminal import guard_terminal
from backtrail.ingest.parsed import Problem, SkippedPart
from backtrail.ingest.report import IngestReport


class Terminal(io.StringIO):
    def isatty(self):
        return True


def guarded_terminals(monkeypatch):
    streams = Terminal(), Terminal()
    monkeypatch.setattr(sys, "stdout", streams[0])
    monkeypatch.setattr(sys, "stderr", streams[1])
    guard_terminal()
    return streams


@pytest.mark.parametrize(
    "attack",
    ["\x1b]0;title\x07", "\x1b]8;;http://evil.example\x1b\\", "\x1b[2J", "\x1bc", "\x1bP+q", "\x9b2J", "a\bb", "\x00"],
)
def test_a_document_cannot_steer_the_terminal(monkeypatch, attack):
    terminals = guarded_terminals(monkeypatch)
    for printed, stream in zip(terminals, (sys.stdout, sys.stderr), strict=True):
        print(f"before {attack} after", file=stream)
        assert not set(printed.getvalue()) & set("\x1b\x07\x9b\b\x00")
        assert printed.getvalue().startswith("before ")
        assert printed.getvalue().endswith(" after\n")


def test_a_line_of_stdout_cannot_be_written_over(monkeypatch):
    terminals = guarded_terminals(monkeypatch)
    print("failed: x\rall well\x1b[1A\x1b[2K")
    assert terminals[0].getvalue() == "failed: x�all well�[1A�[2K\n"


def test_colours_and_bars_are_shown_as_they_were(monkeypatch):
    terminals = guarded_terminals(monkeypatch)
    for number, stream in enumerate((sys.stdout, sys.stderr)):
        Console(file=stream, force_terminal=True).print("[red]höher[/] und\tweiter")
        assert "\x1b[31mhöher\x1b[0m" in terminals[number].getvalue()
    plain = Terminal()
    for file in (plain, sys.stderr):
        bars = Progress(
            console=GuardedConsole(file=file, force_terminal=True, width=60), auto_refresh=False, transient=True
        )
        with bars:
            bars.update(bars.add_task("reading", total=2), advance=1)
            bars.refresh()
    assert terminals[1].getvalue().endswith(plain.getvalue())
    assert "\x1b[1A" in plain.getvalue()


def test_a_pipe_gets_every_character(monkeypatch):
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stdout", pipe)
    guard_terminal()
    print("\x1b[2J", end="")
    assert pipe.getvalue() == "\x1b[2J"


@pytest.mark.parametrize("attack", ["\r\x1b[1A\x1b[2K", "\x1b[8m", "gnp\u202efdp", "\x1b[?25l"])
def test_a_name_is_no_colour_or_bar_of_a_console(monkeypatch, attack):
    terminals = guarded_terminals(monkeypatch)
    for number, stream in enumerate((sys.stdout, sys.stderr)):
        console = GuardedConsole(file=stream, force_terminal=True, color_system="standard", highlight=False)
        console.print(f"[red]failed[/] {escape(attack)}x")
        shown = terminals[number].getvalue()
        assert shown.startswith("\x1b[31mfailed\x1b[0m ")
        assert not set(shown.removeprefix("\x1b[31mfailed\x1b[0m ")) & set("\x1b\r\u202e")
    pipe = io.StringIO()
    GuardedConsole(file=pipe).print(f"\u202e{attack.strip()}", end="")
    assert pipe.getvalue().startswith("\u202e")


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
