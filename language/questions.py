"""Analyse what a question asks for: kind of answer, head nouns, constraints.

English only. In other languages it extracts terms, names, quotations and numbers; the kind of answer is
"unknown", and readers quote.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from backtrail.language.clauses import focus_of
from backtrail.language.current_language import reads_english
from backtrail.language.sentences import split_sentences
from backtrail.language.terms import content_terms, first_terms
from backtrail.language.vocabulary import (
    AUXILIARIES,
    BASE_VERBS,
    CLOSING_VERBS,
    COMPARING,
    COPULAS,
    DETERMINERS,
    MEASURES,
    MODIFIER_PARTICIPLES,
    PREPOSITIONS,
    RELATIVE_WORDS,
    WH_WORDS,
    AnswerKind,
    kind_of_noun,
)

_TOKEN = re.compile(r"'s\b|\w+(?:[-’'.]\w+)*(?<!'s)|[^\w\s]")
_QUOTED = re.compile(r"[\"“”«»„「『《]([^\"“”«»„「」『』《》]{2,80})[\"“”«»„」』》]")
# "…, X or Y?", and "… , X or Y, …?"
_CHOICE = re.compile(
    r"[,:] (?!(?:how|where|when|why|or)\b)(?:(?:is|are|was|were|did|does|do) )?([^,:?]{1,60}?),? or ([^,:?]{1,60}?)"
    r"(?:,[^?]*)?[ ?]*$",
    re.IGNORECASE,
)
# "West" and "forest" match too, which is harmless: such a word usually occurs in the source as well.
_SUPERLATIVE = re.compile(r"[a-z]{2,}est")
_STOPS = AUXILIARIES | PREPOSITIONS | RELATIVE_WORDS | MODIFIER_PARTICIPLES | {",", "?", ":", ";", "and", "or"}
_CHOICE_CHARACTERS = 400
_POINTING = re.compile(r"^(?:(?:is|was|are|were|the|full|real) ){0,3}(?:names?|type|kind|sort|title) of ")
# Most words of the noun phrase after "what": "what 1999 European science fiction film".
PHRASE_WORDS = 8
# Most distinct terms compared with evidence, those of the main clause first. Of 3,725 questions of public
# benchmarks, hints and options included, the longest has 188.
MOST_TERMS = 256


@dataclass(frozen=True)
class QuestionShape:
    """An analysed question. Terms are stems."""

    text: str
    kind: AnswerKind
    heads: frozenset[str]  # the nouns that name the answer: "which *river*", "the *capital* of …"
    terms: frozenset[str]  # every content term
    focus: frozenset[str]  # terms of the main clause, without identifying clauses
    names: frozenset[str]  # case-folded words with a capital or a digit
    quoted: tuple[str, ...]
    comparing: frozenset[str]  # words that compare, order or add up in the main clause: "highest", "before", "total"
    options: tuple[str, ...]  # "X or Y" if the question offers a choice


def analyse(question: str) -> QuestionShape:
    """Analyse a question; what is not recognised stays empty."""
    if not reads_english():
        return _plain(question)
    tokens = tokens_of(question)
    place = interrogative_place(tokens)
    heads = head_nouns(tokens, place)
    kind = _kind(tokens, place, heads)
    choice = _CHOICE.search(" ".join(question.split())[-_CHOICE_CHARACTERS:])
    options = choice.groups() if choice else ()
    clause = asking_clause(question)
    if options:
        kind = "choice"
    return QuestionShape(
        text=question,
        kind=kind,
        heads=content_terms(" ".join(heads)),
        terms=first_terms(f"{clause} {question}", MOST_TERMS),
        focus=first_terms(clause, MOST_TERMS),
        names=_names(question),
        quoted=_quotations(question),
        comparing=_comparing(clause),
        options=options,
    )


def _comparing(clause: str) -> frozenset[str]:
    """Find words that compare, order or add up."""
    return frozenset(word for word in tokens_of(clause) if word in COMPARING or _SUPERLATIVE.fullmatch(word))


def tokens_of(text: str) -> list[str]:
    """Split a text into lower-case words and punctuation marks, in order."""
    return [token.casefold() for token in _TOKEN.findall(text)]


def _plain(question: str) -> QuestionShape:
    """Analyse a question in any language."""
    terms = first_terms(question, MOST_TERMS)
    return QuestionShape(
        text=question,
        kind="unknown",
        heads=frozenset(),
        terms=terms,
        focus=terms,
        names=_names(question),
        quoted=_quotations(question),
        comparing=frozenset(),
        options=(),
    )


def _names(question: str) -> frozenset[str]:
    return frozenset(
        word.casefold() for word in re.findall(r"\w+", question) if word[:1].isupper() or word[:1].isdigit()
    )


def _quotations(question: str) -> tuple[str, ...]:
    return tuple(match.strip() for match in _QUOTED.findall(question))


def asking_clause(question: str) -> str:
    """Return the main clause, without identifying clauses.

    Of several sentences it uses the last one with a question word. A relative clause behind the verb
    ("the craft launched that identified …") ends the main clause; others are cut out by their marks.
    """
    sentence = asking_sentence(question)
    tokens = _TOKEN.findall(sentence)
    lower = [token.casefold() for token in tokens]
    place = interrogative_place(lower)
    if place is None:
        return focus_of(sentence)
    if place > 1:  # "For the series where …, where do …?", "The driver who … was of what nationality?"
        before = (i for i in range(place - 1, 0, -1) if lower[i] in AUXILIARIES)
        opens = place if lower[place - 1] == "," else next(before, place)
        described = next((i for i in range(1, opens) if lower[i] in RELATIVE_WORDS | MODIFIER_PARTICIPLES), 0)
        return " ".join([*tokens[:described], *tokens[opens:]]) if described else sentence
    auxiliary = next((i for i, token in enumerate(lower) if token in AUXILIARIES), len(lower))
    for mark in range(max(place + 3, auxiliary + 1), len(tokens) - 1):
        if lower[mark] in RELATIVE_WORDS and lower[mark - 1] not in _NO_NOUN and _behind_verb(lower, place, mark):
            return " ".join(tokens[:mark])
    return focus_of(sentence)


def asking_sentence(question: str) -> str:
    """Return the last sentence with a question word; the whole question if there is none."""
    sentences = [part for part in split_sentences(question) if WH_WORDS & set(_TOKEN.findall(part.casefold()))]
    return sentences[-1] if sentences else question


_VERBS = BASE_VERBS | CLOSING_VERBS
_NO_NOUN = AUXILIARIES | PREPOSITIONS | DETERMINERS | WH_WORDS | {"and", "or", ","}


def _behind_verb(lower: list[str], place: int, mark: int) -> bool:
    """Whether the main clause has its verb right before this mark: "did the capsule come down | that …"."""
    return any(
        lower[i] in _VERBS or lower[i].endswith("ed")
        for i in range(max(place + 3, mark - 2), mark)
        if lower[i - 1] not in DETERMINERS
    )


def interrogative_place(tokens: list[str]) -> int | None:
    """Return the position of the question word, or None for yes/no questions and other text.

    It is first, after a preposition, or late ("… is from what country?").
    """
    if not tokens:
        return None
    subordinate = tokens[0] == "when" and len(tokens) > 1 and tokens[1] not in AUXILIARIES
    if tokens[0] in WH_WORDS and not subordinate:
        return 0
    if tokens[0] in PREPOSITIONS and len(tokens) > 1 and tokens[1] in WH_WORDS:
        return 1
    if tokens[0] in AUXILIARIES:
        return None
    after_comma = [i for i, token in enumerate(tokens) if token in WH_WORDS and i and tokens[i - 1] == ","]
    for i in after_comma:
        if i + 1 < len(tokens) and (tokens[i] in ("what", "how", "when", "why") or tokens[i + 1] in AUXILIARIES):
            return i
    # "what" and "how" are hardly ever relative; other question words count if they come late.
    late = [i for i, token in enumerate(tokens) if token in ("what", "how")]
    late = late or [i for i, token in enumerate(tokens) if token in WH_WORDS]
    return late[-1] if late else None


def head_nouns(tokens: list[str], place: int | None) -> list[str]:
    """Return the nouns that name the answer, the nearest to the question word first."""
    if place is None:
        return []
    word = tokens[place]
    rest = tokens[place + 1 :]
    if match := _POINTING.search(" ".join(rest[:PHRASE_WORDS])):  # "what is the name of the river"
        rest = rest[len(match.group().split()) :]
        return _phrase_head(rest) if word == "what" else _head(_phrase(rest))
    if word == "whose" and rest:
        return rest[:1]
    if word == "how" and rest[:1] and rest[0] in ("many", "much"):
        return _phrase_head(rest[1:])
    if word not in ("what", "which", "who") or not rest:
        return []
    if rest[0] in COPULAS:
        return _head(_phrase(rest[1:]))
    # In "What supplied …" the verb comes first; no noun is named.
    if word == "who" or rest[0] in AUXILIARIES or (word == "what" and rest[0].endswith("ed")):
        return []
    return _phrase_head(rest)


def _phrase(tokens: list[str]) -> list[str]:
    phrase: list[str] = []
    for token in tokens[:PHRASE_WORDS]:
        if token in _STOPS and not (token == "'s" and phrase):
            break
        phrase.append(token)
    return phrase


def _head(phrase: list[str]) -> list[str]:
    nouns = [token for token in phrase if token not in DETERMINERS and not token.isdigit() and token != "'s"]
    return nouns[-1:]


def _phrase_head(tokens: list[str]) -> list[str]:
    """Find the head of the phrase after "what": a noun that names a kind of answer, else its last noun.

    Without a tagger the phrase may include the verb ("what valley contains …"). A noun of a known kind ends it;
    otherwise a last word in -ed or -s after another word counts as the verb.
    """
    phrase = _phrase(tokens)
    after = set(tokens[len(phrase) : len(phrase) + 1])
    if not after & AUXILIARIES:  # before an auxiliary the whole phrase is a noun phrase
        for i, token in enumerate(phrase):
            if kind_of_noun(token) and not any(map(kind_of_noun, phrase[i + 1 : i + 2])):
                return [token]
    while len(phrase) > 1 and (phrase[-1] in DETERMINERS or phrase[-1].endswith("ed")):
        phrase.pop()
    if any(token in DETERMINERS for token in phrase[1:]):
        phrase = phrase[: next(i for i, token in enumerate(phrase) if i and token in DETERMINERS)]
        if len(phrase) > 1:  # "what company created the …": the word before the article is the verb
            phrase.pop()
    return _head(phrase)


def _kind(tokens: list[str], place: int | None, heads: list[str]) -> AnswerKind:
    if place is None:
        return "yes_no" if tokens and tokens[0] in AUXILIARIES else "unknown"
    word = tokens[place]
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    if word == "how":
        return _kind_of_how(following)
    simple: dict[str, AnswerKind] = {"when": "date", "where": "place", "why": "reason"}
    if word in simple:
        return simple[word]
    if word in ("who", "whom", "whose"):
        return "person"
    for head in heads:
        kind = kind_of_noun(head)
        if head == "time" and following == "time":
            return "time"
        if kind:
            return kind
    return "entity" if heads or word in ("what", "which") else "unknown"


def _kind_of_how(following: str) -> AnswerKind:
    if following in AUXILIARIES or not following:
        return "manner"
    return "number" if following in MEASURES else "manner"
