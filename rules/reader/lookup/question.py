"""A question as it is looked up: its marks, which of them ask, which have to be told, and what it excludes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from backtrail.language.questions import QuestionShape, analyse
from backtrail.language.terms import FUNCTION_WORDS, content_terms
from backtrail.rules.reader.asked.relation import asked_phrase
from backtrail.rules.reader.lookup.dates import dates
from backtrail.rules.reader.lookup.marks import Mark, marked, marks, number

# "The final one (not the rc)", "rather than the free plan".
_DENIED = re.compile(
    r"\b(?:not|rather than|instead of|as opposed to|excluding|except(?: for)?)\s+((?:the|a|an|in|for|on|at)\s+)?"
    r"(?P<said>[\w.-]+(?:\s+[\w.-]+){0,2}?)\s*(?=[),;:.?]|$)",
    re.IGNORECASE,
)
_HOW = re.compile(r"\bhow\s+(\w+)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]\w*(?:\.\d+)*")
_WHO = re.compile(
    r"\bwho(?:['’]s)?\s+(?:(?:is|are|was|were|has|had|did|does|do|will)\s+)?(?:the\s+|its\s+)?(?P<does>[\w-]+)",
    re.IGNORECASE,
)
_TIME_UNITS = content_terms("month week day year hour minute quarter")
# Nouns that only say of what sort the answer is: "the docket number", "the number of workers".
GENERIC = content_terms("number amount value count total figure")
# Before a cell that stands in the question as it is written.
CODE = "="
_COMPOUND = re.compile(
    r"\b(?:what|which)\s+(?P<noun>(?:[\w-]+\s+){1,3}?)"
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|should|must|will|may)\b",
    re.IGNORECASE,
)
_MEANS = re.compile(
    r"\bwhat\s+(?:does|do|did)\b.{1,60}?\bdo\s*\?|\bused for\b|\bmean(?:s|ing)?\b|\bstands? for\b"
    r"|\bwhat(?:\s+is|['’]s)\s+(?:that|it|this|wrong|up|going on|the (?:matter|problem))\s*\?"
    r"|\bwhat\s+(?:does|do|did)\b.{1,60}?\b(?:tell|indicate|signal|stand for)\b",
    re.IGNORECASE,
)
_QUOTES = "\"'“”‘’`.,;:!?()[]{}"
# Words of running text, also where they begin a sentence, and shortened forms of theirs.
_PLAIN = re.compile(r"[AI]|[A-Z]?[a-zà-ÿ]+(?:['’-][A-Za-zà-ÿ]+)*|[\d.,%-]+")
# "510(k)" is what something is called.
_NUMBERED_NAME = re.compile(r"\b(\d+)\(\w\)")
_ENDS = re.compile(r"[.?!:]\s*$")
_INNER = re.compile(r"\w[A-Z]|\d|_")
# What a question says besides what it asks for, and no table has to.
_LIGHT = content_terms(
    """actually exactly really usually typically still just get got getting given listed list see saw say
    said says want need know please tell according stated mentioned reported shown show recorded currently now
    originally end ended ending up use used using there one ones thing kind number amount value much many long big
    large high fast old cold often far do make made take took taken come came go went put"""
)


@dataclass(frozen=True)
class Question:
    """A question, or one of its clauses together with the whole of it.

    ``asked``: terms of what is asked for. ``denied``: terms of what is excluded.
    """

    text: str
    shape: QuestionShape
    marks: tuple[Mark, ...]
    asked: frozenset[str]
    head: frozenset[str]
    denied: frozenset[str]

    @property
    def is_clause(self) -> bool:
        """Whether it is one of several clauses."""
        return self.shape.text != self.text

    @cached_property
    def terms(self) -> frozenset[str]:
        """All of its terms but those of what it excludes."""
        return frozenset(mark.term for mark in self.marks) - self.denied

    @cached_property
    def clause(self) -> frozenset[str]:
        """Terms of the clause that asks: of the whole question where there is no other."""
        return marked(self.shape.text) & self.terms

    @cached_property
    def dates(self) -> frozenset[str]:
        """The dates that it says, however they are written."""
        return dates(self.text)

    @cached_property
    def codes(self) -> frozenset[str]:
        """What is written like no word: "K4", "STEP", "$y$"; a cell that is one is meant letter by letter."""
        found = (token.strip(_QUOTES) for token in self.text.split())
        return frozenset(one for one in found if one and not one.isdigit() and not _PLAIN.fullmatch(one))

    @cached_property
    def compound(self) -> frozenset[str]:
        """Every word of the noun that is asked for: of "what pack size is …" pack and size."""
        found = _COMPOUND.search(self.shape.text)
        return marked(found["noun"]) if found else frozenset()

    @cached_property
    def asks_meaning(self) -> bool:
        """Whether it asks what something means, whatever the column is called that says so."""
        return _MEANS.search(self.shape.text) is not None

    @cached_property
    def strict(self) -> frozenset[str]:
        """Terms that have to be told where the answer stands: numbers, names and codes."""
        return (_names(self.text) | self.numbers) & self.terms - _numbered_names(self.text)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Its numbers, but those of a length of time: "the first six months" are told as a half, or by their names."""
        after = [*self.marks[1:], None]
        return frozenset(
            mark.term
            for mark, other in zip(self.marks, after, strict=True)
            if mark.is_number and not (other and other.joined and other.term in _TIME_UNITS)
        )

    @cached_property
    def plain(self) -> frozenset[str]:
        """The other terms that say something."""
        return frozenset(term for term in self.terms - self.strict - _LIGHT if not term.startswith("#"))


def question_of(text: str, clause: str = "") -> Question:
    """The question; with a clause, what that asks of what the whole question is about."""
    shape = analyse(clause or text)
    denied = frozenset[str]().union(*(marked(match["said"]) for match in _DENIED.finditer(text)))
    kept = marked(_DENIED.sub(" ", text))
    how = _HOW.search(clause or text)
    adjective = marked(how[1]) if how and how[1].casefold() not in ("many", "much") else frozenset[str]()
    asked = (asked_phrase(shape) | marked(" ".join(asked_phrase(shape))) | adjective) & kept
    who = _WHO.search(clause or text) if shape.kind == "person" else None
    head = (shape.heads | adjective | (marked(who["does"]) if who else frozenset[str]())) & kept
    return Question(text, shape, marks(text), asked, head, denied - kept)


def _numbered_names(text: str) -> frozenset[str]:
    return frozenset(number(float(match[1])) for match in _NUMBERED_NAME.finditer(text))


def _names(text: str) -> frozenset[str]:
    """Words written as names or codes; not one that has its capital from where it stands."""
    found: list[str] = []
    for match in _WORD.finditer(text):
        word, before = match.group(), text[: match.start()]
        begins = not before.strip(" \"'“(") or _ENDS.search(before) is not None
        named = bool(_INNER.search(word)) or (word[0].isupper() and not begins)
        if named and word.casefold() not in FUNCTION_WORDS:
            found.append(word)
    return marked(" ".join(found))
