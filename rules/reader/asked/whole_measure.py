"""Whole measures: a number with all that its text says of it: "5 to 30 minutes", "20cm x 30cm", "one day per week".

Spans end where the number ends. What a range, a size or a rate leaves out changes what is said: "30 minutes" is not
"5 to 30 minutes". English only. Source: ours.
"""

from __future__ import annotations

import re

from backtrail.language.spans import UNIT
from backtrail.rules.reader.candidates import SPAN_CHARACTERS, Candidate

_NUMBER = r"[$£€¥]?\d+(?:[.,]\d+)*"
_SPELLED = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty)"
_UNIT = rf"(?:\s?(?:{UNIT}))"
# Right before a number with the same sign or none: the lower end of a range, one side of a size, a currency's code.
_LOWER = re.compile(
    rf"(?:^|(?<=[\s(]))(?P<low>(?:{_NUMBER}|{_SPELLED})(?:{_UNIT})?\s?(?:-|–|—|x|×|to|or|by)\s?)$", re.IGNORECASE
)
_BETWEEN = re.compile(rf"\bbetween (?P<low>(?:{_NUMBER}|{_SPELLED})(?:{_UNIT})? and )$", re.IGNORECASE)
_CURRENCY = re.compile(r"(?:^|(?<=[\s(]))(?:EUR|USD|GBP|CHF|JPY|CNY|CAD|AUD|INR|SEK|NOK|DKK|PLN|CZK|Rs\.?|US|A|C) ?$")
# Right behind: the upper end, the other side, how often or for whom.
_UPPER = re.compile(rf"\s?(?:-|–|—|x|×|to|by)\s?{_NUMBER}(?:{_UNIT})?(?!\w)", re.IGNORECASE)
_RATE = re.compile(
    r"(?:\s[a-z]{1,10})?(?:\s(?:per|a|an|each|every)|\s?/)\s?(?:(?:fiscal|calendar|school|full|pay)\s)?"
    r"(?:second|minute|hour|day|week|month|quarter|year|decade|person|head|child|adult|individual|night|page|user|seat|unit|item"
    r"|kilogram|gram|kg|pound|lb|ton|tonne|mile|km|kilomet(?:re|er)|gallon|lit(?:re|er)|cup|serving|period)\b",
    re.IGNORECASE,
)
# A date or a year is none: "1931" of "1931 – 1999" is when a life began.
_MEASURE = re.compile(
    rf"(?:[a-z]{{2,8}} ){{0,2}}(?!(?:1\d|20)\d\d$)(?:{_NUMBER}|{_SPELLED})(?:{_UNIT})?", re.IGNORECASE
)
_BEGINS_WITH_NUMBER = re.compile(rf"(?:{_NUMBER}|{_SPELLED}\b)", re.IGNORECASE)
# As far as a range reaches before a number.
_BEFORE = 40


def whole_measure(candidate: Candidate) -> str:
    """The candidate with the range, size, currency or rate that its sentence gives it; any other as it is."""
    text, sentence = candidate.text, candidate.piece.text
    if candidate.piece.has_cells or not _MEASURE.fullmatch(text):
        return text
    found = re.search(rf"(?<![\w.,]){re.escape(text)}(?!\w)", sentence)
    if found is None:
        return text
    whole = _with_lower(text, sentence[max(0, found.start() - _BEFORE) : found.start()])
    rest = sentence[found.end() : found.end() + SPAN_CHARACTERS]
    if upper := _UPPER.match(rest):
        whole, rest = whole + upper.group(), rest[upper.end() :]
    rate = _RATE.match(rest)
    whole = whole + rate.group() if rate else whole
    return whole if len(whole) <= SPAN_CHARACTERS else text


def _with_lower(text: str, before: str) -> str:
    """With what stands right before it: a range from the lower end, or the code of its currency."""
    if _BEGINS_WITH_NUMBER.match(text) and (low := _LOWER.search(before) or _BETWEEN.search(before)):
        return low["low"] + text
    if text[:1].isdigit() and (code := _CURRENCY.search(before)):
        return code.group() + text
    return text
