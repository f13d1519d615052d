"""backtrail compare: ask several methods the same question and show them side by side."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backtrail.cli.commands import options
from backtrail.state.variant import label

if TYPE_CHECKING:
    from backtrail.cli.commands.run_graph import Graph, Progress, Run
    from backtrail.state.answer import Answer
    from backtrail.state.settings import Settings

DEFAULT = ("fif", "mmapg", "hybrid")
TOP = 10
"""Length of the compared rankings (ours)."""


@dataclass(frozen=True)
class Compared:
    """Run of one method on the question; ``error`` is set if it failed."""

    run: Run
    values: dict[str, Any]
    seconds: float
    error: str = ""

    @property
    def name(self) -> str:
        """Method name, with the variant if it is not the default."""
        return label(self.run.method, self.run.settings.variant)

    @property
    def ranking(self) -> list[str]:
        """Component ids at the top of the ranking."""
        return [scored["id"] for scored in self.values.get("ranking", [])[:TOP]]

    @property
    def answer(self) -> Answer | None:
        """The answer; None after an error."""
        return self.values.get("answer")


def compare(
    question: Annotated[str, typer.Argument(help="The question, in quotes.", show_default=False)],
    methods: Annotated[
        list[str] | None,
        typer.Option("--method", "-m", help=options.METHOD_HELP, show_default="fif, mmapg, hybrid"),
    ] = None,
    corpus: options.Corpus = None,
    assignments: options.Assignments = None,
    model: options.Model = None,
    planner: options.Planner = None,
    reader: options.Reader = None,
    vlm: options.Vlm = None,
    budget_usd: options.BudgetUsd = None,
    as_json: options.AsJson = False,
) -> None:
    """Ask several methods the same question; compare answers, evidence and cost.

    Each run has its own thread. Methods run one after the other, so that times are comparable. Exit status 1 if
    any failed.
    """
    named = {
        "corpus": options.question_corpus(corpus, assignments),
        "planner": planner,
        "reader": reader,
        "vlm": vlm,
        "budget.usd": budget_usd,
    }
    from backtrail.cli.commands.run_graph import carry_out
    from backtrail.state.question_input import check_input

    check_input({"question": question})

    asked = [options.method_of(name) for name in dict.fromkeys(methods or DEFAULT)]
    chosen = [
        (method, options.settings_from(assignments, {**named, **varied}, model=model)) for method, varied in asked
    ]

    async def work(progress: Progress) -> list[Compared]:
        return await _ask_all(question, chosen, progress)

    compared = carry_out(work, shown=False)
    if as_json:
        print(json.dumps(as_plain(question, compared), ensure_ascii=False))
    else:
        _show(question, compared)
    if any(one.error for one in compared):
        raise typer.Exit(1)


async def _ask_all(question: str, chosen: Sequence[tuple[str, Settings]], progress: Progress) -> list[Compared]:
    """Run each method with its settings on its own thread.

    Raises:
        BacktrailError: a method, the corpus or a model cannot be opened; nothing is asked.
    """
    import uuid

    from backtrail.cli.commands.run_graph import Run, check_dependencies, compiled
    from backtrail.tools.checkpoints.open import open_checkpoints

    async with open_checkpoints() as saver:
        runs = [Run(str(uuid.uuid4()), method, settings) for method, settings in chosen]
        graphs = [compiled(run, progress.toolbox, saver) for run in runs]
        await asyncio.to_thread(check_dependencies, runs[0], progress.toolbox)
        await asyncio.to_thread(_warm_up, runs[0].settings, progress)
        return [await _ask(question, run, graph, progress) for run, graph in zip(runs, graphs, strict=True)]


def _warm_up(settings: Settings, progress: Progress) -> None:
    """Search once to load the indexes, so that the first method's time does not include it."""
    corpus = progress.toolbox.corpus(settings)
    query = corpus.embed(["warm-up"])[0]
    corpus.search_components(query, "subcomponent", 1)
    corpus.search_lexical("warm-up", "component", 1)


async def _ask(question: str, run: Run, graph: Graph, progress: Progress) -> Compared:
    from backtrail.cli.commands.run_graph import drive
    from backtrail.tools.errors import BacktrailError

    started = time.perf_counter()
    try:
        values = await drive(graph, run, {"question": question, "image": None}, progress)
    except BacktrailError as error:
        progress.thread = ""  # the other methods still run, so there is nothing to resume
        return Compared(run, {}, time.perf_counter() - started, f"{type(error).__name__}: {error}")
    return Compared(run, values, time.perf_counter() - started)


def overlap(one: Sequence[str], other: Sequence[str]) -> float | None:
    """Return the Jaccard overlap of two rankings; None if both are empty."""
    together = set(one) | set(other)
    return len(set(one) & set(other)) / len(together) if together else None


def as_plain(question: str, compared: Sequence[Compared]) -> dict[str, Any]:
    """Return the comparison as plain values for JSON."""
    from backtrail.cli.show.result import result

    return {
        "question": question,
        "methods": [
            {
                **result(one.run.thread, one.run.method, one.run.settings.variant, one.values),
                "seconds": round(one.seconds, 3),
                "error": one.error or None,
            }
            for one in compared
        ],
        "evidence_overlap": {
            one.name: {other.name: overlap(one.ranking, other.ranking) for other in compared if other is not one}
            for one in compared
        },
    }


def _show(question: str, compared: Sequence[Compared]) -> None:
    from rich.text import Text

    from backtrail.cli.show.answer_lines import citation_lines, shown_text
    from backtrail.cli.show.console import out
    from backtrail.state.chat.stop_messages import ending

    out.print(Text(question, "bold"))
    for one in compared:
        out.print(Text(f"\n{one.name}", "bold cyan"))
        if one.error:
            out.print(Text(f"  {one.error}", "red"), soft_wrap=True)
            continue
        if one.answer is None:
            continue
        text, cited = shown_text(one.answer)
        out.print(Text(f"  {text}", "yellow" if one.answer["abstained"] else "default"), soft_wrap=True)
        for number, citation in enumerate(cited[:3], 1):
            for line in citation_lines(number, citation):
                out.print(line, soft_wrap=True)
        out.print(Text(f"  ended: {ending(str(one.values.get('stop_reason') or ''))}", "dim"), soft_wrap=True)
    out.print()
    out.print(_costs(compared))
    out.print()
    out.print(_overlaps(compared))


def _costs(compared: Sequence[Compared]) -> Any:
    from rich.table import Table

    from backtrail.cli.show.answer_lines import sure
    from backtrail.state.usage import total_usage

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("method", "confidence", "calls", "tokens in", "out", "USD", "seconds", "thread"):
        left = heading in ("method", "thread")
        table.add_column(heading, justify="left" if left else "right", no_wrap=True)
    for one in compared:
        spent = total_usage(one.values.get("usage", {}))
        table.add_row(
            one.name, sure(one.answer) if one.answer else "–", str(spent["calls"]), str(spent["input_tokens"]),
            str(spent["output_tokens"]), f"{spent['cost_usd']:.4f}", f"{one.seconds:.2f}",
            one.run.thread[:8],
        )  # fmt: skip
    return table


def _overlaps(compared: Sequence[Compared]) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(f"same evidence in the first {TOP}")
    for one in compared:
        table.add_column(one.name, justify="right")
    for one in compared:
        shares = [overlap(one.ranking, other.ranking) for other in compared]
        table.add_row(one.name, *("–" if share is None else f"{share:.0%}" for share in shares))
    return table
