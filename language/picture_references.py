"""Find references to the question's picture ("this bridge"), and replace them by a name.

English, and the commonest such words of Chinese, by patterns without a tagger.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort

from backtrail.language.clauses import tidy
from backtrail.language.current_language import ENGLISH, active_language, reads_english
from backtrail.language.vocabulary import (
    AUXILIARIES,
    BASE_VERBS,
    CLOSING_VERBS,
    CONJUNCTIONS,
    MODIFIER_PARTICIPLES,
    PREPOSITIONS,
    WH_WORDS,
)

_PICTURE = r"(?:picture|image|photo|photograph|figure|screenshot|drawing|painting|diagram|map|poster|logo)"
_SHOWN = r"(?:shown|pictured|depicted|seen|displayed|visible|here|above|below)"
_WHERE = rf"(?:{_SHOWN}\s+){{0,4}}(?:in|on|from)\s+(?:the|this)\s+{_PICTURE}"
# Not across a preposition: in "the name of the tower in the picture" only the tower is a reference.
_NOUNS = r"(?:(?!(?:of|in|on|at|by|for|with|from|to)\b)[\w-]+\s+){1,5}?"
_PLACED = re.compile(
    rf"\b(?:the|this|that|these|those)\s+{_NOUNS}(?:{_WHERE}|(?:shown|pictured|depicted|seen)(?:\s+(?:here|above|below))?)\b",
    re.IGNORECASE,
)
_LOCATED = re.compile(rf"\b{_WHERE}\b|图中的?|图片(?:中的?|里的?|上的?)|照片(?:中的?|里的?|上的?)", re.IGNORECASE)
_CHINESE = re.compile(
    r"(?:这|该|此)(?:个|张|座|位|种|幅|部|款|只|棵|家|支|辆|件|本)?"
    r"(?:人物|人|男人|女人|建筑物|建筑|大楼|桥|动物|植物|地方|物体|东西|品牌|标志|产品|车|电影|游戏|画|雕像|城市)?"
)
_CHINESE_POINTER = re.compile(r"^(?:这|该|此)(?:个|张|座|位|种|幅|部|款|只|棵|家|支|辆|件|本)?")
_DEMONSTRATIVE = re.compile(r"\b(this|these|that|those)\b", re.IGNORECASE)
_WORD = re.compile(r"\s*([\w-]+)")
_POINTER = re.compile(rf"^(?:this|that|these|those)\b|\b{_SHOWN}\b", re.IGNORECASE)
_ENDS_PHRASE = AUXILIARIES | PREPOSITIONS | WH_WORDS | MODIFIER_PARTICIPLES | BASE_VERBS | CLOSING_VERBS | CONJUNCTIONS
_BEFORE_THAT = AUXILIARIES | PREPOSITIONS | CONJUNCTIONS
PHRASE_WORDS = 3
# Characters searched for the word before a reference: longer than any word.
LOOK_BACK = 80


def pointing_phrases(question: str) -> list[str]:
    """Return the phrases that refer to the picture, in order; the longest of overlapping ones."""
    return [question[start:end] for start, end in _places(question)]


def _places(question: str) -> list[tuple[int, int]]:
    """Return the spans of the phrases, in order and without overlap; none for unsupported languages."""
    taken: list[tuple[int, int]] = []
    found_places: list[tuple[int, int]] = []
    if reads_english():
        found_places += [*_spans(_PLACED, question), *_demonstratives(question)]
    if active_language() in (ENGLISH, "zh"):
        found_places += [*_spans(_LOCATED, question), *_spans(_CHINESE, question)]
    for found in found_places:
        place = bisect_left(taken, (found[1], 0))  # the previous one begins last of those that begin before its end
        if place == 0 or taken[place - 1][1] <= found[0]:
            insort(taken, found)
    return taken


def points(question: str) -> bool:
    """Whether a question contains a reference that only a picture can resolve."""
    return bool(pointing_phrases(question))


def with_name(question: str, name: str) -> str:
    """Replace the first reference by a name; later references are removed or kept."""
    phrases = pointing_phrases(question)
    if not phrases:
        return question
    genitive = re.compile(re.escape(phrases[0]) + r"(?:'s|’s)")
    if genitive.search(question):
        return tidy_question(genitive.sub(lambda _: f"{name}'s", question, count=1))
    named = question.replace(phrases[0], f" {name} " if phrases[0].isascii() else name, 1)
    return tidy_question(_LOCATED.sub(" ", named))


def without_pointing(question: str) -> str:
    """Remove references from a question: a search cannot use "this bridge"."""
    kept: list[str] = []
    read = 0
    for start, end in _places(question):
        phrase = question[start:end]
        bare = _POINTER.sub(" ", _CHINESE_POINTER.sub("", _LOCATED.sub(" ", phrase)))
        kept += [question[read:start], f" {bare.strip()} " if phrase.isascii() else bare]
        read = end
    return tidy("".join([*kept, question[read:]]))


def tidy_question(text: str) -> str:
    """Tidy a question, and keep its final mark."""
    mark = text.rstrip()[-1:] if text.rstrip()[-1:] in "?？" else ""
    return f"{tidy(text).rstrip('？')}{mark}"


def _spans(pattern: re.Pattern[str], question: str) -> list[tuple[int, int]]:
    return [match.span() for match in pattern.finditer(question)]


def _demonstratives(question: str) -> list[tuple[int, int]]:
    """Find 'this' and 'these' with their noun; 'that' and 'those' unless they may open a relative clause."""
    found: list[tuple[int, int]] = []
    for match in _DEMONSTRATIVE.finditer(question):
        before = re.findall(r"[\w'’-]+", question[max(0, match.start() - LOOK_BACK) : match.start()])
        if match[1].casefold() in ("that", "those") and before and before[-1].casefold() not in _BEFORE_THAT:
            continue
        end = match.end()
        nouns = 0
        while nouns < PHRASE_WORDS and (word := _WORD.match(question, end)):
            lower = word[1].casefold()
            if lower in _ENDS_PHRASE or lower.endswith("ed"):
                break
            end, nouns = word.end(), nouns + 1
        if match[1].casefold() == "that" and not nouns:
            continue
        found.append((match.start(), end))
    return found
