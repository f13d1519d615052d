"""Measure this checkout and compare it with the stored baseline.

    PYTHONPATH=benchmarks python -m measure [--only PART …] [--store]

Writes measured.json and measured.md to $BACKTRAIL_MEASURE_HOME (by default .measure/ in the checkout), which also has
its corpora and outcomes. Public corpora are expected in $BACKTRAIL_DATA; missing ones are skipped, as the report says.
The exit status is 0 whatever the comparison shows.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from pathlib import Path

from backtrail.tools.atomic_file import write_atomically
from measure.comparison import Row, compare
from measure.costs import measure_costs
from measure.digests import ROOT
from measure.evaluations import measure_part
from measure.fidelity import measure_drawn, measure_sites, measure_written
from measure.measured import Measured, one_list_a_line, read_measured
from measure.plan import PARTS, Part
from measure.report import report, values
from measure.sizes import measure_sizes
from measure.skipped import Skipped

BASELINE = Path(__file__).parent / "baseline.json"
_KEPT = ("BACKTRAIL_DATA", "BACKTRAIL_MEASURE_HOME")
_LIBRARIES = ("bm25s", "chromadb", "langgraph", "numpy", "onnxruntime")

Measuring = Callable[[Measured], None]


def main() -> None:
    """Measure, compare, write and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=list(parts()), help="measure only these parts")
    parser.add_argument("--store", action="store_true", help="make this run the baseline")
    options = parser.parse_args()
    if options.store and options.only:
        parser.error("--store needs a complete run; leave out --only")
    home = use_home()
    now, before = measure(options.only or list(parts())), read_measured(BASELINE)
    rows = compare(now, before)
    write(home, now, before, rows)
    print(report(now, before, rows))
    if options.store:
        store(now, before)


def parts() -> dict[str, Measuring]:
    """Return the parts of the measurement by name."""
    asked: dict[str, Measuring] = {part.task.name: partial(_evaluate, part) for part in PARTS}
    return {
        **asked,
        "fidelity": measure_written,
        "fidelity.pdf": measure_drawn,
        "pages": measure_sites,
        "times": measure_costs,
        "sizes": measure_sizes,
    }


def measure(chosen: list[str]) -> Measured:
    """Measure the chosen parts in order; those that cannot be measured here are skipped with the reason."""
    found = Measured(made=environment())
    for name, part in parts().items():
        if name not in chosen:
            found.skipped[name] = "not asked for (--only)"
            continue
        started = time.monotonic()
        print(f"measure: {name} …", file=sys.stderr, flush=True)
        try:
            part(found)
        except Skipped as reason:
            found.skipped[name] = str(reason)
            print(f"measure: SKIPPED {name}: {reason}", file=sys.stderr, flush=True)
        print(f"measure: {name}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    return found


def _evaluate(part: Part, found: Measured) -> None:
    found.tables[part.task.name] = measure_part(part)


def use_home() -> Path:
    """Use the home of the measurement, and ignore settings of the shell."""
    home = Path(os.environ.get("BACKTRAIL_MEASURE_HOME") or ROOT / ".measure").expanduser().resolve()
    for name in [name for name in os.environ if name.startswith("BACKTRAIL_") and name not in _KEPT]:
        del os.environ[name]
    home.mkdir(parents=True, exist_ok=True)
    os.environ["BACKTRAIL_HOME"] = str(home)
    return home


def environment() -> dict[str, str]:
    """Return the commit, and other conditions that affect the numbers."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    described = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return {
        "commit": described.stdout.strip() or "unknown",
        "machine": platform.machine(),
        "python": ".".join(platform.python_version_tuple()[:2]),
        **{name: version(name) for name in _LIBRARIES},
    }


def write(home: Path, now: Measured, before: Measured | None, rows: list[Row]) -> None:
    """Write the run with its comparison as JSON and as Markdown."""
    whole = {**now.model_dump(), "comparison": [asdict(row) for row in rows]}
    write_atomically(home / "measured.json", one_list_a_line(whole) + "\n")
    write_atomically(home / "measured.md", report(now, before, rows))
    print(f"measure: written {home / 'measured.json'}, {home / 'measured.md'}", file=sys.stderr)


def store(now: Measured, before: Measured | None) -> None:
    """Make a run the baseline; refuse one that skipped a part of the baseline."""
    lost = [name for name in now.skipped if before is not None and name not in before.skipped]
    if lost:
        sys.exit(f"measure: not stored, as this run skipped parts of the baseline: {', '.join(lost)}.")
    now.write(BASELINE)
    write_atomically(BASELINE.with_suffix(".md"), values(now))
    print(f"measure: stored {BASELINE}", file=sys.stderr)


if __name__ == "__main__":
    main()
