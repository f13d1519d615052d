"""Resolve a pronoun by the question before it: a name, or nothing if ambiguous.

A wrong name finds the wrong page, so an ambiguous pronoun stays (ours).
"""

from __future__ import annotations

import re

from backtrail.language.terms import FUNCTION_WORDS
from backtrail.language.vocabulary import AUXILIARIES, MONTHS, PREPOSITIONS, PRONOUNS

WEEKDAYS = frozenset(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))

LOOK_BACK = 80
"""Characters searched for the word before a name: longer than any word."""

_AMOUNT = re.compile(r"\d\s?$")
_WORD = re.compile(r"\s+([a-z][\w’'-]*)")
_POINTING = re.compile(r"\b(?:this|that|these|those)\s+\w", re.IGNORECASE)
_NAME = re.compile(r"(?:the\s+)?\b[A-Z][\w’'-]*(?:\s+(?:of|the|de|[A-Z0-9][\w’'-]*))*(?<!\bof)(?<!\bthe)")
_SUBJECT = re.compile(r"\b(it|he|she|they|him|them|this|that|these|those)\b", re.IGNORECASE)
_OWNER = re.compile(r"\b(its|his|their|her)\b(?=\s+\w)", re.IGNORECASE)
_OF_A_PERSON = re.compile(r"\b(?:he|she|him|his|her|hers)\b", re.IGNORECASE)
_OF_SEVERAL = re.compile(r"\b(?:they|them|their|theirs)\b", re.IGNORECASE)
_ASKS_WHO = re.compile(r"^\W*(?:\w+\s+)?(?:who|whom|whose)\b", re.IGNORECASE)
_ASKS_FOR_A_THING = re.compile(
    r"^\W*(?:(?:in|at|on|from|by|to|for)\s+)?(?:what|which)\b(?!\s+(?:year|month|day|date|time|age)\b)", re.IGNORECASE
)
_ASKS_HOW_MANY = re.compile(r"^\W*how\s+many\b", re.IGNORECASE)
_IS = re.compile(r"^\W*(?:who|what) (?:is|are|was|were) (?:the )?(.+)$", re.IGNORECASE)


def name_meant(asked: str, following: str) -> str:
    """Return the name in ``asked`` that the pronoun of ``following`` refers to; "" if none or ambiguous.

    It is ambiguous with several names, with a name that only describes something ("the Swedish film") or locates it
    ("the mayor of Paris"), and if the pronoun may mean the answer of the first question: "he" after "who founded
    Acme", "it" after "which river crosses Paris", "they" after "how many moons does Mars have".
    """
    if not any(word.casefold() in PRONOUNS for word in following.split()) or _POINTING.search(following):
        return ""
    names = _names(asked)
    if len(names) != 1 or asks_for_what_is_meant(asked, following):
        return ""
    name, before = names[0]
    last = re.findall(r"[\w’'-]+", before)[-1:]
    return "" if last and last[0].casefold() in PREPOSITIONS and not defined(asked) else name


def asks_for_what_is_meant(asked: str, following: str) -> bool:
    """Whether the pronoun of the second question may refer to the answer of the first."""
    if defined(asked):
        return False
    if _OF_A_PERSON.search(following) or (_OF_SEVERAL.search(following) and _ASKS_WHO.match(asked)):
        return bool(_ASKS_WHO.match(asked))
    if _OF_SEVERAL.search(following) and _ASKS_HOW_MANY.match(asked):
        return True
    return bool(_ASKS_FOR_A_THING.match(asked))


def defined(asked: str) -> str:
    """Return the name of a question that only asks what or who it is; "" for other questions."""
    found = _IS.match(" ".join(asked.split()).rstrip(" ?.!"))
    whole = found.group(1) if found else ""
    return whole if (name := _NAME.match(whole)) and name.end() == len(whole) else ""


def is_date(name: str) -> bool:
    """Whether a name is a day, month or year."""
    return all(word.casefold() in MONTHS | WEEKDAYS or word.isdigit() for word in name.split())


def _names(asked: str) -> list[tuple[str, str]]:
    """Return the names that a pronoun may refer to, each with the words before it."""
    asked = " ".join(asked.split())
    start = re.match(r"^\W*\w+", asked)
    text = asked[start.end() :] if start else asked
    found: list[tuple[str, str]] = []
    describes = False
    for name in _NAME.finditer(text):
        before = text[max(0, name.start() - LOOK_BACK) : name.start()]
        if is_date(name.group()) or _AMOUNT.search(before):
            continue
        found.append((name.group(), before))
        following = _WORD.match(text, name.end())
        verb = _follows_auxiliary(name.group(), before)
        describes = describes or (following is not None and not verb and following.group(1) not in FUNCTION_WORDS)
    return [] if len(found) == 1 and describes else found


def _follows_auxiliary(name: str, before: str) -> bool:
    """Whether a verb comes after the name ("was Acme sold"), and no noun ("was the Swedish film shown")."""
    return not name.startswith("the ") and before.split()[-1:] != [] and before.split()[-1].casefold() in AUXILIARIES


def replace_pronoun(text: str, name: str) -> str:
    """Replace the first pronoun by a name, in the genitive if the pronoun is possessive."""
    owner, subject = _OWNER.search(text), _SUBJECT.search(text)
    if owner and (not subject or owner.start() < subject.start()):
        genitive = f"{name}'" if name.endswith("s") else f"{name}'s"
        return text[: owner.start()] + genitive + text[owner.end() :]
    if subject:
        return text[: subject.start()] + name + text[subject.end() :]
    return re.sub(r"\bher\b", lambda _: name, text, count=1, flags=re.IGNORECASE)
