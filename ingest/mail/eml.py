"""Reader of Internet messages (RFC 5322, MIME), on the standard library."""

from __future__ import annotations

import email
import email.parser
import io
from collections.abc import Iterator
from contextlib import suppress
from email.message import Message
from typing import Any

from backtrail.ingest.encoding import detect_encoding
from backtrail.ingest.mail.headers import BOUNDED, BROKEN, LONGEST_PARSED, cut_headers, decoded, header_text
from backtrail.ingest.mail.message import HEAD, Attachment, MailMessage, message_ids
from backtrail.tools.charsets import decode_charset

MAX_PARTS = 500
"""Most parts of one message (ours)."""


def read_eml(content: bytes) -> MailMessage:
    """Read a message from its bytes. Damaged parts are dropped and noted."""
    problem, notes = "", list[str]()
    try:
        message: Message = email.message_from_bytes(content, policy=BOUNDED)
    except RecursionError:
        message = email.parser.BytesHeaderParser(policy=BOUNDED).parsebytes(content)
        problem = "its parts are nested too deep; only its headers were read"
    letter = MailMessage(
        {name: text for name in HEAD if (text := header_text(message, name, notes))},
        id=next(iter(message_ids(header_text(message, "Message-ID", notes))), ""),
        answers=message_ids(" ".join(header_text(message, name, notes) for name in ("In-Reply-To", "References"))),
        notes=notes,
    )
    if problem:
        letter.notes.append(problem)
        return letter
    for number, part in enumerate(_parts(message)):
        if number >= MAX_PARTS:
            letter.notes.append(f"only {MAX_PARTS} of its parts were read")
            break
        try:
            _add_part(letter, part, number)
        except BROKEN as error:
            letter.notes.append(
                f"part {number + 1} is damaged and was not read ({type(error).__name__}: {error})"[:200]
            )
    return letter


def _parts(message: Message) -> Iterator[Message]:
    """Yield all parts that are not multipart, without those of attached messages."""
    pending: list[Any] = [message]
    while pending:
        part = pending.pop(0)
        if part.is_multipart() and part.get_content_maintype() == "multipart":
            pending[:0] = part.get_payload()
        else:
            yield part


def _add_part(letter: MailMessage, part: Message, number: int) -> None:
    for cut in cut_headers(part):
        letter.notes.append(f"of the header {cut} of part {number + 1}, {LONGEST_PARSED:,} characters were read")
    kind, name = part.get_content_type(), decoded(part.get_filename() or "")
    attached = part.get_content_disposition() == "attachment" or bool(name)
    if kind == "message/rfc822":
        inner = part.get_payload(0) if part.is_multipart() else part
        content = inner.as_bytes() if isinstance(inner, Message) else b""
        letter.attachments.append(Attachment(name or f"message-{number + 1}.eml", content))
        return
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes) or not content.strip():
        return
    content_id = (part.get("Content-ID") or "").strip("<> \t\r\n")
    if content_id and part.get_content_maintype() == "image":
        letter.inline[content_id] = content
    elif kind == "text/html" and not attached:
        letter.html += _text(part, content, letter)
    elif kind == "text/plain" and not attached:
        letter.text += _text(part, content, letter) + "\n\n"
    elif attached or part.get_content_maintype() not in ("text", "message"):
        ending = (part.get_content_subtype() or "bin").rpartition(".")[2]
        letter.attachments.append(Attachment(name or f"part-{number + 1}.{ending}", content))


def _text(part: Message, content: bytes, letter: MailMessage) -> str:
    """Decode the text of a part: valid UTF-8 first, then as declared, else by detection, which is noted."""
    declared = part.get_content_charset()
    with suppress(UnicodeDecodeError):
        if not content.isascii():
            return content.decode()
    text = decode_charset(content, declared) if declared else None
    if text is not None:
        return text
    if declared:
        letter.notes.append(f"its text is not in the encoding {declared[:40]!r} that it declares")
    encoding = detect_encoding(io.BytesIO(content))
    if encoding is None:
        return ""
    letter.notes.extend([encoding.mark] if encoding.mark else [])
    return content.decode(encoding.name, "replace")
