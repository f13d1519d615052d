"""The encoding of text that does not declare one: known, or guessed and said to be a guess."""

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
"""Taken where nothing speaks for another one: it can read any byte, and is what most such files are in."""
_OTHER_LATIN = ["cp1252", "latin_1", "iso8859_15", "iso8859_10", "cp1254", "mac_roman", "cp850", "cp437"]
"""Not asked about once the text does not read well as Windows Latin."""
_MESS = (0.2, 0.4)
"""How odd a text may look: charset-normalizer's bound, then one that finds Polish in short lines too."""
_MOST_ACCENTED = 0.3
"""Of the letters in lines that have accents. Cyrillic or Greek read as Latin is nothing but accents; ours."""
_SYMBOL_IN_WORD = re.compile(r"[^\W\d_][^\w\s\x00-\x7f\u2010-\u2019\xad\xb7][^\W\d_]|[^\W\d_][\xb2\xb3\xb9][^\W\d_]")


_TAG = re.compile(rb"<[^<>]*>")
_CONTROLS = re.compile(r"[\xc2-\xf4][\x80-\x9f]")
_TWICE = re.compile(r"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


@dataclass(frozen=True)
class Encoding:
    """The name of a codec, and whether it is a guess."""

    name: str
    guessed: bool = False

    @property
    def mark(self) -> str:
        """What the report says of a guess; empty where the encoding is known."""
        if not self.guessed:
            return ""
        return f"no encoding is declared and it is not UTF-8: read as {self.name}, a guess; save it as UTF-8 to be sure"


def detect_encoding(stream: BinaryIO) -> Encoding | None:
    """The encoding of a stream from where it stands: byte order mark, UTF-8, or the most plausible one.

    Bytes that are valid UTF-8 to the end are UTF-8: practically no other text is. None for binary content. The
    stream is read once, a megabyte at a time, and left where it was.
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
    """The most plausible encoding of markup that is not UTF-8 and declares none.

    Args:
        place: where it is no UTF-8; looked at is what stands from there on. Names of tags and attributes are ASCII in
            any language and tell nothing.
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
    """UTF-16 without its mark, which has a NUL at every other byte of Latin text; None for other bytes."""
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
    # only what is not ASCII tells encodings apart; whole lines of it, so that words stay words
    telling = b"\n".join(line for line in sample.splitlines() if any(byte > 127 for byte in line)) or sample
    telling = telling[:_GUESSED_BYTES]
    if _is_western(telling):
        return _LATIN
    found = (from_bytes(telling, 5, 512, mess, cp_exclusion=_OTHER_LATIN, enable_fallback=False) for mess in _MESS)
    best = next((matches.best() for matches in found if matches), None)
    return best.encoding if best is not None and best.encoding not in ("ascii", "utf_8") else _LATIN


def _is_western(sample: bytes) -> bool:
    """Whether the bytes read well as Windows Latin: few accented letters, and no symbols within words."""
    try:
        text = sample.decode(_LATIN)
    except UnicodeDecodeError:
        return False
    letters = [character for character in text if character.isalpha()]
    accented = sum(character > "\x7f" for character in letters)
    return accented < _MOST_ACCENTED * len(letters) and not _SYMBOL_IN_WORD.search(text)


def decode_once_more(text: str) -> tuple[str, int]:
    """The text with characters put right that were UTF-8, read as Latin and encoded again, and how many these were.

    Only where the text has control characters that no one types, which is what most such characters leave.
    """
    if not _CONTROLS.search(text):
        return text, 0
    return _TWICE.subn(_decoded_again, text)


def _decoded_again(match: re.Match[str]) -> str:
    try:
        return match.group().encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return match.group()
