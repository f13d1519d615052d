"""backtrail ask: answer a question with citations and show each step."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backtrail.cli.commands import options

if TYPE_CHECKING:
    from backtrail.cli.commands.run_graph import Progress, Run
    from backtrail.state.settings import Settings

METHOD = "fif"
_WHERE = "Where and how"
Method = Annotated[
    str,
    typer.Option(
        "--method",
        "-m",
        help="Method that answers, e.g. fif or fif:published.",
        envvar="BACKTRAIL_METHOD",
        rich_help_panel=_WHERE,
    ),
]


def ask(
    question: Annotated[str, typer.Argument(help="The question, in quotes.", show_default=False)],
    image: Annotated[
        Path | None, typer.Option(help="A picture that belongs to the question.", metavar="FILE", dir_okay=False)
    ] = None,
    corpus: options.Corpus = None,
    method: Method = METHOD,
    k: Annotated[int | None, typer.Option("-k", help="Components to rank and read.", rich_help_panel=_WHERE)] = None,
    thread: Annotated[str | None, typer.Option(help="Continue this conversation.", rich_help_panel=_WHERE)] = None,
    assignments: options.Assignments = None,
    model: options.Model = None,
    planner: options.Planner = None,
    reader: options.Reader = None,
    vlm: options.Vlm = None,
    budget_usd: options.BudgetUsd = None,
    budget_steps: options.BudgetSteps = None,
    budget_calls: options.BudgetCalls = None,
    budget_seconds: options.BudgetSeconds = None,
    trail: options.Trail = False,
    as_json: options.AsJson = False,
) -> None:
    """Ask a question. Progress goes to stderr, the answer with its citations to stdout.

    The answer cites its evidence down to the row, sentence or picture. Without a model rules take all decisions
    offline. A run interrupted with Ctrl-C can be resumed.
    """
    method, varied = options.method_of(method)
    named = {
        **varied, "corpus": options.question_corpus(corpus, assignments), "k": k,
        "planner": planner, "reader": reader, "vlm": vlm,
        "budget.usd": budget_usd, "budget.steps": budget_steps, "budget.calls": budget_calls,
        "budget.seconds": budget_seconds,
    }  # fmt: skip
    from backtrail.ingest.store_picture import store_picture
    from backtrail.state.question_input import check_input

    check_input({"question": question, "image": "" if image is None else str(image)})
    settings = options.settings_from(assignments, named, model=model)
    from backtrail.cli.commands.run_graph import carry_out

    async def work(progress: Progress) -> tuple[Run, dict[str, Any]]:
        # Always send the image key: a follow-up must not inherit the picture of the previous question.
        inputs = {"question": question, "image": store_picture(image) if image else None}
        return await _answer(inputs, method, settings, thread, progress)

    run, values = carry_out(work, shown=not as_json, trail=trail)
    show_outcome(run, values, as_json=as_json, trail=trail)


async def _answer(
    inputs: dict[str, Any], method: str, settings: Settings, thread: str | None, progress: Progress
) -> tuple[Run, dict[str, Any]]:
    from backtrail.cli.commands.run_graph import Run, check_dependencies, compiled, drive
    from backtrail.tools.checkpoints.history import find_thread
    from backtrail.tools.checkpoints.open import open_checkpoints

    async with open_checkpoints() as saver:
        thread_id = (await find_thread(saver, thread)).id if thread else str(uuid.uuid4())
        run = Run(thread_id, method, settings)
        graph = compiled(run, progress.toolbox, saver)
        check_dependencies(run, progress.toolbox)
        return run, await drive(graph, run, inputs, progress)


def show_outcome(run: Run, values: dict[str, Any], *, as_json: bool, trail: bool = False) -> None:
    """Print the outcome of a run as text or as one JSON object; with its trail also what each node has cost."""
    from backtrail.cli.show.answer_lines import cost_line, cost_table, show_answer
    from backtrail.cli.show.console import err, out
    from backtrail.cli.show.result import result
    from backtrail.cli.show.run_summary import ending_line, hops_summary

    if as_json:
        print(json.dumps(result(run.thread, run.method, run.settings.variant, values), ensure_ascii=False))
        return
    if trail:
        err.print()
    show_answer(values, out)
    usage = values.get("usage", {})
    if trail:
        err.print(cost_table(usage))
    elif cost := cost_line(usage):
        err.print(cost, style="dim", soft_wrap=True, markup=False)
    found = " ".join(filter(None, (hops_summary(values), f"Ended: {ending_line(values)}.")))
    err.print(f"{found} Trail: backtrail trace {run.thread[:8]}", style="dim", soft_wrap=True, markup=False)
