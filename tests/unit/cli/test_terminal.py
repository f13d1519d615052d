"""What strangers wrote does not steer the terminal that it is shown on."""

import io
import sys

import pytest
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from backtrail.cli.show.console import GuardedConsole
from backtrail.cli.show.terminal import guard_terminal


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
