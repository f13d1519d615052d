"""Parsers of mail files: one message, or a mailbox."""

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
"""Most bytes of one message (ours)."""

MAX_MESSAGES = 50_000
"""Most messages of one mailbox (ours)."""


def parse_eml(path: Path, document_id: str, delivery: Delivery, parse_file: ParseFile) -> Iterator[ParsedDocument]:
    """Parse a message and its attachments.

    Raises:
        UnreadableSource: it cannot be opened, is larger than 100 MB, or not a message.
    """
    letter = read_eml(bounded_bytes(path, MAX_BYTES, "a message", "Save its attachments as separate files"))
    if not any(name in letter.head for name in HEAD) and not letter.attachments:
        problem = "this is not an e-mail: it has no sender, recipient, date or subject"
        raise UnreadableSource(str(path), problem, "Give it the extension of its real format")
    yield from documents_of(letter, document_id, delivery, parse_file)


def parse_msg(path: Path, document_id: str, delivery: Delivery, parse_file: ParseFile) -> Iterator[ParsedDocument]:
    """Parse an Outlook message and its attachments. Raises as ``read_msg``."""
    yield from documents_of(read_msg(path), document_id, delivery, parse_file)


def parse_mbox(path: Path, document_id: str, parse_file: ParseFile) -> Iterator[ParsedDocument]:
    """Parse the messages of a mailbox in order; their ids are "<document_id>/1" and so on.

    Raises:
        UnreadableSource: it cannot be opened, has no message, or too many; earlier messages are yielded before.
    """
    number = 0
    for content in split_box(path):
        number += 1
        if number > MAX_MESSAGES:
            problem = f"has more than {MAX_MESSAGES:,} messages; later ones were not read"
            raise UnreadableSource(str(path), problem, "Split the mailbox")
        yield from documents_of(read_eml(content), f"{document_id}/{number}", Delivery(path), parse_file)
    if not number:
        raise UnreadableSource(str(path), "this is not a mailbox: no line begins with 'From '", "Export it as mbox")


def split_box(path: Path) -> Iterator[bytes]:
    """Yield the messages of a mailbox: each begins with a line "From " after a blank one (RFC 4155)."""
    message: list[bytes] | None = None
    size = 0
    blank = True
    with path.open("rb") as stream:
        while line := stream.readline(1024 * 1024):
            if blank and line.startswith(b"From "):
                if message is not None:
                    yield b"".join(message)
                message, size = [], 0
            elif message is not None and size <= MAX_BYTES:  # a longer message is cut
                message.append(line.removeprefix(b">") if line.startswith(b">From ") else line)
                size += len(line)
            blank = not line.strip()
    if message is not None:
        yield b"".join(message)
