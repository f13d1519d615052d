"""Classify what a question asks of its picture: appearance, identity or facts.

By grammar, not by lists of things. A question about appearance names nobody, uses the present tense and definite
nouns ("the man", "there", "it"), and asks for what can be seen: actions, positions, numbers, comparisons. A
demonstrative ("this plant") may ask about the kind as well as about the picture, so it needs a stronger feature.
English, and the commonest forms of Chinese; other languages are not supported.
"""

from __future__ import annotations

import re
from typing import Literal

from backtrail.language.current_language import ENGLISH, active_language, reads_english
from backtrail.rules.vqa_planner.features import stem_of

Asked = Literal["looks", "identity", "facts"]

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_LONGEST = 400  # characters examined; questions about appearance are short
_NAME = re.compile(r"(?<=[\w,’'] )(?!I\b)[A-Z][\w’'-]*[a-z]|\d{3,}")


def _marks(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one, re.IGNORECASE) for one in patterns)


_BE = r"(?:\s+(?:is|are)|['’]s)"
_PICTURE = r"(?:picture|image|photo|photograph|figure|screenshot|drawing|painting|diagram|chart|graph|map|scene)"
_IN_PICTURE = rf"(?:shown|pictured|depicted|here|(?:(?:shown|seen)\s+)?(?:in|on)\s+(?:the|this)\s+{_PICTURE})"
# Texts answer questions about the past, reasons, times and measures.
_TOLD = re.compile(
    r"\b(?:was|were|did|had|when|why|year|century|ago|cost|how\s+(?:much|old|long|tall|high|far|deep|heavy|often|fast)|"
    r"capital|population|author|difference|meaning)\b",
    re.IGNORECASE,
)
_IDENTITY = _marks(
    r"^(?:what|which)\s+(?:kind|type|sort|breed|species|model|make|brand|variety|style)\b",
    rf"^(?:who|what){_BE}\s+(?:this|that|these|those)(?:\s+[\w-]+){{0,2}}\W*$",
    rf"^(?:who|what){_BE}\s+the\s+(?:(?!of\b)[\w-]+\s+){{1,3}}{_IN_PICTURE}\W*$",
    rf"^(?:what|which)\s+(?:[\w-]+\s+){{1,3}}(?:is|are)\s+(?:this|these|{_IN_PICTURE})\W*$",
    rf"^what{_BE}\s+the\s+names?\s+of\s+(?:(?:this|these)\b|the\s+[\w -]*{_IN_PICTURE})",
)
_THIS = re.compile(rf"\b(?:this|these|those)\s+(?!{_PICTURE}s?\b)\w", re.IGNORECASE)
# Actions of somebody, but no noun with the same ending ("the boiling point").
_NO_ACT = r"(?:during|being|building|ceiling|morning|evening|king|wing|ring|thing|string|spring|\w+thing)\b"
_ACTING = rf"(?<!\bthe\s)(?<!\ba\s)(?!{_NO_ACT})\w{{2,}}ing"
_PLACE = (
    r"(?:on|in|at|under|above|below|behind|beside|near|inside|outside|between|in\s+front\s+of|next\s+to|"
    r"to\s+the\s+(?:left|right)\s+of|on\s+top\s+of)"
)
_PLAIN_LOOKS = _marks(
    rf"\b(?:is|are|['’]s)\s+(?:[\w’'-]+\s+){{0,6}}{_ACTING}\b",
    r"\bcolou?r|\b(?:shape|pattern|written|highlighted|circled|outlined|shaded|visible)\b",
    r"\b(?:is|are)\s+being\s+\w+",
    r"^(?:is|are)\s+(?:this|that|these|those)\s+(?:an?\b|[\w-]+\W*$)",
    r"\b(?:is|are)\s+there\b|\bcan\s+(?:you|we|be)\s+see|\bdo\s+you\s+see\b",
)
_LOOKS = _marks(
    rf"^(?:is|are|does|do|has|have)\s+(?:(?:all|both|any|some|most)\s+(?:of\s+)?)?"
    rf"(?:the|it|he|she|they|there|anyone|someone|everyone|(?:this|the)\s+{_PICTURE})\b",
    r"\bhow\s+many\b.{0,400}\b(?:is|are|there|(?:does|do)\s+the)\b",
    rf"^(?:what|who|where){_BE}\s+(?:\w+ed\s+)?{_PLACE}\s+(?:the|his|her|its|their)\b",
    rf"^where{_BE}\s+the\b",
    r"^(?:what|who|where|which)\b.*\b(?:is|are)\s+the\b.*\b(?:on|in|at|to|from|with|under|of|like)\W*$",
    r"^what\b.*\b(?:does|do)\s+the\b.*\b(?:show|say|read|point|look|indicate|have)s?\b",
    r"^(?:which|who|what)\b.*\b(?:is|are|has|have)\s+(?:a\s+|the\s+)?(?:(?:more|fewer|less|\w{3,}er)\b|"
    r"(?:most|fewest|least|\w{3,}est)\W*$)",
    r"^what\s+(?:number|letter|word|time|letters|words)\b.*\b(?:on|show|shown|say)\b",
    rf"^(?:what|which)\s+[\w-]+\s+(?:is|are)\s+(?:{_PLACE}\s+)?the\s+[\w-]+(?:\s+[\w-]+)?\W*$",
    rf"^what{_BE}\s+the\s+[\w-]+[’']s?\s+[\w-]+\W*$",
    r"^(?:what|which|where|who)\b.*\b(?:is|are|do|does)\s+(?:he|she|they|it)\b",
    rf"^how{_BE}\s+the\b",
    r"^(?:describe|count|read)\b",
)
_CHINESE_LOOKS = re.compile(
    r"颜色|形状|(?:几|多少)[个只辆人张把条]|穿着?什么|戴着|拿着|在做什么|在干什么|有没有|写着?什么"
)
_CHINESE_IDENTITY = re.compile(r"^(?:图中的?|照片[中里]的?)?这?(?:个|张|座|位|种|只|朵|棵|辆)?\w{0,4}是(?:什么|谁)\W*$")


def asked_of_picture(question: str) -> Asked | None:
    """Return looks, identity or facts; None without evidence, or if the question names its subject."""
    sentences = [one.strip() for one in _SENTENCE.split(stem_of(question)) if one.strip()]
    if not sentences or len(asking := sentences[-1]) > _LONGEST:
        return None
    if active_language() in (ENGLISH, "zh") and not asking.isascii():
        if _CHINESE_IDENTITY.search(asking):
            return "identity"
        if _CHINESE_LOOKS.search(asking):
            return "looks"
    if not reads_english():
        return None
    if _TOLD.search(asking):
        return "facts"
    if _NAME.search(asking):
        return None
    if any(mark.search(asking) for mark in _IDENTITY):
        return "identity"
    marks = _PLAIN_LOOKS if _THIS.search(asking) else (*_PLAIN_LOOKS, *_LOOKS)
    return "looks" if any(mark.search(asking) for mark in marks) else None
