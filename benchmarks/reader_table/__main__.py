"""Every method with one strong reader on the same questions: ask, tell, and ask again without anybody to be asked.

    export BACKTRAIL_DATA=…    # the public corpora; ingested as ottqa, wild-docs-site, wild-office, wild-web, openstax
    cd benchmarks
    python -m reader_table ask FOLDER --model openai-compatible:NAME@http://127.0.0.1:PORT/v1
    python -m reader_table tell [FOLDER] [--read]
    python -m reader_table replay
    python -m reader_table degrade FOLDER --model …
    python -m reader_table pack FOLDER

``ask`` goes on where it was stopped, whichever way: FOLDER keeps each outcome and each decision. ``tell`` prints the
table of a folder, or the one that ships. ``replay`` runs every row again from the decisions that ship, asks nobody,
and says which outcomes are others than those that ship. ``degrade`` asks those of OTT-QA again with a reader who
is wrong on purpose in one reply of ten; only what then is asked in other words goes to the model. ``pack`` makes what
ships of a folder.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from backtrail.tools.deciders.open import open_decider
from reader_table.asking import Asked, ask_all, held, questions_of
from reader_table.degrading import degrade, told
from reader_table.kept import Kept
from reader_table.pack import pack, shipped_questions
from reader_table.plan import PLAN, Row
from reader_table.report import differences, table, to_read

SHIPPED = Path(__file__).with_name("kept")
TOGETHER = 12


def main() -> None:
    """Do what was asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("ask", "tell", "replay", "degrade", "pack"))
    parser.add_argument("folder", type=Path, nargs="?", default=SHIPPED)
    parser.add_argument("--model", help="who is asked")
    parser.add_argument("--row", action="append", help="only this method; fif or fif:published; repeatable")
    parser.add_argument("--set", action="append", dest="sets", help="only this set: ottqa, wild, pictures; repeatable")
    parser.add_argument("--together", type=int, default=TOGETHER, help="questions asked at once")
    parser.add_argument("--read", action="store_true", help="print what was not plainly right")
    given = parser.parse_args()
    plan = [row for row in PLAN if row.label in (given.row or [row.label]) and row.asked in (given.sets or [row.asked])]
    if given.verb == "ask":
        _ask(plan, given.folder, given.model, given.together)
    elif given.verb == "degrade":
        _degrade(plan, given.folder, given.model, given.together)
    elif given.verb == "tell":
        _tell(held(given.folder, plan, shipped_questions(given.folder) or questions_of(plan)), read=given.read)
    elif given.verb == "replay":
        sys.exit(_replay(plan, given.folder, given.together))
    else:
        print(pack(plan, given.folder, SHIPPED, questions_of(plan)))


def _ask(plan: Sequence[Row], folder: Path, model: str | None, together: int) -> None:
    if model is None:
        sys.exit("--model says who is asked.")
    kept = Kept(folder / "decisions.jsonl", open_decider(model, temperature=0.0))
    asyncio.run(ask_all(plan, kept, folder, questions_of(plan), together))


def _degrade(plan: Sequence[Row], folder: Path, model: str | None, together: int) -> None:
    kept = Kept(folder / "decisions.jsonl", open_decider(model, temperature=0.0) if model else None)
    questions = questions_of(plan)
    asyncio.run(degrade(plan, kept, folder, questions, together))
    print("\n".join(told(folder, plan, questions, held(folder, plan, questions))))


def _tell(found: Sequence[Asked], *, read: bool) -> None:
    for line in [*table(found), "", *differences(found)]:
        print(line)
    print(f"\nof {len({one.code for one in found})} states of the code")
    if read:
        print("\n".join(to_read(found)))


def _replay(plan: Sequence[Row], folder: Path, together: int) -> int:
    """Print the table of the replay; the number of outcomes that are not as they ship."""
    questions = questions_of(plan)
    before = {(one.row, one.question.id): one for one in held(folder, plan, shipped_questions(folder) or questions)}
    plan = [row for row in plan if any(row == shipped for shipped, _ in before)]
    kept = Kept(folder / "decisions.jsonl.gz", None)
    with tempfile.TemporaryDirectory() as again:
        asyncio.run(ask_all(plan, kept, Path(again), questions, together))
        found = [one for one in held(Path(again), plan, questions) if (one.row, one.question.id) in before]
    _tell([one for one in found if one.outcome.error is None], read=False)
    others = [one for one in found if not _same(one, before.get((one.row, one.question.id)))]
    for one in others:
        print(f"{one.row.label} {one.question.id}: {one.outcome.error or 'another outcome than the one that ships'}")
    print(f"{len(found) - len(others)} of {len(found)} outcomes as they ship; nobody was asked")
    return min(len(others), 99)


def _same(one: Asked, other: Asked | None) -> bool:
    if other is None:
        return False
    told = ("ranking", "answer", "short", "abstained", "cited", "stop_reason", "calls", "input_tokens", "output_tokens")
    return all(getattr(one.outcome, name) == getattr(other.outcome, name) for name in told)


if __name__ == "__main__":
    main()
