"""Defaults: what is so where nothing is set, as documents write it: "[default: 5]", "defaults to", "… by default".

What a value that stands alone ("Default: 30s") is the default of, its entry tells (``entries``). English only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from backtrail.language.questions import QuestionShape
from backtrail.language.spans import Span

_SET = (
    r"(?:set|specif\w+|choos\w*|chosen|give\w*|pass\w*|pick\w*|configur\w+|say|said|tell|told|chang\w+|provid\w+|defin\w+"
    r"|ask\w*|touch\w*|tun\w+|adjust\w*|alter\w*|edit\w*|overrid\w+|suppl(?:y|ied)|nam(?:e|ed)|mention\w*|add|added|do)\b"
)
_ME = r"(?:i|we|you|one|somebody|anybody|they|users?|nothing|none|nobody|no\s+\w+)"
_ASKS = re.compile(
    r"\bdefault(?:s|ed)?\b|\bout of the box\b|\bas shipped\b|\bfactory[- ]setting"
    rf"|\b(?:if|when)\s+{_ME}\b[^?,]{{0,40}}?"
    rf"(?:(?:do|does|did|is|are|have|has)(?:n['’]t| not)|nothing|none|neither|never|no \w+ is|is)\s+{_SET}"
    rf"|\b(?:if|when)\s+{_ME}\s+{_SET}\s+(?:nothing|none|neither|no)\b"
    rf"|\b(?:if|when)\s+{_ME}\s+(?:leave|configure|keep)\s+(?:it|neither|that|this|them|everything|all)\b"
    r"|\b(?:if|when)\s+(?:it|that|this|they)\s+(?:is|are)\s+(?:left|unset|not set|untouched|unchanged|omitted)\b"
    rf"|\b(?:if|when)\s+(?:nobody|nothing|none|no\s+\w+)\s+(?:is\s+|was\s+|has\s+|been\s+){{0,2}}{_SET}"
    rf"|\b(?:without|unless|when not)\s+(?:{_ME}\s+)?(?:\w+\s+)?{_SET}(?:ting|ing)?\b"
    rf"|\b(?:before|until)\s+(?:i|we|you)\s+{_SET}"
    r"|\b(?:is|are)\s+(?:left\s+)?(?:unset|untouched|unspecified|omitted)\b",
    re.IGNORECASE,
)
# Up to what goes on to say something else.
_VALUE = r"(?P<value>[^\s,;:](?:[^,;]|,(?=\d)){0,79}?)"
_END = (
    r"(?=\s*(?:[;)\]]|[,.:](?:\s|$)|$|\s[-–—]\s|\(|\s(?:and|but|if|when|unless|which|because|since|as|for|in|on|so|that"
    r"|where|while|with|from|until|or|except)\b))"
)
_SOME = r"(?:set\s+to\s+|now\s+|the\s+|an?\s+)?"
_PATTERNS: tuple[tuple[str, float], ...] = (
    (r"\[default(?:s to| value)?\s*[:=]?\s+(?P<value>[^\]]{1,80})\]", 1.0),
    (r"\((?:the )?default(?:s to| value)?(?: is)?\s*[:=]?\s+(?P<value>[^()]{1,80})\)", 1.0),
    (
        r"(?:^|\s)default(?: value| setting)?s?\s*(?::|=|\|)+\s*[\"'“`]?(?P<value>[^\"'“”`;|]{1,80}?)[\"'”`]?"
        r"(?=\s*(?:$|[;|]|\.(?:\s|$)|,\s))",
        1.0,
    ),
    (rf"\bdefaults?\s+to\s+{_SOME}{_VALUE}{_END}", 1.0),
    (
        r"(?<!by )\bdefault(?:\s+[\w.-]+){0,5}?\s+(?:is|are|was|will\s+(?:\w+\s+){0,2}be)\s+"
        rf"{_SOME}{_VALUE}{_END}",
        0.9,
    ),
    (
        r"\bby default,?\s+(?:(?!if\b|when\b|unless\b)[\w.-]+\s+){0,5}?"
        r"(?:is|are|uses?|listens?\s+on|runs?\s+on|has|have|set\s+to|to|at|under|sets?)\s+"
        rf"{_SOME}{_VALUE}{_END}",
        0.7,
    ),
    (
        r"\b(?:is|are|to|of|uses?|at|on|after|every|in|as|with)\s+(?:an?\s+|the\s+)?"
        r"(?P<value>[^\s,;.](?:[^,;.]|\.(?=\S)){0,40}?)\s+(?:being\s+\w+\s+)?by default\b",
        0.8,
    ),
    (r"^[\w.-]{1,80}[_-][\w.-]{1,80}\s+\((?P<value>[^()\s]{1,40})\)(?=\s*(?::|$))", 0.9),
    (r"(?P<value>[\w./:+-]{1,80})\s+\((?:the\s+)?default\)", 0.8),
    (r"(?P<value>[\w./:+-]{1,80})\s+is\s+the\s+default\b", 0.8),
)
_WRITTEN = tuple((re.compile(pattern, re.IGNORECASE), sure) for pattern, sure in _PATTERNS)
# "The default was reduced": what is done with it, and no value.
_DONE = re.compile(r"(?!enabled|disabled|allowed|denied)\w+ed\b", re.IGNORECASE)
_TRIM = " .,:;\"'“”`’‘"


def asks_default(shape: QuestionShape) -> bool:
    """Whether a question asks what is so where nothing is set."""
    return _ASKS.search(shape.text) is not None


def defaults(text: str) -> Iterator[tuple[Span, float]]:
    """The default values that a sentence tells, each with how surely it is one, in [0, 1]."""
    seen: set[tuple[int, int]] = set()
    for pattern, sure in _WRITTEN:
        for match in pattern.finditer(text):
            value = match["value"]
            start = match.start("value") + len(value) - len(value.lstrip(_TRIM))
            bare = value.strip(_TRIM)
            if bare and not _DONE.match(bare) and (start, start + len(bare)) not in seen:
                seen.add((start, start + len(bare)))
                yield Span(bare, "phrase", start, start + len(bare)), sure
