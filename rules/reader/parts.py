"""Parts: whether a question asks several things, and the parts of one that asks them of the same thing.

"When did the pump fail, and why?" is "When did the pump fail?" and "Why did the pump fail?"; where the second part is a
clause of its own ("… and when did it win the cup?") its "it" would have to be understood, and nothing is parted.
"""

from __future__ import annotations

import re

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
_OPENING = re.compile(r"^(?:when|where|why|how|who|whom|by whom|in which \w+|what year)\b", re.IGNORECASE)


def asks_several(question: str) -> bool:
    """Whether a question has several question marks or several clauses that ask: "who built it, and when …"."""
    return len(_ASKING.findall(question)) > 1 or question.count("?") > 1 or bool(_LEADING.match(question))


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
