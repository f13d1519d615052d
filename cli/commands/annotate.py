"""backtrail annotate: make training data for a VQA planner from questions with gold answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backtrail.cli.commands.options import AsJson, Assignments, Corpus, Model, Reader, settings_from
from backtrail.cli.show.question_bar import QuestionBar

if TYPE_CHECKING:
    from backtrail.state.settings import Settings
    from backtrail.training.annotate.annotation import Annotation
    from backtrail.training.annotate.classes import PathClass
    from backtrail.training.annotate.run import Annotated as AnnotatedAll
    from backtrail.training.annotate.run import Job
    from backtrail.training.formats.convert import Form

app = typer.Typer(help="Prepare training data for a VQA planner.", no_args_is_help=True)


@app.command("run")
def run(
    questions: Annotated[Path, typer.Argument(metavar="QUESTIONS", help="Questions with pictures, as JSON lines.")],
    out: Annotated[Path, typer.Option(help="Folder to write to; give the same one to continue.")],
    reader: Reader = None,
    expert: Annotated[str | None, typer.Option(help="Model that writes gold queries and image queries.")] = None,
    judge: Annotated[str | None, typer.Option(help="Model that judges answers.")] = None,
    model: Model = None,
    assignments: Assignments = None,
    threshold: Annotated[int, typer.Option(min=2, max=5, help="Lowest score of a right answer.")] = 4,
    show_with_gold_query: Annotated[
        bool, typer.Option("--show-with-gold-query", help="Show the picture with the gold query too.")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Number of questions.", show_default="all")] = None,
    offset: Annotated[int, typer.Option(min=0, help="Number of questions to skip.")] = 0,
    concurrency: Annotated[int, typer.Option(min=1, max=256, help="Questions annotated at once.")] = 4,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Repeat only the questions that failed.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Put earlier annotations aside and start over.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find which search the reader needs for each question. Run again to continue.

    Exit status: 0 all well, 1 some questions failed (kept with the reason), 2 nothing could be done.
    """
    from backtrail.evals.questions import read_questions, selected
    from backtrail.training.annotate.annotator import Terms
    from backtrail.training.annotate.run import Job, counted

    settings = settings_from(assignments, {"reader": reader, "expert": expert, "judge": judge}, model=model)
    chosen = selected(read_questions(questions), offset, limit)
    if not chosen:
        raise typer.BadParameter(f"leaves out all questions of {questions}.", param_hint="--offset")
    terms = Terms(threshold, show_with_gold_query)
    job = Job(questions, chosen, out, settings, terms, concurrency, retry_failed, fresh)
    found = asyncio.run(_annotate(job, settings, shown=not as_json))
    counts = counted(found.annotations)
    if as_json:
        summary = {"folder": str(out), "done": found.done, "counts": counts, "spent": found.spent}
        print(json.dumps(summary, ensure_ascii=False))
    else:
        for name, count in counts.items():
            print(f"{name:<9} {count:>7}")
        print(f"{found.done} done now, {found.spent['calls']} calls, ${found.spent['cost_usd']:.2f} in all; in {out}")
    if counts.get("failed"):
        raise typer.Exit(1)


@app.command("gather")
def gather(
    results: Annotated[list[Path], typer.Argument(metavar="RESULTS...", help="Folders of evaluations of vqa_planner.")],
    questions: Annotated[Path, typer.Option(help="Questions of the evaluations, as JSON lines.")],
    out: Annotated[Path, typer.Option(help="Folder to write to; export reads it.")],
    metric: Annotated[str, typer.Option(help="Score that decides whether an answer is right.")] = "Accuracy",
    threshold: Annotated[float, typer.Option(help="Lowest score of a right answer.")] = 1.0,
    fresh: Annotated[bool, typer.Option("--fresh", help="Put earlier annotations aside and start over.")] = False,
    as_json: AsJson = False,
) -> None:
    """Annotate questions from your evaluations: each needs the least search that led to a right answer."""
    from backtrail.training.annotate.from_evaluations import gather as write

    gathered = write(results, questions, out, metric=metric, threshold=threshold, fresh=fresh)
    if as_json:
        summary = {"folder": str(out), "classes": gathered.classes, "left_out": gathered.left_out}
        print(json.dumps(summary, ensure_ascii=False))
        return
    for name, count in gathered.classes.items():
        print(f"{name:<9} {count:>7}")
    for why, count in gathered.left_out.items():
        print(f"left out {count:>8}  {why}")


@app.command("rounds")
def rounds(
    sources: Annotated[
        list[Path], typer.Argument(metavar="SOURCES...", help="Files of CogBench, or folders of cogplanner's results.")
    ],
    out: Annotated[Path, typer.Option(help="Folder to write to.")],
    questions: Annotated[
        Path | None, typer.Option(help="For results: questions of the evaluation.", show_default=False)
    ] = None,
    corpus: Corpus = None,
    metric: Annotated[str, typer.Option(help="For results: score that decides if an answer is right.")] = "Accuracy",
    threshold: Annotated[float, typer.Option(help="For results: lowest score of a right answer.")] = 1.0,
    paradigm: Annotated[str, typer.Option(help="Search chosen after the queries (sequential) or with them (parallel).")]
    = "sequential",
    count: Annotated[
        list[str] | None,
        typer.Option(metavar="ACTION=N", help="Maximum number of rows per action. Repeatable.",
                     show_default="all"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the draw.")] = 42,
    validation: Annotated[float, typer.Option(min=0, max=0.9, help="Share of rows kept for validation.")] = 0.02,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Write planning rounds as training rows for CogPlanner's planner: queries and choice of a search."""
    from backtrail.training.planning.export import ACTIONS, Terms
    from backtrail.training.planning.export import export as write
    from backtrail.training.planning.from_evaluations import Judged
    from backtrail.training.planning.sources import Sources

    if paradigm not in ("sequential", "parallel"):
        raise typer.BadParameter(f"{paradigm!r} is none of sequential, parallel.", param_hint="--paradigm")
    settings = settings_from(None, {"corpus": corpus})
    given = Sources(sources, questions, settings, Judged(metric, threshold))
    counts = _numbers(count or [], ACTIONS, "ACTION")
    written = write(given.courses(), out, settings, Terms(paradigm, counts, seed, validation))
    left_out = {**given.reasons(), **written.left_out}
    if as_json:
        summary = {"train": written.train, "validation": written.validation, "left_out": left_out}
        print(json.dumps({"folder": str(out), **summary}, ensure_ascii=False))
        return
    for name, counts in (("train", written.train), ("validation", written.validation)):
        print(f"{name:<10} " + "  ".join(f"{label} {number}" for label, number in counts.items()))
    for why, number in left_out.items():
        print(f"left out {number:>8}  {why}")


@app.command("export")
def export(
    annotated: Annotated[list[Path], typer.Argument(metavar="ANNOTATIONS...", help="Folders of annotate run.")],
    out: Annotated[Path, typer.Option(help="Folder to write to.")],
    count: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CLASS=N",
            help="Maximum number of questions per class: c1 no search, c2 text, c3 picture, c4 both. Repeatable.",
            show_default="c1=30000 c2=30000 c3=8806 c4=30000",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the draw.")] = 42,
    validation: Annotated[float, typer.Option(min=0, max=0.9, help="Share of rows kept for validation.")] = 0.02,
    as_json: AsJson = False,
) -> None:
    """Draw a balanced sample of annotations and write it as conversations for training."""
    from backtrail.training.annotate.export import export as write

    exported = write(annotated, out, counts=_counts(count or []), seed=seed, validation=validation)
    if as_json:
        summary = {"train": exported.train, "validation": exported.validation, "left_out": exported.left_out}
        print(json.dumps({"folder": str(out), **summary}, ensure_ascii=False))
        return
    for name, rows in (("train", exported.train), ("validation", exported.validation)):
        print(f"{name:<10} " + "  ".join(f"{label} {number}" for label, number in rows.items()))
    for line in exported.left_out:
        print(f"left out: {line}")


@app.command("convert")
def convert(
    rows: Annotated[Path, typer.Argument(metavar="ROWS", help="Export folder, or a file of rows.")],
    to: Annotated[str, typer.Option(metavar="FORM", help="llama-factory, ms-swift, trl or openai.")],
    out: Annotated[Path, typer.Option(help="Folder to write to.")],
    as_json: AsJson = False,
) -> None:
    """Convert exported rows to the format of another trainer."""
    from backtrail.training.formats.convert import FORMS
    from backtrail.training.formats.convert import convert as write

    form: Form | None = next((one for one in FORMS if one == to), None)
    if form is None:
        raise typer.BadParameter(f"{to!r} is none of {', '.join(FORMS)}.", param_hint="--to")
    written = write(rows, form, out)
    if as_json:
        print(json.dumps({"folder": str(out), "rows": written}))
        return
    for name, count in written.items():
        print(f"{out / name}: {count:,} rows")


def _counts(given: list[str]) -> dict[PathClass, int]:
    from backtrail.training.annotate.balance import PAPER_COUNTS
    from backtrail.training.annotate.classes import PATH_CLASSES

    named = _numbers(given, PATH_CLASSES, "CLASS")
    return {label: named.get(label, PAPER_COUNTS[label]) for label in PATH_CLASSES}


def _numbers(given: list[str], names: Sequence[str], kind: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in given:
        name, _, number = (part.strip() for part in one.partition("="))
        if name not in names or not number.isdecimal():
            raise typer.BadParameter(f"{one!r} is not of the form {kind}=N with one of {', '.join(names)}.")
        counts[name] = int(number)
    return counts


async def _annotate(job: Job, settings: Settings, *, shown: bool) -> AnnotatedAll:
    from backtrail.tools.toolbox import Toolbox
    from backtrail.training.annotate.run import annotate_all

    with AnnotationBar(shown=shown) as bar:
        return await annotate_all(job, Toolbox(), bar)


class AnnotationBar(QuestionBar):
    """Progress bar of an annotation; implements its ``Watcher``."""

    def begin(self, waiting: int, finished: int) -> None:
        """Start the bar."""
        self.start("annotating", total=waiting)

    def advance(self, annotation: Annotation) -> None:
        """Count a finished question."""
        self.finish_one(failed=annotation.outcome == "failed")
