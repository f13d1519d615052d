"""Extract subject, verb and object of plain clauses, by closed word classes and word forms."""

from __future__ import annotations

import re
from dataclasses import dataclass

from backtrail.language.vocabulary import (
    AUXILIARIES,
    BASE_VERBS,
    CLOSING_VERBS,
    CONJUNCTIONS,
    COPULAS,
    DETERMINERS,
    MODIFIER_PARTICIPLES,
    NUMBER_WORDS,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVE_WORDS,
)

_COMMA = re.compile(r"([,;])(?=\s|$)")
_MOST_CLAUSES = 4
_LONGEST_SUBJECT = 10  # words
_LONGEST_OBJECT = 12
_ADVERBS = frozenset(
    {
        "also", "then", "later", "originally", "formerly", "currently", "now", "first", "mainly", "mostly",
        "still", "not", "often",
    }
)  # fmt: skip
_PASSED_OVER = frozenset([",", "and", "but"])
_STOPS = frozenset(";:.") | RELATIVE_WORDS | CONJUNCTIONS | {","}
_BREAKS = _STOPS | (PREPOSITIONS - {"of"})
_IRREGULAR = frozenset(
    {
        "won", "lost", "beat", "led", "held", "took", "gave", "made", "became", "began", "ran", "sang", "wrote",
        "drew", "built", "sold", "bought", "left", "met", "rose", "fell", "grew", "stood", "lay", "hosts",
        "hosted", "plays", "played",
    }
)  # fmt: skip

_VERB_FORMS = BASE_VERBS | CLOSING_VERBS


@dataclass(frozen=True)
class Clause:
    """One clause. ``kind`` is the class noun ("football club") if the clause defines the subject."""

    subject: str
    relation: str
    object: str
    kind: str = ""


def read_clauses(sentence: str) -> list[Clause]:
    """Parse the clauses of a tidied sentence that share its subject, in order; none if it is not plain."""
    tokens = _COMMA.sub(r" \1", sentence).split()
    lower = [token.casefold() for token in tokens]
    verb = _first_verb(tokens, lower)
    if verb is None:
        return []
    subject = " ".join(tokens[: tokens.index(",") if "," in tokens[:verb] else verb])
    clauses: list[Clause] = []
    while verb is not None and len(clauses) < _MOST_CLAUSES:
        found, end = _clause(tokens, lower, subject, verb)
        clauses += found
        verb = _next_verb(lower, end)
    return clauses


def _first_verb(tokens: list[str], lower: list[str]) -> int | None:
    """Find the sentence's verb: right after the subject, or after an apposition between commas."""
    if not tokens or not (tokens[0][:1].isupper() or tokens[0][:1].isdigit()) or lower[0] in PREPOSITIONS:
        return None
    for place in range(1, min(len(tokens), _LONGEST_SUBJECT)):
        if _is_verb(lower, place):
            return place
        if tokens[place] == ",":
            closing = next((i for i in range(place + 1, min(len(tokens), place + 12)) if tokens[i] == ","), None)
            after = closing + 1 if closing is not None else None
            return after if after is not None and after < len(tokens) and _is_verb(lower, after) else None
        in_name = tokens[place][:1].isupper() or tokens[place][:1].isdigit() or lower[place] in ("of", "the", "and")
        if not in_name and lower[0] not in DETERMINERS:
            return None
    return None


def _is_verb(lower: list[str], place: int) -> bool:
    word = lower[place]
    if word in AUXILIARIES or word in _IRREGULAR or word in CLOSING_VERBS:
        return word != "'s"
    if word in PREPOSITIONS or word in DETERMINERS or word in PRONOUNS:
        return False
    third_person = word.endswith("s") and not _VERB_FORMS.isdisjoint((word[:-1], word[:-2]))
    return third_person or (word.endswith("ed") and len(word) > 4)


def _next_verb(lower: list[str], start: int) -> int | None:
    """Find the next verb of the same subject, after a comma or conjunction."""
    place = start
    while place < len(lower) and lower[place] in _PASSED_OVER:
        place += 1
    return place if start < place < len(lower) and _is_verb(lower, place) else None


def _clause(tokens: list[str], lower: list[str], subject: str, verb: int) -> tuple[list[Clause], int]:
    """Return the clauses of one verb, and where the text after them begins."""
    end = verb + 1
    while end < len(tokens) and (lower[end] in _ADVERBS or lower[end] in AUXILIARIES):
        end += 1
    after = lower[end] if end < len(tokens) else ""
    if lower[end - 1] in COPULAS and (after in DETERMINERS or after == "one"):
        return _definition(tokens, lower, subject, verb, end)
    if lower[verb] in AUXILIARIES and end < len(tokens) and (_is_verb(lower, end) or after in MODIFIER_PARTICIPLES):
        end += 1
    if end < len(tokens) and lower[end] in PREPOSITIONS - {"of"}:
        end += 1
    return _with_object(tokens, lower, subject, verb, end)


def _definition(tokens: list[str], lower: list[str], subject: str, verb: int, start: int) -> tuple[list[Clause], int]:
    """Parse a definition such as "is a town in Grant County", with its place, owner or part."""
    end = start
    while end < len(tokens) and lower[end] not in _BREAKS and not _opens_modifier(lower, end):
        end += 1
    noun = tokens[start + 1 : end] if lower[start] in DETERMINERS else tokens[start:end]
    if not noun or len(noun) > _LONGEST_OBJECT:
        return [], end
    kind = "" if noun and noun[-1].casefold() in NUMBER_WORDS else " ".join(_class_noun(noun))
    clauses = [Clause(subject, f"{lower[verb]} a", kind, kind)] if kind else []
    link = end
    while link < len(tokens) and link - end < 2 and (_opens_modifier(lower, link) or lower[link] in PREPOSITIONS):
        link += 1
    if link > end and kind:
        relation_end = link
        found, stop = _with_object(tokens, lower, subject, end, relation_end)
        clauses += [Clause(subject, f"{kind} {clause.relation}", clause.object) for clause in found]
        end = max(end, stop)
    return clauses, end


def _opens_modifier(lower: list[str], place: int) -> bool:
    """Whether a participle after a noun opens its modifier: "conducted by", "based in"."""
    word = lower[place]
    following = lower[place + 1] if place + 1 < len(lower) else ""
    return word in MODIFIER_PARTICIPLES or (word.endswith("ed") and following in PREPOSITIONS)


def _class_noun(noun: list[str]) -> list[str]:
    """Return the last lower-case words, two at most: the class of the thing."""
    before_of = noun[: noun.index("of")] if "of" in noun[1:] else noun
    small = [word for word in before_of[-2:] if word.islower() and word.isalpha() and word not in DETERMINERS]
    return small if before_of and before_of[-1].islower() else []


def _with_object(tokens: list[str], lower: list[str], subject: str, verb: int, start: int) -> tuple[list[Clause], int]:
    """Return a clause whose object begins at ``start``; none without a name or number in it."""
    end = start
    while end < len(tokens) and lower[end] not in _BREAKS and end - start <= _LONGEST_OBJECT:
        end += 1
    if end + 1 < len(tokens) and tokens[end] == "," and tokens[end + 1].isdigit() and len(tokens[end + 1]) == 4:
        end += 2  # "November 28, 1976"
    phrase = tokens[start:end]
    names = any(token[:1].isupper() or token[:1].isdigit() for token in phrase)
    if not names or len(phrase) > _LONGEST_OBJECT:
        return [], end
    relation = " ".join(word for word in lower[verb:start] if word not in _ADVERBS)
    return [Clause(subject, relation, " ".join(phrase))] if relation else [], end
