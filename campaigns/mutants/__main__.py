"""Map, draw, run, compare; see the package."""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

import pytest

from campaigns.mutants import __doc__ as description
from campaigns.mutants.covering import Covering
from campaigns.mutants.sampling import Mutant, drawn
from campaigns.mutants.trials import results, run

_SAMPLE = Path(__file__).with_name("sample.json")
_MAP = Path(".measure/mutants/map.json")
_APART = re.compile(r"subprocess|Process|kill|loopback|mark\.server|postgres|torch|transformers|gguf|\bray|aegra")


def main() -> int:
    """The exit status: 1 if mutants are found no longer."""
    given = _arguments()
    if given.command == "map":
        together = (file for file in Path("tests/integration").glob("test_*.py") if not _APART.search(file.read_text()))
        paths = given.paths or ["tests/unit", *sorted(map(str, together))]
        pytest.main(["-p", "no:cacheprovider", "-p", "no:xdist", *paths], plugins=[Covering(given.map)])
    elif given.command == "sample":
        mutants = drawn(json.loads(given.map.read_text())["files"])
        _SAMPLE.write_text(json.dumps([mutant._asdict() for mutant in mutants], indent=1, ensure_ascii=False) + "\n")
    elif given.command == "run":
        sample = [Mutant(**fields) for fields in json.loads(_SAMPLE.read_text())]
        run(sample, json.loads(given.map.read_text()), given.results)
    else:
        return _compared(given.before, given.after)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("map", "sample", "run"):
        commands.add_parser(name).add_argument("--map", type=Path, default=_MAP)
    commands.choices["map"].add_argument("paths", nargs="*", help="tests; all if none are named")
    commands.choices["run"].add_argument("results", type=Path)
    compare = commands.add_parser("compare")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    return parser.parse_args()


def _compared(before: Path, after: Path) -> int:
    now, lost = results(after), 0
    for number, record in results(before).items():
        outcome = now.get(number, {"outcome": "not tried"})["outcome"]
        if record["outcome"] == "killed" and outcome != "killed":
            lost += 1
            print(f"{outcome}: {record['file']}:{record['line']} {record['after']}\n    before: {record['by']}")
    print(f"{lost} mutants of {len(now)} were killed before and are not now")
    return int(lost > 0)


if __name__ == "__main__":
    sys.exit(main())
