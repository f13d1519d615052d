"""A mail message of any format: headers, text, inline pictures, attachments."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

HEAD = ("From", "To", "Cc", "Date", "Subject")
"""The lines of a message's head that people see."""

_MESSAGE_ID = re.compile(r"<([^<>\s]{1,500})>")


@dataclass(frozen=True)
class Attachment:
    """A file that came with a message."""

    name: str
    content: bytes


@dataclass
class MailMessage:
    """One message. ``head`` are the lines people see; ``inline`` are pictures by their content ids."""

    head: dict[str, str]
    html: str = ""
    text: str = ""
    inline: dict[str, bytes] = field(default_factory=dict)
    attachments: list[Attachment] = field(default_factory=list)
    id: str = ""
    answers: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)


def message_ids(text: str) -> tuple[str, ...]:
    """The ids in a head line such as "References"."""
    return tuple(dict.fromkeys(_MESSAGE_ID.findall(text)))


def address_of(message_id: str) -> str:
    """The address by which messages name each other (RFC 2392)."""
    return f"mid:{message_id}"
