"""Measure recall, precision and time of OCR on the pictures of the demo corpus.

    python benchmarks/ocr_recall.py [--languages eng] [--each]

The pictures are drawn by python -m examples.drawing; their words are recorded while it draws them again, and compared
with the words read from the files of the corpus. Words are case-insensitive runs of letters and digits, with their
counts. Recall is the share of drawn words that were read, precision the share of read words that were drawn. Pictures
are read one after the other, without a cache.
"""

from __future__ import annotations

import argparse
import re
import resource
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from backtrail.tools.ocr.tesseract import DEFAULT_LANGUAGES, open_tesseract

EXAMPLES = Path(__file__).parents[1] / "examples"


def main() -> None:
    """Read all pictures and print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--languages", default=DEFAULT_LANGUAGES)
    parser.add_argument("--each", action="store_true", help="print every picture with its recall and the text read")
    options = parser.parse_args()
    ocr = open_tesseract(options.languages)
    drawn = drawn_words()
    read: dict[str, str] = {}
    started, worked = time.perf_counter(), _processor_seconds()
    for name in drawn:
        read[name] = ocr.read((EXAMPLES / "corpus" / "pictures" / name).read_bytes())
    wall, worked = time.perf_counter() - started, _processor_seconds() - worked
    if options.each:
        for name, words in drawn.items():
            print(f"{name}: {(words & words_of(read[name])).total() / words.total():.2f}  {read[name]}")
    right = sum((words & words_of(read[name])).total() for name, words in drawn.items())
    found = sum(words_of(text).total() for text in read.values())
    count = sum(words.total() for words in drawn.values())
    print(f"{ocr.fingerprint}: words read in {sum(map(bool, read.values()))} of {len(drawn)} pictures")
    print(f"recall {right / count:.3f} of {count} words drawn, precision {right / max(found, 1):.3f} of {found} read")
    print(f"{wall / len(drawn):.2f} s a picture, {worked / len(drawn):.2f} s of processor")


def drawn_words() -> dict[str, Counter[str]]:
    """Return the words that the script draws into each picture, by file name."""
    sys.path.insert(0, str(EXAMPLES.parent))
    from examples.drawing.__main__ import PICTURES
    from examples.drawing.canvas import Canvas

    written: list[str] = []
    draw_text = Canvas.text

    def note(canvas: Any, at: Any, text: str, *more: Any, **named: Any) -> None:
        written.append(text)
        draw_text(canvas, at, text, *more, **named)

    Canvas.text = note
    drawn: dict[str, Counter[str]] = {}
    for name in sorted(PICTURES):
        written.clear()
        PICTURES[name]()
        drawn[name] = words_of(" ".join(written))
    return drawn


def words_of(text: str) -> Counter[str]:
    """Count the words of a text."""
    return Counter(re.findall(r"\w+", text.casefold()))


def _processor_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


if __name__ == "__main__":
    main()
