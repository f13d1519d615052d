"""Extract keywords for the knowledge graph offline: names as low level, other words as high level."""

from __future__ import annotations

import re

from backtrail.language.questions import analyse
from backtrail.language.spans import names_in
from backtrail.language.terms import FUNCTION_WORDS, words
from backtrail.state.hm_rag.decisions import KeywordLists, KeywordsInputs

MOST = 6
LONGEST = 300


def keywords(inputs: KeywordsInputs) -> KeywordLists:
    """Extract low-level and high-level keywords.

    Low: quoted and proper names, else content words. High: the question without function words, and its options.
    """
    shape = analyse(inputs.question)
    # A single capitalised word that opens a sentence may be a name all the same; a question word is none.
    opening = inputs.question.split()[:1] if not _asks(inputs.question) else []
    named = [*shape.quoted, *names_in(inputs.question), *opening]
    content = words(inputs.question)
    low = _distinct([*named, *(one.text for one in inputs.options if len(one.text) <= 60)]) or _distinct(content)
    theme = " ".join(re.findall(r"\S+", " ".join(_kept(inputs.question)))) or inputs.question
    return KeywordLists(low_level=low[:MOST], high_level=[theme[:LONGEST]])


def _asks(question: str) -> bool:
    return question.split()[:1] != [] and question.split()[0].casefold().strip("?!.,") in FUNCTION_WORDS


def _kept(question: str) -> list[str]:
    return [word for word in re.findall(r"[\w’'.-]+", question) if word.casefold() not in FUNCTION_WORDS]


def _distinct(found: list[str]) -> list[str]:
    """Remove duplicates regardless of case, outer punctuation, and empty or overlong items."""
    by_key: dict[str, str] = {}
    for name in found:
        name = " ".join(name.split()).strip(" .,;:?!\"'")
        if name and len(name) <= LONGEST:
            by_key.setdefault(name.casefold(), name)
    return list(by_key.values())
