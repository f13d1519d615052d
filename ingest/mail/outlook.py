"""Reader of Outlook messages (.msg), on python-oxmsg."""

from __future__ import annotations

import struct
from pathlib import Path

import oxmsg

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.html.source import decode
from backtrail.ingest.mail.message import Attachment, MailMessage, message_ids

MAX_BYTES = 64 * 2**20

_BROKEN = (
    OSError, ValueError, TypeError, LookupError, AttributeError, AssertionError, NotImplementedError, struct.error,
    RecursionError, OverflowError,
)  # fmt: skip
"""Errors of oxmsg and olefile on damaged messages."""


def read_msg(path: Path) -> MailMessage:
    """Read a message from a file. Rich text (RTF) is not read.

    Raises:
        UnreadableSource: it is damaged, larger than 64 MB, or not a message.
    """
    if path.stat().st_size > MAX_BYTES:
        problem = f"is {path.stat().st_size / 2**20:.0f} MB, more than {MAX_BYTES // 2**20} MB"
        raise UnreadableSource(str(path), problem, "Save its attachments as separate files")
    try:
        return _letter(oxmsg.Message.load(str(path)))
    except _BROKEN as error:
        problem = f"this is not an Outlook message, or it is damaged ({type(error).__name__}: {error})"[:200]
        raise UnreadableSource(str(path), problem, "Open it in Outlook and save it again") from error


def _letter(message: oxmsg.Message) -> MailMessage:
    headers = {name.lower(): value for name, value in (message.message_headers or {}).items()}
    recipients = ", ".join(f"{one.name} <{one.email_address}>" for one in message.recipients or [])
    sent = message.sent_date.strftime("%a, %d %b %Y %H:%M:%S %z").strip() if message.sent_date else ""
    head = {
        "From": message.sender or headers.get("from", ""),
        "To": headers.get("to", "") or recipients,
        "Cc": headers.get("cc", ""),
        "Date": headers.get("date", "") or sent,
        "Subject": message.subject or "",
    }
    html = message.html_body or ""
    letter = MailMessage(
        {name: " ".join(str(text).split()) for name, text in head.items() if text},
        html=html if isinstance(html, str) else decode(html) or "",
        text=message.body or "",
        id=next(iter(message_ids(headers.get("message-id", ""))), ""),
        answers=message_ids(f"{headers.get('in-reply-to', '')} {headers.get('references', '')}"),
    )
    for number, one in enumerate(message.attachments or [], start=1):
        try:
            content = one.file_bytes
        except _BROKEN:
            content = None
        if content:
            letter.attachments.append(Attachment(one.file_name or f"part-{number}.bin", content))
        else:
            letter.notes.append(f"attachment {number} is not a file and was not read")
    return letter
