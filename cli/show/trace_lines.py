"""Trace of a run in the terminal, from the question to the cost."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from rich.console import Console
from rich.text import Text

from backtrail.cli.show.answer_lines import cost_table, show_answer
from backtrail.cli.show.edge_names import edge_names
from backtrail.cli.show.records.view import View
from backtrail.cli.show.run_summary import ending_line, hops_summary
from backtrail.cli.show.trace_record import DISPLAY_ERRORS, INCONSISTENT, Trace


def show_trace(trace: Trace, out: Console) -> None:
    """Print a run. Clients of the server can write to their threads: invalid values are listed, not shown."""
    broken = dict(trace.broken)
    for part, show in _parts(trace):
        try:
            show(trace, out)
        except DISPLAY_ERRORS:
            broken[part] = INCONSISTENT
    for key, problem in broken.items():
        out.print(Text(f"! not shown: {key}: {problem}", "red"), soft_wrap=True)


def _parts(trace: Trace) -> list[tuple[str, Callable[[Trace, Console], None]]]:
    """Return the parts in order of printing, by their key of the state."""
    records = [(view.key, _lines_of(view)) for view in trace.views]
    return [("question", _head), *records, ("failures", _failures), ("answer", _answer), ("usage", _cost)]


def _lines_of(view: View) -> Callable[[Trace, Console], None]:
    def show(trace: Trace, out: Console) -> None:
        for line in view.lines(trace.shown):
            out.print(line, soft_wrap=isinstance(line, Text))  # a tree wraps its text itself

    return show


def _head(trace: Trace, out: Console) -> None:
    out.print(Text(trace.values.get("question", ""), "bold"))
    origin = f" · {trace.origin}" if trace.origin else ""
    steered = f"variant {trace.settings.variant} · corpus {trace.settings.corpus}"
    out.print(Text(f"thread {trace.thread} · {trace.method} · {steered}{origin}", "dim"), soft_wrap=True)
    if edges := trace.edges():
        out.print(Text(f"edges of the corpus: {edge_names(edges)}", "dim"), soft_wrap=True)
    out.print()


def _failures(trace: Trace, out: Console) -> None:
    out.print()
    for view in trace.views:
        with suppress(*DISPLAY_ERRORS):  # reported with the view's lines
            for line in view.notes(trace.shown):
                out.print(line, soft_wrap=True)
    for failure in trace.values.get("failures", []):
        out.print(Text(f"! step {failure['step']}, {failure['node']}: {failure['message']}", "red"), soft_wrap=True)


def _answer(trace: Trace, out: Console) -> None:
    if trace.finished:
        show_answer(trace.values, out)
        for line in filter(None, (hops_summary(trace.values), f"ended: {ending_line(trace.values)}")):
            out.print(Text(line, "dim"), soft_wrap=True)
        out.print()
    else:
        out.print(f"[yellow]Not finished.[/] Continue with: backtrail resume {trace.thread}\n", soft_wrap=True)


def _cost(trace: Trace, out: Console) -> None:
    out.print(cost_table(trace.values.get("usage", {})))
    if offered := trace.fork_points.offered():
        out.print(Text(f"fork --at: {offered}", "dim"), soft_wrap=True)
