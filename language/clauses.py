"""Split nested questions into a noun phrase with its identifying clause, and the main clause.

"Who created the series in which Robert appeared?" is "Who created the series?" about "the series in
which Robert appeared". Relative pronouns and participles mark the split, without a tagger. Without a clear mark the
question stays whole.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from backtrail.language.current_language import reads_english
from backtrail.language.vocabulary import (
    AUXILIARIES,
    BASE_VERBS,
    CLOSING_VERBS,
    CONJUNCTIONS,
    COPULAS,
    DETERMINERS,
    MODIFIER_PARTICIPLES,
    PREPOSITIONS,
    RELATIVE_WORDS,
    WH_WORDS,
)

_SPACE_BEFORE = re.compile(r"(?<!\s)\s+([,.;:?!)\]]|['’]s\b)")
_SPACE_AFTER = re.compile(r"([(\[])\s+")
# Most words between a noun and its determiner: "the 2012 Copa Chile fourth round home team".
PHRASE_WORDS = 10
# Shorter clauses identify nothing worth a separate search.
LEAST_CLAUSE_WORDS = 2
_NO_CONTENT = COPULAS | DETERMINERS | WH_WORDS | {"of", "name"}
_NOT_BEFORE_A_VERB = AUXILIARIES | PREPOSITIONS | DETERMINERS | RELATIVE_WORDS


@dataclass(frozen=True)
class Split:
    """A nested question: the identifying phrase, its bare noun phrase, and the main question about it."""

    inner: str
    bridge: str
    outer: str


def tidy(text: str) -> str:
    """Normalise white space, and remove trailing punctuation."""
    text = " ".join(text.split())
    text = _SPACE_AFTER.sub(r"\1", _SPACE_BEFORE.sub(r"\1", text))
    return text.strip(" ,;:?.!")


def split_question(question: str) -> Split | None:
    """Split off the outermost identifying clause; None if there is none or the language is not English."""
    tokens = _tokenised(question)
    lower = [token.casefold() for token in tokens]
    if not tokens or not reads_english():
        return None
    return _modified(tokens, lower)


def _tokenised(question: str) -> list[str]:
    tokens = [token for raw in question.split() for token in _tokens(raw)]
    return tokens[:-1] if tokens and tokens[-1] in "?.!" else tokens


def focus_of(question: str) -> str:
    """Return the main clause without identifying clauses; the whole question if it is not nested."""
    split = split_question(question)
    return split.outer if split else question


def _tokens(raw: str) -> list[str]:
    match = re.fullmatch(r"(.*?)([,?!;:]|\.(?=$))?", raw, re.DOTALL)
    assert match is not None
    body, mark = match.groups()
    if mark == "." and (len(body) < 3 or "." in body):  # an initial or an abbreviation
        return [raw]
    return [part for part in (body, mark) if part]


def _text(tokens: list[str]) -> str:
    return tidy(" ".join(tokens))


@dataclass(frozen=True)
class _Marks:
    """Word positions in a question, computed once for all its clauses; the question's length means none."""

    content: int  # the first content word
    auxiliary: int  # the first auxiliary
    do: int  # the first "do", "does" or "did"
    asking: list[int]  # every "what" and "how"
    verbs: list[int]  # every base verb that can follow "did"


def _marks(tokens: list[str], lower: list[str]) -> _Marks:
    return _Marks(
        content=_first_content(lower),
        auxiliary=next((i for i, word in enumerate(lower) if word in AUXILIARIES), len(lower)),
        do=next((i for i, word in enumerate(lower) if word in ("do", "does", "did")), len(lower)),
        asking=[i for i, word in enumerate(lower) if word in ("what", "how")],
        verbs=[i for i in range(1, len(lower)) if tokens[i] in BASE_VERBS and lower[i - 1] not in _NOT_BEFORE_A_VERB],
    )


def _modified(tokens: list[str], lower: list[str]) -> Split | None:
    start = 2 if lower[0] in PREPOSITIONS else 1
    marks = _marks(tokens, lower)
    for mark in range(start + 1, len(tokens)):
        if not _opens_modifier(tokens, mark):
            continue
        after_noun = mark
        while after_noun > start and lower[after_noun - 1] in PREPOSITIONS | {","}:
            after_noun -= 1
        noun = _phrase_start(lower, after_noun, start)
        if noun is None or len(tokens) - mark <= LEAST_CLAUSE_WORDS or noun <= marks.content:
            continue
        end = _clause_end(marks, tokens, lower, noun, mark)
        if bisect_left(marks.asking, mark) < bisect_left(marks.asking, end):
            continue
        bridge = tokens[noun:after_noun]
        outer = [*tokens[:noun], *bridge, *tokens[end:]]
        return Split(_text(tokens[noun:end]), _text(bridge), _text(outer) + "?")
    return None


def _opens_modifier(tokens: list[str], i: int) -> bool:
    """Whether this word opens a clause that describes the noun before it."""
    word, before = tokens[i].casefold(), tokens[i - 1].casefold()
    following = tokens[i + 1].casefold() if i + 1 < len(tokens) else ""
    if word in RELATIVE_WORDS:
        return before not in CONJUNCTIONS and before not in AUXILIARIES and following != ""
    if word in MODIFIER_PARTICIPLES:
        return following != "" and before not in AUXILIARIES | PREPOSITIONS | WH_WORDS | DETERMINERS | CONJUNCTIONS
    # "with" inside a name ("Dancing with the Stars") describes nothing.
    return word == "with" and tokens[i - 1].islower() and (following in DETERMINERS or following in ("most", "least"))


def _phrase_start(lower: list[str], end: int, least: int) -> int | None:
    """Position of the determiner that opens the noun phrase ending before ``end``."""
    for i in range(end - 1, max(least - 1, end - 1 - PHRASE_WORDS), -1):
        if lower[i] in WH_WORDS:
            return None
        if lower[i] in DETERMINERS:
            return i if end - i > 1 else None
    return None


def _first_content(lower: list[str]) -> int:
    """Position of the first content word; a phrase that starts up to there describes the answer itself.

    'Who was the cyclist who …' has nothing to bridge.
    """
    return next((i for i, word in enumerate(lower) if word not in _NO_CONTENT), len(lower))


def _clause_end(marks: _Marks, tokens: list[str], lower: list[str], noun: int, mark: int) -> int:
    """Position where the identifying clause ends: before the main clause's verb, else at the end."""
    last = len(lower) - 1
    if marks.auxiliary >= noun or last - mark < LEAST_CLAUSE_WORDS:
        return len(lower)
    if marks.do < noun:
        verb = bisect_left(marks.verbs, mark + LEAST_CLAUSE_WORDS)
        if verb < len(marks.verbs):
            return marks.verbs[verb]
    before = lower[last - 1]
    if (lower[last] in CLOSING_VERBS or lower[last].endswith("ed")) and before not in AUXILIARIES | PREPOSITIONS:
        return last
    if lower[last] in PREPOSITIONS and before in CLOSING_VERBS:
        return last - 1
    return len(lower)
