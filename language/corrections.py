"""Corrections of what was understood: "no, I meant Titan", "not that one, the other".

The words that announce one are known in several languages; what follows them is the text's own.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

LONGEST = 300
"""Characters of a correction; a longer message says for itself what it asks (ours)."""
_NO = r"(?:no|nope|nah|wrong|sorry|not that(?: one)?|nein|falsch|non|nee|não|nao|нет)"
_MEANT = (
    r"(?:i|we) (?:meant|mean|was asking about|were asking about|asked about)|ich (?:meinte|meine)|"
    r"je (?:voulais dire|parlais de|parle de)|me refería a|me refiero a|quería decir|"
    r"intendevo|intendo|volevo dire|"
    r"eu (?:quis dizer|quero dizer)|quis dizer|ik bedoel(?:de)?|я имел[аи]? в виду"
)
_OTHERS = (
    r"(?:not that(?: one)?,? )?the other(?: one| ones)?|(?:das|die|den|der) andere[nrs]?|l[’']autre|el otro|la otra|"
    r"l[’']altr[oa]|o outro|a outra|de andere|het andere|друг(?:ой|ая|ое|ую)"
)
_SAID_NO = re.compile(rf"\s*{_NO}\b[\s,.;:!–-]{{1,10}}", re.IGNORECASE)
_SAID_MEANT = re.compile(rf"\s*(?:{_MEANT})\s+", re.IGNORECASE)
_SAID_OTHER = re.compile(rf"(?:{_OTHERS})", re.IGNORECASE)


class Correction(NamedTuple):
    """What a correction puts in place of what was understood.

    ``meant``: ``text`` was meant. ``other``: not what was answered. ``no``: a refusal, and ``text`` asks on.
    """

    kind: Literal["meant", "other", "no"]
    text: str


def correction(message: str) -> Correction | None:
    """What a message corrects; None of one that corrects nothing."""
    if len(message) > LONGEST:
        return None
    refused = _SAID_NO.match(message)
    rest = message[refused.end() :] if refused else message
    meant = _SAID_MEANT.match(rest)
    rest = (rest[meant.end() :] if meant else rest).strip(" \t\n.?!,;:")
    if _SAID_OTHER.fullmatch(rest):
        return Correction("other", "")
    if meant and rest:
        return Correction("meant", rest)
    return Correction("no", message[refused.end() :].strip()) if refused and rest else None
