"""Command line of the campaign; see the package."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from campaigns.mutants import __doc__ as description
from campaigns.mutants.covering import Covering, write_map
from campaigns.mutants.sampling import Mutant, drawn
from campaigns.mutants.trials import results, run

_SAMPLE = Path(__file__).with_name("sample.json")


def main() -> int:
    """Run a command; return the exit status: 1 if mutants are no longer found."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["map", "sample", "run", "compare"])
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    if options.command == "map":
        write_map(options.paths)
    elif options.command == "sample":
        mutants = [mutant._asdict() for mutant in drawn(Covering())]
        _SAMPLE.write_text(json.dumps(mutants, indent=1, ensure_ascii=False) + "\n")
    elif options.command == "run":
        run([Mutant(**fields) for fields in json.loads(_SAMPLE.read_text())], Covering(), Path(options.paths[0]))
    else:
        return _compared(*map(Path, options.paths))
    return 0


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
