"""Decode the bytes of a page in any encoding."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from backtrail.ingest.bounded_bytes import bounded_bytes
from backtrail.ingest.encoding import Encoding, guess_in_markup
from backtrail.ingest.errors import EmptySource, UnreadableSource
from backtrail.ingest.kinds import with_article
from backtrail.state.text.whitespace import bound_whitespace
from backtrail.tools.charsets import decode_charset

MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of a page (ours); its tree takes about ten times as much memory."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED_WITHIN = 64 * 1024
"""Bytes searched for a declaration. Browsers search 1,024 first, but restart at a later ``<meta>``."""
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I)
_XML_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{1,40})""", re.I)


def read_text(path: Path, what: str) -> str:
    """Return the text of a page or Markdown file; see ``read_source``."""
    return read_source(path, what)[0]


def read_source(path: Path, what: str) -> tuple[str, list[str]]:
    """Return the text of a page or Markdown file, and a note for the report if its encoding is a guess.

    Args:
        path: the file.
        what: name of the format, for messages ("HTML page").

    Raises:
        UnreadableSource: the file cannot be opened, is empty, binary or larger than 64 MB.
    """
    content = bounded_bytes(path, MAX_BYTES, "a page")
    if not content.strip():
        raise EmptySource(str(path))
    decoded = _decoded(content)
    if decoded is None:
        advice = f"Give it the extension of its real format, or export it as {with_article(what)}"
        raise UnreadableSource(str(path), f"this is a binary file, not {with_article(what)}", advice)
    text, encoding = decoded
    return text, [encoding.mark] if encoding.mark else []


def decode(content: bytes) -> str | None:
    """Decode bytes by byte order mark, as UTF-8, by declaration, or by a guess; None for binary content.

    Valid UTF-8 is decoded as such even if a Latin charset is declared: Latin text with accents is practically never
    valid UTF-8.
    """
    decoded = _decoded(content)
    return decoded[0] if decoded else None


def _decoded(content: bytes) -> tuple[str, Encoding] | None:
    """Return the text with bounded white space, and its encoding."""
    found = _as_text(content)
    return (bound_whitespace(found[0]), found[1]) if found else None


def _as_text(content: bytes) -> tuple[str, Encoding] | None:
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return content.decode(encoding, "replace").lstrip("\ufeff"), Encoding(encoding)
    if b"\0" in content[:8192] or content.startswith((b"%PDF-", b"PK\x03\x04", b"\x1f\x8b")):
        return None
    try:
        return content.decode("utf-8"), Encoding("utf-8")
    except UnicodeDecodeError as error:
        declared = _declared(content)
        found = Encoding(declared) if declared else guess_in_markup(content, error.start)
    try:
        return content.decode(found.name), found
    except UnicodeDecodeError:
        return content.decode(found.name if found.guessed else "cp1252", "replace"), found


def _declared(content: bytes) -> str:
    """Return the declared charset, Windows Latin if it is unknown; "" without a declaration."""
    match = _XML_ENCODING.search(content[:200]) or _CHARSET.search(content[:_DECLARED_WITHIN])
    if match is None:
        return ""
    name = match.group(1).decode("ascii", "replace").lower()
    # the declaration was readable as ASCII, so an encoding that is no superset of ASCII must be wrong
    usable = decode_charset(b"<", name) == "<"
    # browsers read these two as Windows-1252
    return name if usable and codecs.lookup(name).name not in ("ascii", "iso8859-1") else "cp1252"
