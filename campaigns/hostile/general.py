"""Defects of bytes, which any type of file can have."""

from __future__ import annotations

import random
from collections.abc import Iterator

from campaigns.hostile.cases import Case, cases
from campaigns.hostile.documents import sound

TEXTS = (".html", ".xhtml", ".md", ".mdx", ".rst", ".ipynb", ".csv", ".tsv", ".txt", ".eml", ".mbox", ".svg")


def general_cases() -> Iterator[Case]:
    """Yield each type with each defect."""
    contents = sound()
    endings = list(contents)
    for number, (ending, whole) in enumerate(contents.items()):
        noise = random.Random(number).randbytes(2000)
        yield from cases(ending, {
            "sound": whole, "empty": b"", "zeros": bytes(5000), "noise": noise, "twice": whole + whole,
            "noise behind a sound head": whole[:64] + noise, "junk before": noise[:500] + whole,
            "junk behind": whole + noise,
        })  # fmt: skip
        for share in (1, 30, 70, 99):
            yield Case(f"cut at {share} %", ending, whole[: len(whole) * share // 100])
        for step in (1, 5, 11):
            other = endings[(number + step) % len(endings)]
            yield Case(f"contents of {other}", ending, contents[other])
        if ending in TEXTS:
            yield from _texts(ending, whole)


def _texts(ending: str, whole: bytes) -> Iterator[Case]:
    text = whole.decode()
    for encoding in ("utf-16-le", "utf-16", "utf-32", "utf-7", "cp037", "shift_jis"):
        yield Case(f"in {encoding}", ending, text.encode(encoding))
    yield from cases(ending, {
        "bytes that are no text": whole.replace(b"P", b"\xff\xfe\x80P"), "NULs": whole.replace(b" ", b" \0"),
        "controls": text + "\u202e\u2066\ufeff\x1b[31m\x07\u0000\ud7ff\U000e0041" * 200,
        "one word of 8 MB": whole + b"x" * 8_000_000, "a million lines": whole + b"a\n" * 1_000_000,
        "a million blank lines": whole + b"\n" * 1_000_000,
    })  # fmt: skip
    for mark in ("<", "[", "(", "*", "_", "`", "|", "{", "#", ">", "\\", '"', "&", "=", ":", "-", " "):
        yield Case(f"200,000 times {mark!r}", ending, whole + mark.encode() * 200_000)
