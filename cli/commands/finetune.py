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
Out = Annotated[Path, typer.Option(help="Folder to write to; give the same one to continue.")]
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
    typer.Option(min=2, help="Number of processes, one GPU each.", show_default="one, or as --accelerate says"),
]
Accelerate = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE",
        help="Parallelism: ddp, fsdp, zero2, zero3, or a configuration file of accelerate.",
        show_default="ddp",
    ),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Remove an earlier training in the folder.")]
Evaluate = Annotated[
    str | None,
    typer.Option("--eval", metavar="TASK", help="Then evaluate vqa_planner with the trained planner on this task."),
]
Questions = Annotated[
    Path | None, typer.Option(help="With --eval: ask the questions of this file instead.", show_default=False)
]
Limit = Annotated[int | None, typer.Option(min=1, help="With --eval: number of questions.", show_default="all")]

SHOWN = 10
"""Maximum number of left-out rows that are listed (ours)."""


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
    """Fine-tune a vision-language checkpoint to choose a path by its letter. Run it again to continue.

    With --eval the trained planner is evaluated afterwards, as `eval` does; --json then prints two lines.
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
    _print_result(result, out, as_json=as_json)
    if evaluate is not None:
        from backtrail.cli.commands.eval import eval_command

        eval_command(
            evaluate, ["vqa_planner"], questions, corpus,
            [f"planner=local:{result.planner.resolve()}", *([f"reader={reader}"] if reader else [])],
            limit=limit, as_json=as_json,
            fresh=result.steps > result.began,  # earlier results belong to other weights under the same name
        )  # fmt: skip


def _check_task(task: str, questions: Path | None, corpus: str | None) -> None:
    """Read the questions of the evaluation, so that errors show before days of training."""
    from backtrail.cli.commands.eval import tasks_of

    for one in tasks_of(task, questions, corpus):
        one.read()


def _print_result(result: Finetuned, out: Path, *, as_json: bool) -> None:
    if as_json:
        parts = {"planner": str(result.planner), "steps": result.steps, "began": result.began, **result.measures}
        print(json.dumps({**parts, "left_out": result.left_out}))
        return
    print(f"{result.steps} steps, {result.steps - result.began} of them now. {_measures_line(result.measures)}")
    _print_confusion(result.measures.get("confusion", {}))
    for row, tokens in list(result.left_out.items())[:SHOWN]:
        print(f"left out: {row} has {tokens:,} tokens, more than the model accepts")
    if len(result.left_out) > SHOWN:
        print(f"left out: {len(result.left_out) - SHOWN} more, in {out / 'too_long.jsonl'}")
    print(f"Use it as --planner local:{result.planner.resolve()}")


def _measures_line(measures: dict[str, Any]) -> str:
    parts = [f"loss {measures['loss']:.4f}"] if "loss" in measures else []
    parts += [f"accuracy {measures['accuracy']:.3f}"] if "accuracy" in measures else []
    return f"On the validation rows: {', '.join(parts)}." if parts else "There were no validation rows."


def _print_confusion(confusion: dict[str, dict[str, int]]) -> None:
    if confusion:
        print("right \\ chosen " + " ".join(f"{letter:>6}" for letter in confusion))
    for right, chosen in confusion.items():
        print(f"{right:<14} " + " ".join(f"{count:>6}" for count in chosen.values()))


class TrainingBar(Bar):
    """Progress bar on stderr with a line for each evaluation. Context manager; implements ``Watcher``."""

    def __init__(self, *, shown: bool) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

        columns = (TextColumn("training"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        super().__init__(*columns, shown=shown)
        self._bar = self._progress.add_task("", total=None)

    def step(self, done: int, steps: int) -> None:
        """Show the number of finished steps."""
        self._progress.update(self._bar, completed=done, total=steps)

    def evaluated(self, measures: dict[str, Any]) -> None:
        """Print the measures of an evaluation."""
        self._progress.console.print(f"step {measures['step']}: {_measures_line(measures)}", style="dim")
