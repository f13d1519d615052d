"""Detect streams that cannot be unpacked, and noise that damaged contents draw as letters.

Six of 1,191 odd files are damaged, and draw no noise. With every stream of 187 files bent in one of three ways, noise
is left out on 16 of 890 pages.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from backtrail.ingest.pdf.fragments import Fragment

_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_DEFLATED = re.compile(rb"/Filter\s*(?:\[\s*)?/Fl(?:ateDecode)?\b")
_HEAD = 2000  # bytes before a stream that may contain its dictionary
_MOST_BYTES = 256 * 2**20  # maximum read of a file, and maximum unpacked
_PIECE = 2**20
# Figures: of 985 pages of 110 files with bent streams, those on which noise is left out (80 as it is), and of 1,174
# whole pages those that lose words (none as it is).
_LEAST_LETTERS = 24  # at 12: 91; at 48: 66
# At 0: 129, but 12 whole pages lose words; at 0.05: 96 and 1; at 0.2: 61.
_LEAST_SHARE = 0.1  # minimum share of noise on a page; less is a list of addresses or names of substances
_CHANGES = 0.35  # minimum changes between letters, digits and signs in a word, of its length; at 0.2: 84; at 0.5: 53
_BETWEEN = 6  # maximum of words between two noise words that count as noise, too; off: 8 % of the noise stays


def is_damaged(path: Path) -> bool:
    """Whether a stream of a file cannot be unpacked completely.

    pdfium draws the unpacked part and does not report the rest. Encrypted files cannot be checked.
    """
    with path.open("rb") as file:
        content = file.read(_MOST_BYTES)
    if b"/Encrypt" in content:
        return False
    left = _MOST_BYTES
    for begin in _STREAM.finditer(content):
        head = content[max(0, begin.start() - _HEAD) : begin.start()].rpartition(b"obj")[2]
        end = content.find(b"endstream", begin.end())
        if end < 0 or not _DEFLATED.search(head):
            continue
        left -= (size := _unpacked(content, begin.end(), end))
        if size < 0:
            return True
        if left < 0:
            break
    return False


def _unpacked(content: bytes, start: int, end: int) -> int:
    """Return the unpacked size of a stream; -1 if it is broken."""
    unpacker, size, waiting = zlib.decompressobj(), 0, memoryview(content)[start:end]
    try:
        while waiting and not unpacker.eof and size <= _MOST_BYTES:
            size += len(unpacker.decompress(waiting, _PIECE))
            waiting = unpacker.unconsumed_tail
    except zlib.error:
        return -1
    return size


def is_noise(word: str) -> bool:
    """Whether a word looks like random bytes: letters, digits and signs in turns.

    Addresses, numbers, rows of dots and words with hyphens have few changes.
    """
    if len(word) < _LEAST_LETTERS or "://" in word or "www." in word:
        return False
    kinds = [letter.isalpha() + 2 * letter.isdigit() for letter in word]
    signs = kinds.count(0)
    return 5 * signs >= len(word) and sum(a != b for a, b in pairwise(kinds)) >= _CHANGES * len(word)


def without_noise(fragments: Sequence[Fragment]) -> list[Fragment]:
    """Return the words of a page in drawing order, without noise and words between noise."""
    noise = [number for number, fragment in enumerate(fragments) if is_noise(fragment.text)]
    letters = sum(len(fragment.text) for fragment in fragments)
    if sum(len(fragments[number].text) for number in noise) < _LEAST_SHARE * letters:
        return list(fragments)
    left_out = set(noise)
    for before, after in pairwise(noise):
        if after - before <= _BETWEEN:
            left_out.update(range(before, after))
    return [fragment for number, fragment in enumerate(fragments) if number not in left_out]
