"""Draw every picture of the demo corpus again.

    python -m examples.drawing [name ...]

Nothing here is random and the font comes with Pillow, so two runs with one
version of Pillow give the same files, and a changed picture is a changed script.
"""

import sys
from pathlib import Path

from examples.drawing import charts, craft, geometry, maps, orbits, sequences, timelines, worlds

FOLDER = Path(__file__).parents[1] / "corpus" / "pictures"
PICTURES = {
    name: draw
    for module in (charts, craft, geometry, maps, orbits, sequences, timelines, worlds)
    for name, draw in module.PICTURES.items()
}


def main(names: list[str]) -> int:
    """Draw the pictures named, or all of them, into the corpus."""
    unknown = sorted(set(names) - set(PICTURES))
    if unknown:
        print(
            f"No picture called {', '.join(unknown)}; there are: {', '.join(sorted(PICTURES))}",
            file=sys.stderr,
        )
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or sorted(PICTURES):
        PICTURES[name]().save(FOLDER / name)
    print(
        f"{len(names or PICTURES)} pictures drawn, {sum(p.stat().st_size for p in FOLDER.glob('*.png')):,} bytes in all"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
