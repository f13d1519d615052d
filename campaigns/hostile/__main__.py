"""Command line of the campaign; see the package."""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from campaigns.hostile import __doc__ as description
from campaigns.hostile.run import Listener, tried
from campaigns.hostile.trial import Outcome, all_cases

_ALONE = ("unshare", "--net", "--map-root-user")


def main() -> int:
    """Try the files and print a table by type; return the exit status: 1 if a file failed."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--from", type=int, default=0, dest="first", help="first seed")
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--json", type=Path, help="file of results, to resume from")
    options = parser.parse_args()
    names = [case.name for case in all_cases()]
    names += [f"seed {options.first + n}" for n in range(max(0, options.files - len(names)))]
    names = [name for name in names if options.only in name]
    alone = _alone()
    outcomes = _kept(options.json, names)
    done = {outcome.name for outcome in outcomes}
    with Listener() as listener:
        for outcome in tried([name for name in names if name not in done], listener.url, alone):
            outcomes.append(outcome)
            if options.json:  # immediately, as a run takes half an hour
                with options.json.open("a") as kept:
                    kept.write(json.dumps(vars(outcome)) + "\n")
        contacted = listener.contacts
    print(_table(outcomes))
    for outcome in outcomes:
        if not outcome.fine:
            leaked = "LEAKED" if outcome.leaked else ""
            print(f"{outcome.name}: {outcome.status} {outcome.opened} {outcome.asked} {leaked}")
    network = "cut off" if alone else "there"
    print(f"{len(outcomes)} files; network {network}; {contacted} contacts with the address in them")
    return int(contacted > 0 or len(outcomes) != len(names) or not all(outcome.fine for outcome in outcomes))


def _kept(file: Path | None, names: Sequence[str]) -> list[Outcome]:
    """Return the outcomes of an earlier run."""
    lines = file.read_text().splitlines() if file and file.exists() else []
    whole = [Outcome(**json.loads(line)) for line in lines if line.endswith("}")]
    return [outcome for outcome in whole if outcome.name in set(names)]


def _alone() -> tuple[str, ...]:
    """Return the command prefix for running without a network; empty where that is not allowed."""
    if shutil.which("unshare") and subprocess.run([*_ALONE, "true"], capture_output=True, check=False).returncode == 0:
        return _ALONE
    return ()


def _table(outcomes: Sequence[Outcome]) -> str:
    by_kind: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_kind[outcome.kind].append(outcome)
    lines = ["| kind | files | read | refused | most seconds of processor | most MB |", "|---|--:|--:|--:|--:|--:|"]
    for kind, found in by_kind.items():
        counts = Counter(outcome.status for outcome in found)
        slowest, largest = max(one.seconds for one in found), max(one.megabytes for one in found)
        lines.append(
            f"| `{kind}` | {len(found)} | {counts['read']} | {counts['refused']} | {slowest:.1f} | {largest:.0f} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
