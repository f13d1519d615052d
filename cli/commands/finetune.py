"""backtrail finetune: train a planner on exported annotations."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backtrail.cli.commands.options import AsJson, Corpus, Reader
from backtrail.cli.show.progress_bar import Bar

if TYPE_CHECKING:
    from backtrail.training.finetune.run import Finetuned

Checkpoint = Annotated[Path, typer.Argument(metavar="CHECKPOINT", help="Folder of the model to train.")]
Rows = Annotated[Path, typer.Argument(metavar="ROWS", help="Export folder, or a file of rows.")]
Out = Annotated[Path, typer.Option(help="Folder to write to; the same one to go on.")]
Preset = Annotated[str, typer.Option(help="lora, qlora, full, or cogplanner.")]
Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a setting of the training, e.g. rank=64. Repeatable."),
]
Validation = Annotated[
    Path | None, typer.Option(help="Rows to evaluate on.", show_default="validation.jsonl beside the rows")
]
General = Annotated[
    Path | None, typer.Option(help="General instructions to mix in (preset cogplanner).", show_default=False)
]
Processes = Annotated[
    int | None,
    typer.Option(min=2, help="Train in so many processes, a GPU each.", show_default="one, or as --accelerate says"),
]
Accelerate = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE",
        help="How processes share the work: ddp, fsdp, zero2, zero3, or a file of accelerate's configuration.",
        show_default="ddp",
    ),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Remove an earlier training in the folder.")]
Evaluate = Annotated[
    str | None,
    typer.Option("--eval", metavar="TASK", help="Then evaluate vqa_planner with the trained planner on this task."),
]
Questions = Annotated[
    Path | None, typer.Option(help="With --eval: the questions of this file instead.", show_default=False)
]
Limit = Annotated[int | None, typer.Option(min=1, help="With --eval: so many questions.", show_default="all")]

SHOWN = 10
"""Rows that were left out and are named."""


def finetune(
    checkpoint: Checkpoint,
    rows: Rows,
    out: Out,
    preset: Preset = "lora",
    assignments: Assignments = None,
    validation: Validation = None,
    general: General = None,
    processes: Processes = None,
    accelerate: Accelerate = None,
    fresh: Fresh = False,
    evaluate: Evaluate = None,
    questions: Questions = None,
    corpus: Corpus = None,
    reader: Reader = None,
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """Fine-tune a vision-language checkpoint to choose a path by its letter. Stopped and started again, it goes on.

    With --eval its planner is evaluated inside its graph afterwards, as `eval` does; --json then gives two lines.
    """
    from backtrail.training.finetune.launch import is_launched, launch
    from backtrail.training.finetune.processes import is_first
    from backtrail.training.finetune.run import Job, check
    from backtrail.training.finetune.run import finetune as train
    from backtrail.training.finetune.settings import finetune_settings

    if evaluate is not None:
        _check_task(evaluate, questions, corpus)
    job = Job(checkpoint, rows, out, finetune_settings(preset, assignments or []), validation, general, fresh)
    if (processes or accelerate) and not is_launched():
        check(job)
        launch(accelerate or "ddp", processes, sys.argv[1:])
    with TrainingBar(shown=not as_json and is_first()) as bar:
        result = train(job, bar)
    if not is_first():
        return
    _tell(result, out, as_json=as_json)
    if evaluate is not None:
        from backtrail.cli.commands.eval import eval_command

        eval_command(
            evaluate, ["vqa_planner"], questions, corpus,
            [f"planner=local:{result.planner.resolve()}", *([f"reader={reader}"] if reader else [])],
            limit=limit, as_json=as_json,
            fresh=result.steps > result.began,  # earlier results are of other weights under the same name
        )  # fmt: skip


def _check_task(task: str, questions: Path | None, corpus: str | None) -> None:
    """Read what is to be evaluated now: its mistakes should not show after days of training."""
    from backtrail.cli.commands.eval import tasks_of

    for one in tasks_of(task, questions, corpus):
        one.read()


def _tell(result: Finetuned, out: Path, *, as_json: bool) -> None:
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
