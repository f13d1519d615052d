"""Classify a question's needs by surface words alone; the baseline of the router."""

from __future__ import annotations

import re

from backtrail.rules.vqa_planner.features import stem_of
from backtrail.rules.vqa_planner.router import Need

_LOOKS = re.compile(
    r"\b(?:colou?rs?|colou?red|shape[ds]?|shapes|look(?:s|ed|ing)?|appear(?:s|ance)?|visible|seen|wear(?:s|ing)?|dressed|"
    r"pattern(?:s|ed)?|stripe[sd]?|dots?|petals?|logo|flags?|statues?|sculptures?|paintings?|roof|windows?|pillars?|"
    r"columns?|facade|arch(?:es|ed)?|taller|wider|larger|longer|round(?:ed)?|square|curved|pointed|smooth|holding|"
    r"facing|standing|sitting|in\s+front\s+of|left|right|background|top\s+of|outside|sides?|signs?|letters?)\b",
    re.IGNORECASE,
)
_FACTS = re.compile(
    r"\b(?:who|whose|when|year|born|died|founded|named?|called|known|author|president|population|capital|"
    r"[12]\d{3})\b",
    re.IGNORECASE,
)
_CHINESE_LOOKS = re.compile(r"颜色|形状|穿|戴|看起来|外观|标志|图案|多少个")
_CHINESE_FACTS = re.compile(r"谁|什么时候|何时|哪年|哪一年|多少|哪里|哪个国家|出生|创立|建于|上映|获得|最新")
_NAME = re.compile(r"(?<=\w\s)[A-Z][\w'’-]+")


def need_by_marks(question: str) -> Need:
    """Appearance needs pictures; facts of named or dated things need texts; the rest needs nothing."""
    stem = stem_of(question)
    if _LOOKS.search(stem) or _CHINESE_LOOKS.search(stem):
        return "image"
    if _FACTS.search(stem) or _CHINESE_FACTS.search(stem) or _NAME.search(stem):
        return "text"
    return "none"
