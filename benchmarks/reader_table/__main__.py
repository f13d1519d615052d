"""Run questions with a strong model as reader, print a table, compare with the baseline.

    export BACKTRAIL_DATA=…    # the public corpora; ingested as ottqa, wild-docs-site, wild-office, wild-web, openstax
    cd benchmarks
    python -m reader_table ask FOLDER --plan safety --model openai-compatible:NAME@http://127.0.0.1:PORT/v1
    python -m reader_table table [FOLDER] --plan safety [--read]
    python -m reader_table compare FOLDER --plan safety
    python -m reader_table pack FOLDER --plan safety
    python -m reader_table degrade FOLDER --model …

``--plan safety`` is FiF on 26 questions over real files, ``--plan methods`` (the default) every method on more sets.
``ask`` can be stopped at any time and resumes with the same command: FOLDER records each outcome and each reply, and
only prompts without a reply are sent. At the end it prints the table. Exit status 1: some questions ended with an error
and are unfinished. ``table`` prints the table of a folder, else of the baseline; ``--read`` adds the answers that a
person should read. ``compare`` exits with 1 if a question that was right in the baseline is now wrong or unfinished.
``pack`` makes FOLDER the baseline. ``degrade`` repeats OTT-QA with a reader that is wrong on purpose in
one reply of ten.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from backtrail.tools.deciders.open import open_decider
from reader_table.asking import Asked, ask_all, held, questions_of
from reader_table.comparison import comparison, pairs, worse
from reader_table.degrading import degrade, degraded_table
from reader_table.kept import Kept
from reader_table.pack import pack, shipped_questions
from reader_table.plan import PLANS, Row
from reader_table.report import table, to_read

BASELINES = {"methods": Path(__file__).with_name("kept"), "safety": Path(__file__).with_name("kept") / "safety"}
TOGETHER = 12
TIMEOUT = 86_400
"""One day in seconds, as the reader may be a person."""


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("ask", "table", "compare", "degrade", "pack"))
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--plan", choices=PLANS, default="methods", help="plan of questions")
    parser.add_argument("--model", help="the reader, as 'provider:model'")
    parser.add_argument("--row", action="append", help="only this method; fif or fif:published; repeatable")
    parser.add_argument("--set", action="append", dest="sets", help="only this set of questions; repeatable")
    parser.add_argument("--together", type=int, default=TOGETHER, help="number of parallel questions")
    parser.add_argument("--timeout", type=int, default=TIMEOUT, help="seconds that a reply may take")
    parser.add_argument("--read", action="store_true", help="print the answers that a person should read")
    options = parser.parse_args()
    plan = [
        row
        for row in PLANS[options.plan]
        if row.label in (options.row or [row.label]) and row.asked in (options.sets or [row.asked])
    ]
    baseline = BASELINES[options.plan]
    if options.folder is None and options.verb != "table":
        parser.error(f"{options.verb} needs a folder.")
    folder: Path = options.folder or baseline
    # Both are read when the model is opened; existing values take precedence.
    os.environ.setdefault("BACKTRAIL_TIMEOUT", str(options.timeout))
    os.environ.setdefault("BACKTRAIL_CONCURRENCY", str(options.together))
    match options.verb:
        case "ask":
            sys.exit(_ask(plan, folder, options.model, options.together))
        case "table":
            _print_table(_outcomes(folder, plan), read=options.read)
        case "compare":
            sys.exit(_compare(plan, folder, baseline))
        case "degrade":
            _degrade(plan, folder, options.model, options.together)
        case _:
            print(pack(plan, folder, baseline, questions_of(plan)))


def _outcomes(folder: Path, plan: Sequence[Row]) -> list[Asked]:
    return held(folder, plan, shipped_questions(folder) or questions_of(plan))


def _ask(plan: Sequence[Row], folder: Path, model: str | None, together: int) -> int:
    """Run the unfinished questions and print the table; return 1 if some are still unfinished."""
    if model is None:
        sys.exit("--model names the reader: openai-compatible:NAME@http://HOST:PORT/v1, for instance.")
    decider = open_decider(model, temperature=0.0)
    kept = Kept(folder / "decisions.jsonl", decider)
    questions = questions_of(plan)
    asyncio.run(ask_all(plan, kept, folder, questions, together))
    wanted = sum(len(questions[row.asked][: row.count]) for row in plan)
    finished = [one for one in held(folder, plan, questions) if one.outcome.error is None]
    if finished:
        _print_table(finished, read=False)
    print(f"{len(finished)} of {wanted} questions finished")
    return int(len(finished) < wanted)


def _compare(plan: Sequence[Row], folder: Path, baseline: Path) -> int:
    before = held(baseline, plan, shipped_questions(baseline) or {row.asked: [] for row in plan})
    after = held(folder, plan, questions_of(plan))
    compared = pairs(before, after)
    print("\n".join(comparison(compared)))
    lost, missing = worse(compared), len(before) - len(compared)
    if lost:
        print(f"\nworse than the baseline: {', '.join(lost)}")
    if missing:
        print(f"\n{missing} questions of the baseline are unfinished or have another wording")
    return int(bool(lost or missing or not compared))


def _degrade(plan: Sequence[Row], folder: Path, model: str | None, together: int) -> None:
    kept = Kept(folder / "decisions.jsonl", open_decider(model, temperature=0.0) if model else None)
    questions = questions_of(plan)
    asyncio.run(degrade(plan, kept, folder, questions, together))
    print("\n".join(degraded_table(folder, plan, questions, held(folder, plan, questions))))


def _print_table(found: Sequence[Asked], *, read: bool) -> None:
    print("\n".join(table(found)))
    print(f"\nstates of the code: {len({one.code for one in found})}")
    if read:
        print("\n".join(to_read(found)))


if __name__ == "__main__":
    main()
