"""Measure the checkpoint bytes per step of a run, which must not depend on the size of the corpus.

    python benchmarks/checkpoint_size.py [--task examples] [--method fif] [--limit 20] [--set fif.shortlist=20]

Real runs over the corpora of the tasks, into a temporary SQLite file. The bytes of a step are its checkpoint with
metadata and the writes that led to the next one. Aim: at most 20 KB per step on average; contents and pixels stay in
the corpus, so larger corpora and pictures must make no difference.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from langchain_core.runnables import RunnableConfig

from backtrail.evals.questions import selected
from backtrail.evals.tasks.table import find_task
from backtrail.graphs.methods import find_method
from backtrail.state.settings import Settings
from backtrail.tools.checkpoints.open import open_checkpoints
from backtrail.tools.errors import BacktrailError
from backtrail.tools.home import corpus_folder
from backtrail.tools.settings.file import load_settings
from backtrail.tools.settings.keys import parse_assignments
from backtrail.tools.toolbox import Toolbox

AIM = 20_000

_STEPS = """
    SELECT thread_id, length(checkpoint) + length(metadata) + (
        SELECT coalesce(sum(length(value)), 0) FROM writes
        WHERE writes.thread_id = checkpoints.thread_id AND writes.checkpoint_ns = checkpoints.checkpoint_ns
        AND writes.checkpoint_id = checkpoints.checkpoint_id
    ) FROM checkpoints ORDER BY thread_id, checkpoint_id
"""


@dataclass(frozen=True)
class Sizes:
    """Bytes of every step of every run of one task."""

    task: str
    corpus_bytes: int
    runs: dict[str, list[int]]

    @property
    def steps(self) -> list[int]:
        """All steps of all runs."""
        return [size for run in self.runs.values() for size in run]

    def row(self) -> str:
        """Return a row of the table, in KB."""
        per_run = [sum(run) for run in self.runs.values()]
        cells = [
            self.task,
            f"{self.corpus_bytes / 1e6:,.1f} MB",
            str(len(self.runs)),
            f"{statistics.mean(len(run) for run in self.runs.values()):.1f}",
            *(f"{size / 1_000:.1f}" for size in (statistics.mean(self.steps), max(self.steps))),
            *(f"{size / 1_000:.1f}" for size in (statistics.mean(per_run), max(per_run))),
        ]
        return "| " + " | ".join(cells) + " |"


async def run_all(task: str, method: str, settings: Settings, limit: int, file: Path) -> None:
    """Run the first questions of a task, each on its own thread."""
    questions = selected(find_task(task).read(), limit=limit)
    async with open_checkpoints(str(file)) as saver:
        graph = find_method(method).build(Toolbox()).compile(checkpointer=saver)
        for question in questions:
            config: RunnableConfig = {"configurable": {"thread_id": question.id}}
            asked = {"question": question.question, "image": question.image}
            await graph.ainvoke(asked, config, context=settings, durability="sync")


def step_sizes(file: Path) -> Iterator[tuple[str, int]]:
    """Yield thread and bytes of every step in a checkpoint file."""
    connection = sqlite3.connect(file)
    try:
        yield from connection.execute(_STEPS)
    finally:
        connection.close()


def measure(task: str, method: str, assignments: list[str], limit: int, folder: Path) -> Sizes:
    """Measure the sizes of one task."""
    corpus = find_task(task).corpus
    settings = load_settings({"corpus": corpus, **parse_assignments(assignments)})
    file = folder / f"{task}.sqlite"
    asyncio.run(run_all(task, method, settings, limit, file))
    runs: dict[str, list[int]] = {}
    for thread, size in step_sizes(file):
        runs.setdefault(thread, []).append(size)
    weight = sum(path.stat().st_size for path in corpus_folder(settings.corpus).rglob("*") if path.is_file())
    return Sizes(task, weight, runs)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", action="append", help="task whose corpus and questions are used; repeatable")
    parser.add_argument("--method", default="fif", help="method to run (default fif)")
    parser.add_argument("--limit", type=int, default=20, help="questions of each task (default 20)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change any setting")
    arguments = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as folder:
            found = [
                measure(task, arguments.method, arguments.set, arguments.limit, Path(folder))
                for task in arguments.task or ["examples"]
            ]
    except BacktrailError as error:
        parser.exit(2, f"{error}\n")
    print("| task | corpus on disk | runs | steps a run | KB a step, mean | max | KB a run, mean | max |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for sizes in found:
        print(sizes.row())
    worst = max(statistics.mean(sizes.steps) for sizes in found)
    print(f"largest mean {worst / 1_000:.1f} KB a step (aim: at most {AIM / 1_000:g} KB)")


if __name__ == "__main__":
    main()
