"""Parts: whether a question asks several things, and the parts of one that asks them of the same thing.

"When did the pump fail, and why?" is "When did the pump fail?" and "Why did the pump fail?"; where the second part is a
clause of its own ("… and when did it win the cup?") its "it" would have to be understood, and nothing is parted.
For quotes it need not be: what each clause asks is looked for apart, beside the whole question. "Who were the
writers?" asks one thing, of which a sentence names several together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from backtrail.language.sentences import split_sentences
from backtrail.language.terms import content_terms
from backtrail.rules.reader.ranking import Ranked

# A word that asks, where a clause begins: after "and" or a sign, perhaps with a preposition between.
_ASKING = re.compile(
    r"(?:^|\band |[,?.;:–—-] )(?:\w+ ){0,2}?(?:what|which|who|whom|whose|when|where|why|how)\b", re.IGNORECASE
)
# "When … , and why?", "Who founded X and when?": the second asks nothing but another circumstance.
_TRAILING = re.compile(r"^(?P<first>.+?),?\s+and\s+(?P<word>when|where|why|how|who|by whom)\s*\?*\s*$", re.IGNORECASE)
# "When and where was X born?"
_LEADING = re.compile(
    r"^(?P<one>when|where|why|how|who)\s*,?\s+and\s+(?P<two>when|where|why|how)\s+(?P<rest>.+)$", re.IGNORECASE
)
# Clauses that ask, as questions are written: what is merely told before them, and relative clauses, ask nothing.
_WORD = r"(?:what|what['’]s|which|who|who['’]s|whom|when|where|why|how)\b"
_INVERTED = (
    r"(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have|had)\s+"
    r"(?:it|that|this|these|those|there|they|he|she|we|i|you|my|our|your)\b"
)
_BEGINS = rf"(?:if not,?\s+)?(?:(?:\w+ )??{_WORD}|{_INVERTED})"
# A stretch of spaces is looked at from its beginning alone; from each of its places that costs its length squared.
_SPACES = r"(?<!\s)\s+"
_COMMA = rf"(?:{_SPACES})?,"
_CLAUSES = re.compile(
    rf"(?:{_COMMA}\s+|{_SPACES})and\s+(?={_BEGINS})|{_COMMA}\s+(?=(?:\w+ )?(?:what|how|why)\b|{_INVERTED})"
    rf"|{_SPACES}[-–—]\s+|[;:]\s+|(?<=[.?!])\s+(?={_BEGINS})",
    re.IGNORECASE,
)
_ASKS = re.compile(rf"(?:(?:and|or|but|so)\s+)?{_BEGINS}", re.IGNORECASE)
# "If we move, can we keep it?"
_LATER = re.compile(rf"\b(?:{_WORD}|{_INVERTED})", re.IGNORECASE)
_OPENING = re.compile(r"^(?:when|where|why|how|who|whom|by whom|in which \w+|what year)\b", re.IGNORECASE)
# Several of one kind: "who were the writers", "what two people".
_PLURAL = re.compile(
    r"\bwho\s+(?:were|are)\s+(?:the|its|their)\b|\b(?:what|which)\s+(?:two|three|four|pair|couple|duo)\b|\bnames\s+of\b",
    re.IGNORECASE,
)
_JOINT = re.compile(r"(?<!\s)\s+(?:and|&)\s+")
# The noun that is asked for, up to what is said of it: "which missions [to Mercury] were", "what are the ports [of]".
_ENDS = r"(?:of|to|in|on|by|for|from|with|at|that|which|who|are|were|is|was|has|have|had|do|does|did|can|will)\b"
_OF_ALL = re.compile(
    r"\b(?:which|what)\s+(?:(?P<copula>are|were)\s+(?:all\s+)?(?:the|its|their)\s+)?"
    rf"(?P<noun>[\w’-]+(?:\s+(?!{_ENDS})[\w’-]+){{0,3}}?)(?=\s+{_ENDS})"
    r"(?:[^?]{0,300}?\b(?P<auxiliary>are|were|is|was)\b)?",
    re.IGNORECASE,
)
_SINGULAR = frozenset(("is", "was"))
_PLURAL_NOUN = re.compile(r"(?:[^su'’i]s|ies|ives|ches|shes|sses)$")
_NO_PLURALS = frozenset(("series", "species", "news", "gas", "means", "lens", "headquarters", "always", "mathematics"))
_LISTED = re.compile(r",|;|&|/|\band\b", re.IGNORECASE)


def asks_several(question: str) -> bool:
    """Whether a question has several question marks or several clauses that ask: "who built it, and when …"."""
    return len(_ASKING.findall(question)) > 1 or question.count("?") > 1 or bool(_LEADING.match(question))


def _asks(clause: str) -> bool:
    return bool(_ASKS.match(clause)) or (clause.rstrip().endswith("?") and bool(_LATER.search(clause)))


def clauses_asked(question: str) -> list[str]:
    """The clauses that ask something, in their order, as they are written: two or more, or none."""
    pieces = (clause for sentence in split_sentences(question) for clause in _CLAUSES.split(sentence.strip()))
    found = [clause for clause in pieces if _asks(clause) and content_terms(clause)]
    return found if len(found) > 1 else []


def parts_of(question: str) -> list[str]:
    """Questions that ask one thing each and together what this one asks; itself alone where that is not plain."""
    text = " ".join(question.split())
    if leading := _LEADING.match(text):
        return [f"{leading[word].capitalize()} {leading['rest']}" for word in ("one", "two")]
    trailing = _TRAILING.match(text)
    if trailing and (opening := _OPENING.match(trailing["first"])):
        rest = trailing["first"][opening.end() :].strip()
        return [f"{trailing['first']}?", f"{trailing['word'].capitalize()} {rest}?"]
    return [question]


def asks_all(question: str) -> bool:
    """Whether a question asks for all of several things: "which missions were there", "what are the ports of …".

    Told by the noun that is asked for, in lower case, and by the auxiliary that agrees with it.
    """
    found = _OF_ALL.search(question)
    if not found:
        return False
    noun, auxiliary = found["noun"].split()[-1], (found["auxiliary"] or found["copula"] or "").casefold()
    if auxiliary in _SINGULAR or not noun.islower():
        return False
    follows = re.search(rf"\b{re.escape(noun)}\s+(?:are|were)\b", question)
    return bool(follows or found["copula"] or _PLURAL_NOUN.search(noun)) and noun not in _NO_PLURALS


def names_one(text: str) -> bool:
    """Whether an answer is one thing, and no list and no plural."""
    return not _LISTED.search(text) and not text.rstrip(" .)").endswith("s")


def all_named(question: str, listed: Sequence[Ranked]) -> list[Ranked]:
    """Ranked candidates; where several are asked for, the one that names the best with others of its sentence first."""
    if not listed or not _PLURAL.search(question):
        return list(listed)
    best = listed[0].candidate
    together = (
        place
        for place, one in enumerate(listed)
        if one.candidate.piece is best.piece and best.text in _JOINT.split(one.candidate.text)
    )
    first = next((place for place in together if listed[place].candidate.text != best.text), 0)
    return [listed[first], *listed[:first], *listed[first + 1 :]]
