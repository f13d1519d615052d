"""A run in the terminal, from the question to what it cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain

from rich.console import Console
from rich.text import Text

from backtrail.cli.show.answer_lines import cost_table, show_answer
from backtrail.cli.show.hop_lines import hop_lines, subquery_lines
from backtrail.cli.show.path_lines import path_lines
from backtrail.cli.show.planning_lines import planning_tree, summary_line
from backtrail.cli.show.search_lines import history_lines
from backtrail.cli.show.trace_record import SENSELESS, UNFIT, Trace
from backtrail.cli.show.vote_lines import vote_lines


def show_trace(trace: Trace, out: Console) -> None:
    """Print a run. A client of the server may write into its own: what makes no sense is named instead of shown."""
    broken = dict(trace.broken)
    for part, show in PARTS.items():
        try:
            show(trace, out)
        except UNFIT:
            broken[part] = SENSELESS
    for key, problem in broken.items():
        out.print(Text(f"! not shown: {key}: {problem}", "red"), soft_wrap=True)


def _head(trace: Trace, out: Console) -> None:
    out.print(Text(trace.values.get("question", ""), "bold"))
    origin = f" · {trace.origin}" if trace.origin else ""
    steered = f"variant {trace.settings.variant} · corpus {trace.settings.corpus}"
    out.print(Text(f"thread {trace.thread} · {trace.method} · {steered}{origin}\n", "dim"), soft_wrap=True)


def _plan(trace: Trace, out: Console) -> None:
    for line in subquery_lines(trace.values.get("subqueries", [])):
        out.print(line, soft_wrap=True)


def _hops(trace: Trace, out: Console) -> None:
    for hop in trace.values.get("hops", []):
        for line in chain([""], hop_lines(hop, trace.titles, trace.values.get("evidence", {}), found=5)):
            out.print(line, soft_wrap=True)


def _searches(trace: Trace, out: Console) -> None:
    path = trace.values.get("path")
    for line in chain(path_lines(path) if path else (), history_lines(trace.values, trace.titles)):
        out.print(line, soft_wrap=True)


def _vote(trace: Trace, out: Console) -> None:
    if vote := trace.values.get("vote"):
        for line in chain([""], vote_lines(trace.values.get("positions", []), vote)):
            out.print(line, soft_wrap=True)


def _planning_graph(trace: Trace, out: Console) -> None:
    if trace.planning_graph:
        out.print(planning_tree(trace.planning_graph, trace.titles, trace.values.get("evidence", {})))
        out.print(f"[dim]{summary_line(trace.planning_graph)}[/]")


def _failures(trace: Trace, out: Console) -> None:
    out.print()
    if trace.refused:
        out.print(f"{len(trace.refused)} routes refused, as they had failed before.", style="yellow")
    for failure in trace.values.get("failures", []):
        out.print(Text(f"! step {failure['step']}, {failure['node']}: {failure['message']}", "red"), soft_wrap=True)


def _answer(trace: Trace, out: Console) -> None:
    if trace.finished:
        show_answer(trace.values, out)
        out.print(Text(f"stopped: {trace.values.get('stop_reason') or 'done'}\n", "dim"))
    else:
        out.print(f"[yellow]Not finished.[/] Go on with: backtrail resume {trace.thread}\n", soft_wrap=True)


def _cost(trace: Trace, out: Console) -> None:
    out.print(cost_table(trace.values.get("usage", {})))
    if offered := trace.fork_points.offered():
        out.print(Text(f"fork --at: {offered}", "dim"), soft_wrap=True)


PARTS: Mapping[str, Callable[[Trace, Console], None]] = {
    "question": _head,
    "subqueries": _plan,
    "hops": _hops,
    "searches": _searches,
    "vote": _vote,
    "planning_graph": _planning_graph,
    "failures": _failures,
    "answer": _answer,
    "usage": _cost,
}
