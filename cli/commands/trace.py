"""backtrail trace: show a run hop by hop, or list the recent threads."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backtrail.cli.commands import options

if TYPE_CHECKING:
    from backtrail.cli.show.trace_record import ThreadLine, Trace

SVG_COLUMNS = 120


def trace(
    thread: Annotated[
        str | None, typer.Argument(metavar="THREAD", help="Id of a thread, or its first characters.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Threads to list.")] = 20,
    svg: Annotated[Path | None, typer.Option(help="Write a drawing of the run to this file.", dir_okay=False)] = None,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Print the planning graph of the run as Mermaid.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Show the run of a thread hop by hop, with its fork points. Without THREAD, list the recent threads."""
    from backtrail.cli.show.trace_record import list_threads, read_trace

    if thread is None:
        _show_threads(asyncio.run(list_threads(limit)), as_json=as_json)
        return
    read = asyncio.run(read_trace(thread))
    if as_json:
        print(json.dumps(read.as_json(), ensure_ascii=False))
    elif mermaid:
        print(_mermaid(read), end="")
    elif svg is not None:
        _draw(read, svg)
    else:
        from backtrail.cli.show.console import out
        from backtrail.cli.show.trace_lines import show_trace

        show_trace(read, out)


def _show_threads(threads: list[ThreadLine], *, as_json: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    from backtrail.cli.show.console import out

    if as_json:
        print(json.dumps({"threads": [dict(line) for line in threads]}, ensure_ascii=False))
        return
    if not threads:
        print('There are no threads yet. Make one with: backtrail ask "…"')
        return
    letters = distinct([line["thread_id"] for line in threads])
    table = Table(box=None, pad_edge=False, header_style="dim", expand=True)
    for heading, width in (("thread", letters), ("asked (UTC)", 16), ("method", 6), ("steps", 5), ("state", 9)):
        table.add_column(heading, no_wrap=True, width=width)
    table.add_column("question", overflow="ellipsis", no_wrap=True, ratio=1)
    for line in threads:
        state = "[green]done[/]" if line["finished"] else "[yellow]resumable[/]"
        asked = line["asked_at"][:16].replace("T", " ")
        steps = str(line["steps"])
        table.add_row(line["thread_id"][:letters], asked, line["method"], steps, state, Text(line["question"]))
    out.print(table)


def distinct(ids: Sequence[str], least: int = 8) -> int:
    """Return how many leading characters distinguish all ids; ids of the same minute start alike."""
    longest = max(map(len, ids), default=least)
    return next((n for n in range(least, longest) if len({id_[:n] for id_ in ids}) == len(set(ids))), longest)


def _mermaid(read: Trace) -> str:
    from backtrail.cli.show.records.find import views_of
    from backtrail.graphs.methods import METHODS
    from backtrail.tools.errors import SettingsError

    if (drawing := read.drawing) is None:
        able = [name for name, method in METHODS.items() if any(view.drawable for view in views_of(method))]
        raise SettingsError(
            f"The run on thread {read.thread} ({read.method}) has no planning graph; {', '.join(able)} makes one."
        )
    return drawing.mermaid


def _draw(read: Trace, file: Path) -> None:
    import io

    from rich.console import Console

    from backtrail.cli.show.trace_lines import show_trace
    from backtrail.graphs.methods import METHODS

    if drawing := read.drawing:
        file.write_text(drawing.svg, encoding="utf-8")
        print(f"{file}: {drawing.nodes} nodes drawn")
        return

    class Canvas(Console):
        """Console that wraps long lines, which a drawing would cut off."""

        def print(self, *shown: Any, **options: Any) -> None:
            super().print(*shown, **{**options, "soft_wrap": False})

    canvas = Canvas(record=True, width=SVG_COLUMNS, file=io.StringIO(), highlight=False)
    show_trace(read, canvas)
    file.write_text(canvas.export_svg(title="backtrail trace"), encoding="utf-8")
    method = METHODS.get(read.method)
    print(f"{file}: {method.steps_taken(read.values) if method else 0} steps drawn")
