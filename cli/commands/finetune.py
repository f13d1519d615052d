"""backtrail finetune: train a planner on exported annotations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from backtrail.cli.commands.options import AsJson
from backtrail.cli.show.bar import Bar

SHOWN = 10
"""Rows that were left out and are named."""


def finetune(
    checkpoint: Annotated[Path, typer.Argument(metavar="CHECKPOINT", help="Folder of the model to train.")],
    rows: Annotated[Path, typer.Argument(metavar="ROWS", help="Export folder, or a file of rows.")],
    out: Annotated[Path, typer.Option(help="Folder to write to; the same one to go on.")],
    preset: Annotated[str, typer.Option(help="lora, full, or cogplanner.")] = "lora",
    assignments: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a setting of the training, e.g. rank=64. Repeatable."),
    ] = None,
    validation: Annotated[
        Path | None, typer.Option(help="Rows to evaluate on.", show_default="validation.jsonl beside the rows")
    ] = None,
    general: Annotated[
        Path | None, typer.Option(help="General instructions to mix in (preset cogplanner).", show_default=False)
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Remove an earlier training in the folder.")] = False,
    as_json: AsJson = False,
) -> None:
    """Fine-tune a vision-language checkpoint to choose a path by its letter. Stopped and started again, it goes on."""
    from backtrail.training.finetune.processes import is_first
    from backtrail.training.finetune.run import Job
    from backtrail.training.finetune.run import finetune as train
    from backtrail.training.finetune.settings import finetune_settings

    job = Job(checkpoint, rows, out, finetune_settings(preset, assignments or []), validation, general, fresh)
    with TrainingBar(shown=not as_json and is_first()) as bar:
        result = train(job, bar)
    if not is_first():
        return
    if as_json:
        told = {"planner": str(result.planner), "steps": result.steps, "began": result.began, **result.measures}
        print(json.dumps({**told, "left_out": result.left_out}))
        return
    print(f"{result.steps} steps, {result.steps - result.began} of them now. {_told(result.measures)}")
    _print_confusion(result.measures.get("confusion", {}))
    for row, tokens in list(result.left_out.items())[:SHOWN]:
        print(f"left out: {row} has {tokens:,} tokens, more than the model takes")
    if len(result.left_out) > SHOWN:
        print(f"left out: {len(result.left_out) - SHOWN} more, in {out / 'too_long.jsonl'}")
    print(f"Use it as --planner local:{result.planner.resolve()}")


def _told(measures: dict[str, Any]) -> str:
    told = [f"loss {measures['loss']:.4f}"] if "loss" in measures else []
    told += [f"accuracy {measures['accuracy']:.3f}"] if "accuracy" in measures else []
    return f"On the validation rows: {', '.join(told)}." if told else "There were no validation rows."


def _print_confusion(confusion: dict[str, dict[str, int]]) -> None:
    if confusion:
        print("right \\ chosen " + " ".join(f"{letter:>6}" for letter in confusion))
    for right, chosen in confusion.items():
        print(f"{right:<14} " + " ".join(f"{count:>6}" for count in chosen.values()))


class TrainingBar(Bar):
    """Draws a bar on stderr, and a line for each evaluation. Used as a context manager; implements ``Watcher``."""

    def __init__(self, *, shown: bool) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

        columns = (TextColumn("training"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        super().__init__(*columns, shown=shown)
        self._bar = self._progress.add_task("", total=None)

    def step(self, done: int, steps: int) -> None:
        """A step is done."""
        self._progress.update(self._bar, completed=done, total=steps)

    def evaluated(self, measures: dict[str, Any]) -> None:
        """An evaluation."""
        self._progress.console.print(f"step {measures['step']}: {_told(measures)}", style="dim")
