"""Learn the weights by which the reader of rules ranks candidates and quotes.

    python -m backtrail.training.answer_ranking --recorded rows.jsonl --task examples --task ottqa --generate NAME

Questions that are not in the file of recorded ones are asked first, offline, and kept there; without --task,
--questions and --generate the file is used as it is. Prints how weights do on questions that were left out of training.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from backtrail.evals.calibration.tasks import generated_task
from backtrail.evals.tasks.custom import custom_task
from backtrail.evals.tasks.table import find_tasks
from backtrail.rules import reader
from backtrail.rules.reader import calibration
from backtrail.rules.reader.ranking import WEIGHTS
from backtrail.tools.errors import BacktrailError
from backtrail.training.answer_ranking.fitting import PACKAGED, SETS, Fitting, read_ranking
from backtrail.training.answer_ranking.levels import levelled, told, write_calibration
from backtrail.training.answer_ranking.reading import read
from backtrail.training.answer_ranking.recorded import read_recorded, record
from backtrail.training.answer_ranking.train import Measured, folds, held_out, train, unseen, write_ranking


def main(arguments: Sequence[str] | None = None) -> None:
    """Record, train, measure, and write the weights. Exit status 2: nothing was written, and why."""
    parser = argparse.ArgumentParser(prog="python -m backtrail.training.answer_ranking", description=__doc__)
    _recording(parser)
    _learning(parser)
    parser.add_argument("--out", type=Path, default=Path(str(files(reader) / WEIGHTS)),
                        help="where the weights go (default: into the package)")  # fmt: skip
    parser.add_argument("--levels-out", type=Path, default=Path(str(files(reader) / calibration.PACKAGED)),
                        metavar="FILE", help="where --levels writes (default: into the package)")  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help="measure only; write nothing")
    given = parser.parse_args(arguments)
    if (given.questions is None) != (given.corpus is None):
        parser.error("questions of your own need --questions FILE and --corpus NAME")
    try:
        _run(given)
    except (OSError, BacktrailError) as error:
        parser.exit(2, f"{error}\n")


def _recording(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--recorded", type=Path, required=True, help="JSON Lines of recorded questions; grows")
    parser.add_argument("--task", action="append", default=[], help="record the questions of this task; repeatable")
    parser.add_argument("--generate", action="append", default=[], metavar="CORPUS",
                        help="record questions made from this corpus; repeatable")  # fmt: skip
    parser.add_argument("--questions", type=Path, help="record questions of your own (JSON Lines); needs --corpus")
    parser.add_argument("--corpus", help="the corpus of --questions")
    parser.add_argument("--generated", type=int, default=120, help="questions made from each corpus")
    parser.add_argument("--limit", type=int, default=2_000, help="most questions of a task")
    parser.add_argument("--method", default="fif", help="whose evidence is read")


def _learning(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--towards", metavar="FILE",
                        help=f"draw to these weights in place of zero; {PACKAGED}: to those in use")  # fmt: skip
    parser.add_argument("--pull", type=_above_zero, metavar="P",
                        help="how strongly (default: 0.01 for candidates, 0.05 for quotes)")  # fmt: skip
    parser.add_argument("--first", type=_count, metavar="N",
                        help="learn from the N candidates likeliest before (default: from all)")  # fmt: skip
    parser.add_argument("--signals", type=_names, default=(), metavar="A,B",
                        help="learn the weights of these signals of candidates; the others stay")  # fmt: skip
    parser.add_argument("--count", type=_counted, action="append", default=[], metavar="TASK=TIMES",
                        help="a question of this task (made-*: of all such) counts as so many; repeatable")  # fmt: skip
    parser.add_argument("--only", choices=SETS, help="learn these alone; the others stay")
    parser.add_argument("--by-question", action="store_true",
                        help="leave out fifths of the questions in turn to measure, not corpora")  # fmt: skip
    parser.add_argument("--levels", action="store_true",
                        help="also choose where medium and high confidence begin, by readings left out")  # fmt: skip


def _above_zero(text: str) -> float:
    number = float(text)
    if not 0.0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def _count(text: str) -> int:
    number = int(text)
    if number < 2:
        raise argparse.ArgumentTypeError(f"{text} is less than 2: there is nothing to choose among")
    return number


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for part in text.split(",") if (name := part.strip()))


def _counted(text: str) -> tuple[str, float]:
    task, _, times = text.rpartition("=")
    if not task:
        raise argparse.ArgumentTypeError(f"{text} is not TASK=TIMES")
    return task, _above_zero(times)


def _run(given: argparse.Namespace) -> None:
    fitting = Fitting(
        towards=read_ranking(given.towards) if given.towards else None,
        pull=given.pull,
        first=given.first,
        learnt=(given.only,) if given.only else SETS,
        signals=given.signals,
        counts=dict(given.count),
    )
    tasks = [task for name in given.task for task in find_tasks(name)]
    if given.questions is not None:
        tasks.append(custom_task(given.questions, given.corpus))
    tasks += [generated_task(name, given.generated) for name in given.generate]
    if tasks:
        asyncio.run(record(given.recorded, tasks, method=given.method, limit=given.limit, told=_say))
    questions = [read(row) for row in read_recorded(given.recorded) if row.question.answers]
    ranking = train(questions, fitting)
    judged = unseen(folds(questions, by_question=given.by_question), fitting)
    _say(report(held_out(judged)))
    found = levelled(judged) if given.levels else None
    if found:
        _say(told(found))
    if given.dry_run:
        return
    write_ranking(given.out, ranking)
    _say(f"trained on {len(questions)} questions, wrote {given.out}")
    if found:
        write_calibration(given.levels_out, found.calibration)
        _say(f"wrote {given.levels_out}")


def report(measured: Sequence[Measured]) -> str:
    """A line for each task: weights in use beside those that were learnt without its corpus."""
    lines = [f"{'':<24}{'':>10}{'first is right':>22}{'three quotes hold it':>24}"]
    lines.append(f"{'held out':<24}{'questions':>10}" + f"{'in use':>12}{'learnt':>10}" * 2)
    for one in measured:
        shares = [f"{found[by] / one.questions:.1%}" for found in (one.first, one.quoted) for by in ("now", "held_out")]
        lines.append(f"{one.task:<24}{one.questions:>10}" + "{:>12}{:>10}{:>12}{:>10}".format(*shares))
    return "\n".join(lines)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
