"""Forms: how what is asked for is written, where its noun tells.

"Which option …" is answered by something written like an option (`--flag`, `snake_case`, `dotted.name`), a directive
is written `LikeThis`, a handle begins with "@". A word of running prose is none of them, unless the noun stands right
beside it: "the social plugin". English only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from backtrail.language.questions import QuestionShape, asking_clause, interrogative_place, tokens_of
from backtrail.language.spans import Span
from backtrail.language.stop_words import FUNCTION_WORDS
from backtrail.language.vocabulary import PREPOSITIONS, VERBS_IN_S

_OPTION = r"(?<![\w-])--?[A-Za-z][\w-]*(?:=[^\s,;.)\]\"']+)?"
_SNAKE = r"\b[A-Za-z]\w*_\w+\b"
_CAPS = r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b"
_DOLLAR = r"(?<![\w$])\$[A-Z][A-Z0-9_]+\b"
_CAMEL = r"\b(?!Ma?c[A-Z]|Fitz[A-Z])(?:[A-Z]?[a-z][a-z0-9]+[A-Z]\w*|[A-Z]{2,}[a-z]{2,}\w*)\b"
_DOTTED = r"\b(?!e\.g|i\.e|www\.)[A-Za-z_][\w-]+(?:\.[A-Za-z_][\w-]+)+\b(?!\.?/)"
_KEBAB = r"(?<![\w-])[a-z][a-z0-9]*(?:-[a-z0-9]+)+\b"
_CALL = r"\b[A-Za-z_][\w.]*\(\)"
_FLAG = r"\[[A-Z][\w|]*(?:=[^\]\s]*)?\]"
_FILE = r"(?<![\w/])(?:[\w.-]+/)*[\w-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{1,5}\b|(?<![\w./])\.[a-z][\w.-]{2,}\b"
_PATH = (
    r"(?<![\w/:.])(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.~<>*{}$-]+(?:[/\\][\w.~<>*{}$-]+)*/?"
    r"|(?<![\w/.:])[\w.-]+/(?:[\w.-]+/?)*"
)
_URL = (
    r"\bhttps?://[^\s<>\"')\]]+[^\s<>\"')\].,;:]"
    r"|\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|gov|edu|eu|uk|de|fr|info)\b(?:/[\w./#-]*\w/?)?"
)
_MAIL = r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b"
_HANDLE = r"(?<![\w@.])@\w{2,}\b"
_VERSION = r"(?<![\w.,])v?\d+(?:\.\d+){1,3}(?:[-.]?(?:rc|alpha|beta|dev)[-.]?\d*)?\+?(?!\w|[.,]\d)"
_NUMBERED = r"(?<![\w.,:/-])\d{2,5}(?![\w%]|[.,:]\d)"
_PHONE = r"(?<![\w.,-])\+?\(?\d[\d ().-]{5,20}\d(?![\w-])"
_CODE = r"(?<![\w/-])(?=[\w/-]{0,40}\d)\w+(?:[-/.]\w+)*(?![\w/-])"
_ASSIGNED = r"\b[A-Z][A-Z0-9_]{2,}=(?:\"[^\"]{1,80}\"|'[^']{1,80}'|[^\s,;)\"']{1,80})"
_IP = r"\b\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?(?::\d{1,5})?\b"

# "What do I pass to it?": an option, a variable with its value, a setting.
_PASSED = "passed"
_ASKS_PASSED = re.compile(
    r"\bwhat\s+(?:do|should|must|would|can|could)\s+(?:i|we|you|one)\s+(?:have\s+to\s+|need\s+to\s+)?"
    r"(?:pass|put|set|add|append|write|give)\b",
    re.IGNORECASE,
)
# "Which Safari goes with it": of a name in the singular, with nothing behind it, its version is asked for.
_WHICH_NAME = re.compile(
    r"\b(?:[Ww]hich|[Ww]hat)\s+(?P<name>[A-Z][\w+#-]*(?:\.[A-Za-z]+)?)\s+"
    rf"(?:is|was|do|does|did|can|could|should|must|may|will|would|has|have|brought|added|introduced|had|{'|'.join(sorted(VERBS_IN_S))})\b"
)
_BEFORE_WHICH = PREPOSITIONS | {"and", ","}
# What stands before the noun of another: "what sort of metric" asks for a sort.
_SORTS = frozenset(("sort", "kind", "type", "types", "kinds", "sorts"))

_OF_NOUN: dict[str, tuple[tuple[str, float], ...]] = {
    "option flag switch argument": ((_OPTION, 1.0), (_FLAG, 1.0), (_SNAKE, 0.7), (_DOTTED, 0.5), (_CAMEL, 0.5)),
    "directive": ((_CAMEL, 1.0), (_SNAKE, 0.7)),
    "variable": ((_ASSIGNED, 1.0), (_CAPS, 1.0), (_DOLLAR, 1.0), (_SNAKE, 0.9), (_KEBAB, 0.4), (_CAMEL, 0.6)),
    "setting parameter key property attribute field keyword": (
        (_SNAKE, 1.0), (_DOTTED, 0.9), (_CAMEL, 0.8), (_OPTION, 0.8), (_CAPS, 1.0),
    ),
    "metric": ((_SNAKE, 1.0),),
    "function method class hook decorator": ((_CALL, 1.0), (_CAMEL, 0.9), (_SNAKE, 0.9), (_DOTTED, 0.8)),
    "module package library plugin extension theme": ((_SNAKE, 0.9), (_DOTTED, 0.7), (_CAMEL, 0.6), (_KEBAB, 0.4)),
    "file filename": ((_FILE, 1.0), (_PATH, 0.8)),
    "path directory folder": ((_PATH, 1.0), (_FILE, 0.4)),
    "url link website": ((_URL, 1.0),),
    "address": ((_MAIL, 1.0), (_URL, 0.9), (_IP, 1.0)),
    "email e-mail": ((_MAIL, 1.0),),
    "handle": ((_HANDLE, 1.0),),
    "version release": ((_VERSION, 1.0),),
    "phone telephone fax": ((_PHONE, 1.0),),
    "docket invoice serial isbn doi identifier id ticket": ((_CODE, 0.7),),
    "port": ((_NUMBERED, 1.0),),
    _PASSED: (
        (_OPTION, 1.0), (_ASSIGNED, 1.0), (_DOLLAR, 1.0), (_FLAG, 0.9), (_CAPS, 0.7), (_SNAKE, 0.6), (_CAMEL, 0.5),
        (_DOTTED, 0.5),
    ),
}  # fmt: skip
_FORMS: dict[str, tuple[tuple[str, float], ...]] = {
    noun: forms for nouns, forms in _OF_NOUN.items() for noun in nouns.split()
}
# Of these the noun says what a plain word beside it is: "the optimize plugin".
_BESIDE = frozenset(
    re.findall(r"\w+", "plugin extension module package theme directive option setting parameter flag library")
)
# Words that stand before such a noun and name nothing.
_NO_NAMES = FUNCTION_WORDS | frozenset(
    re.findall(
        r"[\w-]+",
        """following same other another new default custom current first second third last next own main additional
        built-in global local optional required single specific special such available necessary corresponding given
        respective different multiple several many configuration command line third-party external internal common
        popular existing simple official useful important separate previous""",
    )
)
# Of these nothing that is asked for is a word or two of running prose: it has a figure, a sign or a capital letter.
_NO_PROSE = frozenset(("port", "phone", "telephone", "fax", "email", "e-mail", "url", "version", "release"))
# What follows the noun where something else of it is asked: "which file format", "what key size".
_MEASURES = frozenset(re.findall(r"\w+", "format formats size type types system length limit space rate count"))
_BESIDE_NOUN = r"\b(?:the|an?|our|your|this|that)\s+(?:built-in\s+)?([\w.:-]+)\s+"


@dataclass(frozen=True)
class Form:
    """How a thing of this noun is written: patterns with how surely each tells, in [0, 1]."""

    noun: str
    patterns: tuple[tuple[re.Pattern[str], float], ...]

    def spans(self, text: str) -> Iterator[tuple[Span, float]]:
        """What of a text is written so, each place once, by its surest pattern."""
        seen: set[tuple[int, int]] = set()
        for pattern, sure in self.patterns:
            for match in pattern.finditer(text):
                if match.span() not in seen:
                    seen.add(match.span())
                    yield Span(match.group(), "phrase", *match.span()), sure
        for start, end in _named_beside(text, self.noun):
            if (start, end) not in seen:
                yield Span(text[start:end], "phrase", start, end), 0.5

    def rules_out(self, text: str) -> bool:
        """Whether it is a word of running prose where none can be what is asked for: no port is called "two ports"."""
        plain = text.islower() and not any(map(str.isdigit, text))
        return self.noun in _NO_PROSE and plain and self.suits(text) == 0.0

    def suits(self, text: str) -> float:
        """How surely a whole text is written so."""
        return max((sure for pattern, sure in self.patterns if pattern.fullmatch(text)), default=0.0)


def asked_form(shape: QuestionShape) -> Form | None:
    """How what a question asks for is written; None where its noun does not tell."""
    tokens = tokens_of(asking_clause(shape.text))
    place = interrogative_place(tokens)
    if place is None or tokens[place] not in ("what", "which"):
        return None
    later = (
        at for at, token in enumerate(tokens) if token == "which" and at > place and tokens[at - 1] in _BEFORE_WHICH
    )
    found = next((form for at in (place, *later) if (form := _form_of(_phrase(tokens[at + 1 :])))), None)
    if found is None and _ASKS_PASSED.search(shape.text):
        return _form(_PASSED)
    named = None if found else _WHICH_NAME.search(shape.text)
    return _of_name(named["name"]) if named and shape.kind == "entity" else found


def _form_of(phrase: list[str]) -> Form | None:
    """The form of the first noun of a phrase that has one."""
    if _SORTS & set(phrase[:1]):
        return None
    for token, after in zip(phrase, [*phrase[1:], ""], strict=True):
        if (noun := _singular(token)) in _FORMS and after not in _MEASURES and _singular(after) not in _FORMS:
            return _form(noun)
    return None


@lru_cache(maxsize=64)
def _of_name(name: str) -> Form:
    """A version of something, as it is written: "Safari 15.5", "go1.23.4"."""
    pattern = rf"(?<![\w.-]){re.escape(name)}[\s/-]?v?\d+(?:\.\d+){{0,3}}\+?(?!\w|[.,]\d)"
    return Form("name", ((re.compile(pattern, re.IGNORECASE), 1.0),))


def _phrase(tokens: list[str]) -> list[str]:
    """The first words after the question word: past "is the name of the"."""
    skipped = ("is", "are", "'s", "was", "were", "the", "name", "of", "a", "an", "called")
    start = next((place for place, token in enumerate(tokens) if token not in skipped), len(tokens))
    return tokens[start : start + 5]


def _singular(token: str) -> str:
    return token.removesuffix("s") if token not in _FORMS else token


@cache
def _form(noun: str) -> Form:
    return Form(noun, tuple((re.compile(pattern), sure) for pattern, sure in _FORMS[noun]))


def _named_beside(text: str, noun: str) -> Iterator[tuple[int, int]]:
    """Words right before the noun: "the social plugin"."""
    if noun not in _BESIDE:
        return
    for match in re.finditer(rf"{_BESIDE_NOUN}{noun}\b", text, re.IGNORECASE):
        if match[1].casefold() not in _NO_NAMES:
            yield match.span(1)
