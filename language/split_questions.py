"""Split a message into its questions.

A question ends with a question mark, begins like a sentence and has a few words. Statements belong to the question
after them, continuations ("And when?", "or B?") to the one before. A message with options is one question.
"""

from __future__ import annotations

import re

from backtrail.language.options import offered
from backtrail.language.sentences import split_sentences

LONGEST = 4_000
"""Characters of a message that is looked at; a longer one is material with a question, and stays whole (ours)."""
_LEAST_WORDS = 3
_ASKS = re.compile(r"[?？؟][)\]\"'”’»“‹›」』”）]*\s*\Z")
_GOES_ON = re.compile(r"(?:and|or|but|und|oder|aber|et|ou|mais|y|o|pero|e|ma|en|of|maar)\b", re.IGNORECASE)


def questions_in(message: str) -> list[str]:
    """Return the questions of a message in order, with their statements; the message if it has one."""
    if len(message) > LONGEST or sum(message.count(mark) for mark in "?？؟") < 2 or offered(message).options:
        return [message]
    found: list[str] = []
    before: list[str] = []
    for sentence in split_sentences(message):
        text = sentence.strip()
        before.append(text)
        if not _ASKS.search(text):
            continue
        if found and not _begins_anew(before):
            found[-1] = " ".join([found[-1], *before])
        else:
            found.append(" ".join(before))
        before = []
    if len(found) < 2:
        return [message]
    return [*found[:-1], " ".join([found[-1], *before])]


def _begins_anew(sentences: list[str]) -> bool:
    """Whether the last of these sentences is an independent question and no continuation."""
    first, last = sentences[0], sentences[-1]
    if len(sentences) == 1 and (first[:1].islower() or _GOES_ON.match(first)):
        return False
    return len(last.split()) >= _LEAST_WORDS or not last.isascii()
