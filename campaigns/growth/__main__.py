"""Command line of the campaign; see the package."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from functools import partial
from multiprocessing import Pool

from campaigns.growth import __doc__ as description
from campaigns.growth import functions, structures
from campaigns.growth.exponents import BOUND, SIZES, ended_when_too_long
from campaigns.growth.shapes import SHAPES


def main() -> int:
    """Measure and print; return the exit status: 1 if anything grows too fast."""
    options = _arguments()
    shapes = [shape for shape in [*SHAPES, ""] if options.shape in (None, shape)]
    measure = partial(_measure, only=options.only, everything=options.all)
    count = excess = 0
    with Pool(options.jobs, _begin, maxtasksperchild=1) as pool:
        for number, (measured, found) in enumerate(pool.imap_unordered(measure, shapes), start=1):
            count, excess = count + measured, excess + found
            print(f"{number} of {len(shapes)} shapes, {count} measurements, {excess} too fast", file=sys.stderr)
    print(f"{count} measurements at {SIZES}: {excess} above n^{BOUND}")
    return int(excess > 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], help="only targets whose name contains this; repeatable")
    parser.add_argument("--shape", choices=[*SHAPES, ""], help="only this shape of text; '' for pages and tables")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--all", action="store_true", help="print every exponent")
    return parser.parse_args()


def _begin() -> None:
    ended_when_too_long()
    warnings.simplefilter("ignore")


def _measure(shape: str, only: Sequence[str], everything: bool) -> tuple[int, int]:
    """Measure the targets of a shape, printing those that grow too fast; return both counts."""
    count = excess = 0
    for target in functions.targets(shape) if shape else structures.targets():
        if only and not any(part in target.name for part in only):
            continue
        grown = target.measured()
        count, excess = count + 1, excess + (not grown.fast_enough)
        if everything or not grown.fast_enough:
            print(f"n^{grown.exponent:.2f}  {_shown(grown.times)}  {target.name}", flush=True)
    return count, excess


def _shown(times: Sequence[float]) -> str:
    return " ".join(f"{time * 1000:9.1f} ms" for time in times) or "ended"


if __name__ == "__main__":
    sys.exit(main())
