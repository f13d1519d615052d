"""Detect the encoding of text that does not declare one; guesses are marked as such."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import BinaryIO

from charset_normalizer import from_bytes

_SAMPLE_BYTES = 256 * 1024
_CHUNK_BYTES = 1024 * 1024
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_GUESSED_BYTES = 32_768
_LATIN = "cp1252"
"""Fallback: it can read any byte and is the most common encoding of such files."""
_MESS = 0.4
"""Threshold of charset-normalizer. Its default of 0.2 reads 4 of 554 texts in legacy encodings worse."""
_MOST_ACCENTED = 0.3
"""Maximum share of accented letters in lines with any (ours): Cyrillic or Greek read as Latin has only accents.

Off: 7 of 554 texts in legacy encodings are read wrong; the same from 0.15 to 0.6.
"""
# off: 30 of 554 texts in legacy encodings are read worse, 7 better
_SYMBOL_IN_WORD = re.compile(r"[^\W\d_][^\w\s\x00-\x7f\u2010-\u2019\xad\xb7][^\W\d_]|[^\W\d_][\xb2\xb3\xb9][^\W\d_]")


_TAG = re.compile(rb"<[^<>]*>")
_CONTROLS = re.compile(r"[\xc2-\xf4][\x80-\x9f]")
_TWICE = re.compile(r"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


@dataclass(frozen=True)
class Encoding:
    """Name of a codec, and whether it is a guess."""

    name: str
    guessed: bool = False

    @property
    def mark(self) -> str:
        """Note of a guess for the report; empty if the encoding is known."""
        if not self.guessed:
            return ""
        return f"no encoding is declared and it is not UTF-8: read as {self.name}, a guess; save it as UTF-8 to be sure"


def detect_encoding(stream: BinaryIO) -> Encoding | None:
    """Detect a stream's encoding from its position: byte order mark, UTF-8, or the most plausible one.

    Valid UTF-8 is taken as UTF-8, since practically no other text is valid. None for binary content. The stream is read
    once, a megabyte at a time, and its position is restored.
    """
    start = stream.tell()
    try:
        head = stream.read(_SAMPLE_BYTES)
        for mark, name in _BOMS:
            if head.startswith(mark):
                return Encoding(name)
        if b"\0" in head:
            return _wide(head)
        return Encoding("utf-8") if _is_utf8(head, stream) else Encoding(_guess(head), guessed=True)
    finally:
        stream.seek(start)


def guess_in_markup(content: bytes, place: int) -> Encoding:
    """Guess the encoding of markup that is not UTF-8 and declares none.

    Args:
        place: position of the first invalid UTF-8, where the sample starts. Tags are removed, because their ASCII names
            say nothing about the encoding.
    """
    sample = content[max(0, content.rfind(b"\n", 0, place)) :][:_SAMPLE_BYTES]
    return Encoding(_guess(_TAG.sub(b" ", sample)), guessed=True)


def _is_utf8(head: bytes, stream: BinaryIO) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    chunk = head
    try:
        while chunk:
            decoder.decode(chunk)
            chunk = stream.read(_CHUNK_BYTES)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _wide(head: bytes) -> Encoding | None:
    """Detect UTF-16 without byte order mark by NULs in every other byte of Latin text.

    190 of 276 declarations of human rights in any script are found, as with shares from 0.3 to 0.9.
    """
    even, odd = head[0:4096:2].count(0), head[1:4096:2].count(0)
    pairs = len(head[:4096]) // 2
    if pairs and odd > 0.6 * pairs and even == 0:
        name = "utf-16-le"
    elif pairs and even > 0.6 * pairs and odd == 0:
        name = "utf-16-be"
    else:
        return None
    text = head[: 2 * pairs].decode(name, "replace")
    return Encoding(name, guessed=True) if all(one.isprintable() or one.isspace() for one in text) else None


def _guess(sample: bytes) -> str:
    # only non-ASCII bytes distinguish encodings; whole lines keep their words
    telling = b"\n".join(line for line in sample.splitlines() if any(byte > 127 for byte in line)) or sample
    telling = telling[:_GUESSED_BYTES]
    if _is_western(telling):
        return _LATIN
    best = from_bytes(telling, 5, 512, _MESS, enable_fallback=False).best()
    return best.encoding if best is not None and best.encoding not in ("ascii", "utf_8") else _LATIN


def _is_western(sample: bytes) -> bool:
    """Return whether bytes are plausible as Windows Latin: few accented letters, no symbols within words.

    Off: 55 of 554 texts in legacy encodings are read worse, 23 better.
    """
    try:
        text = sample.decode(_LATIN)
    except UnicodeDecodeError:
        return False
    letters = [character for character in text if character.isalpha()]
    accented = sum(character > "\x7f" for character in letters)
    return accented < _MOST_ACCENTED * len(letters) and not _SYMBOL_IN_WORD.search(text)


def decode_once_more(text: str) -> tuple[str, int]:
    """Repair UTF-8 that was decoded as Latin-1 and encoded again; return text and number of repairs.

    Only in texts with control characters that nobody types, which most such characters leave: 1 of 4,249 texts.
    """
    if not _CONTROLS.search(text):
        return text, 0
    return _TWICE.subn(_decoded_again, text)


def _decoded_again(match: re.Match[str]) -> str:
    try:
        return match.group().encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return match.group()
