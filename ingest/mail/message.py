"""Mail message of any format: headers, text, inline pictures, attachments."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

HEAD = ("From", "To", "Cc", "Date", "Subject")
"""Headers that are shown to people."""

_MESSAGE_ID = re.compile(r"<([^<>\s]{1,500})>")


@dataclass(frozen=True)
class Attachment:
    """A file attached to a message."""

    name: str
    content: bytes


@dataclass
class MailMessage:
    """One message. ``head`` has the headers of ``HEAD``; ``inline`` has pictures by content id."""

    head: dict[str, str]
    html: str = ""
    text: str = ""
    inline: dict[str, bytes] = field(default_factory=dict)
    attachments: list[Attachment] = field(default_factory=list)
    id: str = ""
    answers: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)


def message_ids(text: str) -> tuple[str, ...]:
    """Return the message ids in a header such as "References"."""
    return tuple(dict.fromkeys(_MESSAGE_ID.findall(text)))


def address_of(message_id: str) -> str:
    """Return the URL of a message id (RFC 2392)."""
    return f"mid:{message_id}"
