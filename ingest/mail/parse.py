"""Files of mail: one message, or a box of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from backtrail.ingest.bounded_bytes import bounded_bytes
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.mail.documents import Delivery, ParseFile, documents_of
from backtrail.ingest.mail.eml import read_eml
from backtrail.ingest.mail.message import HEAD
from backtrail.ingest.mail.outlook import read_msg
from backtrail.ingest.parsed import ParsedDocument

MAX_BYTES = 100 * 2**20
"""Bytes of one message; ours."""

MAX_MESSAGES = 50_000
"""Messages of one box that are read; ours."""


def parse_eml(path: Path, document_id: str, delivery: Delivery, parse_file: ParseFile) -> Iterator[ParsedDocument]:
    """A message and its attachments.

    Raises:
        UnreadableSource: it cannot be opened, is larger than 100 MB, or no message.
    """
    letter = read_eml(bounded_bytes(path, MAX_BYTES, "a message", "Save its attachments apart"))
    if not any(name in letter.head for name in HEAD) and not letter.attachments:
        problem = "this is no e-mail: it has neither sender nor date nor subject"
        raise UnreadableSource(str(path), problem, "Give it the extension of its real format")
    yield from documents_of(letter, document_id, delivery, parse_file)


def parse_msg(path: Path, document_id: str, delivery: Delivery, parse_file: ParseFile) -> Iterator[ParsedDocument]:
    """A message of Outlook and its attachments. Raises as ``read_msg``."""
    yield from documents_of(read_msg(path), document_id, delivery, parse_file)


def parse_mbox(path: Path, document_id: str, parse_file: ParseFile) -> Iterator[ParsedDocument]:
    """The messages of a box, one after the other; ids are "<document_id>/1" and so on.

    Raises:
        UnreadableSource: it cannot be opened or holds no message; messages before a failure have been given.
    """
    number = 0
    for content in split_box(path):
        number += 1
        if number > MAX_MESSAGES:
            problem = f"has more than {MAX_MESSAGES:,} messages; those after them were not read"
            raise UnreadableSource(str(path), problem, "Divide the box")
        yield from documents_of(read_eml(content), f"{document_id}/{number}", Delivery(path), parse_file)
    if not number:
        raise UnreadableSource(str(path), "this is no box of e-mail: no line begins a message", "Export it as mbox")


def split_box(path: Path) -> Iterator[bytes]:
    """The messages of a box as a stream: each begins with a line "From " after a blank one (RFC 4155)."""
    held: list[bytes] | None = None
    size = 0
    blank = True
    with path.open("rb") as stream:
        while line := stream.readline(1024 * 1024):
            if blank and line.startswith(b"From "):
                if held is not None:
                    yield b"".join(held)
                held, size = [], 0
            elif held is not None and size <= MAX_BYTES:  # what is longer is cut, and its parts are damaged
                held.append(line.removeprefix(b">") if line.startswith(b">From ") else line)
                size += len(line)
            blank = not line.strip()
    if held is not None:
        yield b"".join(held)
