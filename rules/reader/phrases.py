"""Phrases: answers that no name or number gives, each told by the word before it.

"… because hail had broken the tiles" gives a reason, "… signed by the duty engineer" whoever does it, and "the car park
behind Morrow Lock" is the place, of which the lock is only where it lies. English only.
"""

from __future__ import annotations

import re

# Up to the next mark that ends a clause. "Because of" is not said again with the reason.
_REASON = re.compile(
    r"\b(?:because(?:\s+of)?|due\s+to|owing\s+to|as\s+a\s+result\s+of|thanks\s+to|on\s+account\s+of|so\s+that|in\s+order\s+to)"
    r"\s+(?P<said>[^.;:()!?]{3,200}?)(?=\s*(?:[.;:()!?]|,\s+(?:and|but|which|who)\b|$))",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?P<said>(?:only\s+)?(?:when(?:ever)?|if|once|after|before|during|while|until|unless|as\s+soon\s+as|upon"
    r"|every(?=\s+(?:\w+\s+)?(?:time|day|night|week|month|quarter|year|morning|evening|\w+day)s?\b)"
    r"|(?:at|on)(?=\s+(?:start|boot|shut|run|build|compile|night|midnight|noon|login|exit|(?:the\s+)?(?:\w+\s+)?\w+days?\b|the\s+(?:start|end)\b)))"
    r"\s+[^.;:()!?]{2,160}?)(?=\s*(?:[.;:()!?]|,\s|$))",
    re.IGNORECASE,
)
_AGENT = re.compile(
    r"\bby\s+(?P<said>(?:the|an?|our|your|its|their|one\s+of\s+the)\s+(?:[a-z][\w’'-]*\s+){0,3}?[a-z][\w’'-]*)"
    r"(?=\s*(?:[.,;:()!?]|$|\b(?:and|or|before|after|on|in|at|for|to|from|with|when|who|which|within|if|until|every|each)\b))"
)
# A place that is told by another one; "in" and "of" say that it is the other's part, "at" that it is that.
_LIES = (
    r"(?:behind|besides?|opposite|under|underneath|below|above|outside|near|between|beyond|off|next\s+to|in\s+front\s+of"
    r"|across\s+from)"
)
_LYING = re.compile(
    rf"(?P<place>\b(?:the|an?|its|their|his|her|our)\s+(?:[a-z][\w’'-]*\s+){{1,3}}{_LIES}\s+(?:(?:the|an?)\s+)?)$",
    re.IGNORECASE,
)
# What makes a number less, or more, than it says.
_BOUND = re.compile(
    r"\b(?:(?:no|not)\s+)?(?:more|less|fewer|greater)\s+than\s+$|\b(?:at\s+(?:least|most)|up\s+to|over|under|nearly|almost)\s+$",
    re.IGNORECASE,
)


_NUMBERED = r"(?:once|twice|(?:one|two|three|four|five|six|\d{1,4})(?:\s+(?:times?|days?|hours?))?)"
_PERIOD = (
    r"(?:second|minute|hour|day|night|week|fortnight|month|quarter|year|decade|season"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
)
_FREQUENCY = re.compile(
    r"\b(?:annually|yearly|monthly|weekly|daily|hourly|quarterly|nightly|fortnightly"
    r"|biannually|biennially|bimonthly|biweekly)\b"
    rf"|\b{_NUMBERED}\s+(?:a|an|per|each|every|in\s+(?:a|an|every))\s+(?:calendar\s+|school\s+)?{_PERIOD}\b"
    rf"|\bevery\s+(?:(?:other|second|third|fourth|single|few|two|three|four|five|six|ten|\d{{1,5}})\s+)?{_PERIOD}s?\b",
    re.IGNORECASE,
)


def frequencies(sentence: str) -> list[re.Match[str]]:
    """How often something is done, as a sentence says it: "twice a year", "monthly", "every 15 minutes"."""
    return list(_FREQUENCY.finditer(sentence))


def reasons(sentence: str) -> list[re.Match[str]]:
    """What a sentence gives as a reason; ``said`` is the reason without the word that opens it."""
    return list(_REASON.finditer(sentence))


def conditions(sentence: str) -> list[re.Match[str]]:
    """Under which condition, or on which occasion, something is so; ``said`` with the word that opens it."""
    return list(_CONDITION.finditer(sentence))


def agents(sentence: str) -> list[str]:
    """Whoever does what a sentence says is done, where it is no name: "the duty engineer"."""
    return [match["said"] for match in _AGENT.finditer(sentence)]


def whole_place(sentence: str, start: int, text: str) -> str:
    """A named place with what lies there: "the car park behind Morrow Lock" for "Morrow Lock"; else the text."""
    before = _LYING.search(sentence[max(0, start - 80) : start])
    return f"{before['place']}{text}" if before else text


def whole_quantity(sentence: str, start: int, text: str) -> str:
    """A number with the bound before it: "more than 30 million" for "30 million"; else the text."""
    before = _BOUND.search(sentence[max(0, start - 20) : start])
    return f"{before.group()}{text}" if before else text
