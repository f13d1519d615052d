"""Entity resolution over all names of a corpus.

Two names are one entity if they differ only in case, spacing or typography, in a leading article or
a plural ("The Beatles", "Grammy Awards"), in the only qualifier of a name in the corpus ("Glee" and
"Glee (TV series)"), or if links with one name lead to the document titled by the other (a redirect). Titles of
documents come first: two documents with different titles stay two entities. The result depends on the set of all
names, not on their order.

Source: ours; HM-RAG and LightRAG merge entities by equal strings.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backtrail.language.vocabulary import MAGNITUDES, MONTHS, NUMBER_WORDS

LONGEST_NAME = 80
"""Characters; a longer text is a phrase and not a name."""

_TYPOGRAPHY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "_": " "})
_BEFORE_MARK = re.compile(r"(?<!\s)\s+([,.;:!?)\]%]|'s\b)")
_AFTER_MARK = re.compile(r"([(\[])\s+")
_EDGES = " \t\n\"'`*•·,;:|-"
_ARTICLE = re.compile(r"(?:the|a|an)\s+(?=\S)")
_QUALIFIED = re.compile(r"(.*\S)\s*\(([^()]+)\)")
_KEPT_S = ("ss", "us", "is", "os", "as", "series", "species", "news", "'s")
_ES = re.compile(r"(?:s|x|z|ch|sh)es$")
_NUMBER = re.compile(r"[\d.,:/°+%$€£¥#()\[\]x×*±~<>=' \-]*\d[\d.,:/°+%$€£¥#()\[\]x×*±~<>=' \-]*")
_MEASURE_WORDS = frozenset(
    {
        "m", "km", "cm", "mm", "ft", "in", "mi", "kg", "g", "lb", "lbs", "t", "s", "h", "min", "sec", "hrs",
        "hours", "minutes", "seconds", "years", "year", "days", "day", "month", "months", "am", "pm", "usd",
        "million", "billion", "thousand", "percent", "pts", "points", "mph", "kmh", "hz", "mhz", "ghz", "ca",
        "circa", "st", "nd", "rd", "th", "bc", "ad", "bce", "ce",
    }
)  # fmt: skip


def exact(name: str) -> str:
    """Normalise case, spacing and typography of a name: equal keys are equal names."""
    text = " ".join(unicodedata.normalize("NFKC", name).translate(_TYPOGRAPHY).casefold().split())
    text = _AFTER_MARK.sub(r"\1", _BEFORE_MARK.sub(r"\1", text))
    return text.strip(_EDGES).rstrip(".") or text


def is_value(name: str) -> bool:
    """Whether a text is a number, date or amount, or too long for a name."""
    if len(name) > LONGEST_NAME:
        return True
    words = re.findall(r"[^\W\d_]+", name.casefold())
    if not any(character.isdigit() for character in name):
        return not words
    return bool(_NUMBER.fullmatch(name)) or all(
        word in _MEASURE_WORDS or word in MONTHS or word in MAGNITUDES or word in NUMBER_WORDS for word in words
    )


def loose(key: str) -> str:
    """Remove the article of an exact key, and make its last word singular."""
    return _singular(_ARTICLE.sub("", key, count=1) if _ARTICLE.match(key) else key)


def _singular(key: str) -> str:
    if len(key) < 5 or not key.endswith("s") or key.endswith(_KEPT_S):
        return key
    if key.endswith("ies"):
        return f"{key[:-3]}y"
    return key[:-2] if _ES.search(key) else key[:-1]


@dataclass(frozen=True)
class Meaning:
    """Entity of a name: equal keys are one entity. ``name`` is its spelling."""

    key: str
    name: str
    is_title: bool


class Names:
    """All names of a corpus. ``resolve`` maps each to its entity; an entity's name resolves to itself.

    Args:
        titles: titles of documents.
        redirects: texts of links, each with the only title that they lead to.
        mentioned: every other name with its number of occurrences.
    """

    def __init__(self, titles: Iterable[str], redirects: Mapping[str, str], mentioned: Mapping[str, int]) -> None:
        self._titles: dict[str, str] = {}
        for title in titles:
            key = exact(title)
            self._titles[key] = min(self._titles.get(key, title), title)
        self._redirects = {
            exact(name): exact(title)
            for name, title in redirects.items()
            if exact(title) in self._titles and exact(name) not in self._titles
        }
        self._spellings = self._count(mentioned)
        self._title_groups = self._group_titles()
        self._groups = self._group_names()
        self._qualified = self._sole_qualifiers()
        self._memory: dict[str, Meaning] = {}

    def resolve(self, name: str) -> Meaning:
        """Return the entity of a name; an unknown name resolves to itself or to similar names."""
        key = exact(name)
        meaning = self._memory.get(key)
        if meaning is None:
            meaning = self._memory[key] = self._meaning(key, name)
        return meaning

    def _meaning(self, key: str, name: str) -> Meaning:
        title = self._title_of(key)
        if title is None and is_value(key):
            return Meaning(f"v:{key}", self._written({key}) or " ".join(name.split()), False)
        group = f"t:{title}" if title is not None else f"n:{alike(key)}"
        group = self._qualified.get(group, group)
        if group.startswith("t:"):
            return Meaning(group, self._titles[group[2:]], True)
        return Meaning(group, self._written(self._groups.get(group[2:], set())) or " ".join(name.split()), False)

    def _title_of(self, key: str) -> str | None:
        """Return the title of a key: itself, by a redirect, or the only similar one."""
        if key in self._titles:
            return key
        if key in self._redirects:
            return self._redirects[key]
        likes = self._title_groups.get(alike(key), set())
        return next(iter(likes)) if len(likes) == 1 else None

    def _count(self, mentioned: Mapping[str, int]) -> dict[str, Counter[str]]:
        spellings: dict[str, Counter[str]] = defaultdict(Counter)
        for name, count in mentioned.items():
            spellings[exact(name)][" ".join(name.split())] += count
        return spellings

    def _group_titles(self) -> dict[str, set[str]]:
        groups: dict[str, set[str]] = defaultdict(set)
        for key in self._titles:
            groups[alike(key)].add(key)
        return groups

    def _group_names(self) -> dict[str, set[str]]:
        """Group the names without a document by their common key."""
        groups: dict[str, set[str]] = defaultdict(set)
        for key in self._spellings:
            if self._title_of(key) is None and not is_value(key):
                groups[alike(key)].add(key)
        return groups

    def _sole_qualifiers(self) -> dict[str, str]:
        """Map groups to equal ones: "X" and "X (film)", if the corpus has no other qualifier of X."""
        by_base: dict[str, set[str]] = defaultdict(set)
        for key in {*self._title_groups, *self._groups}:
            if match := _QUALIFIED.fullmatch(key):
                by_base[match.group(1)].add(key)
        merged: dict[str, str] = {}
        for base, qualified in by_base.items():
            if len(qualified) > 1:
                continue
            bare, longer = self._stands_for(base), self._stands_for(next(iter(qualified)))
            if bare is None or longer is None or (bare[0] == "t" == longer[0]):
                continue
            known = bare[0] == "t" or base in self._groups
            source, target = (longer, bare) if known and longer[0] == "n" else (bare, longer)
            merged[source] = target
        return merged

    def _stands_for(self, group: str) -> str | None:
        """Return the meaning of a group of similar names; None if several titles share it."""
        titles = self._title_groups.get(group, set())
        if len(titles) > 1:
            return None
        return f"t:{next(iter(titles))}" if titles else f"n:{group}"

    def _written(self, keys: Iterable[str]) -> str:
        """Return the most frequent spelling, then the shortest, then the first; "" if unknown."""
        total: Counter[str] = Counter()
        for key in keys:
            total.update(self._spellings.get(key, Counter()))
        return min(total, key=lambda name: (-total[name], len(name), name), default="")


def alike(key: str) -> str:
    """Key shared by similar names: without article and plural, also before a qualifier."""
    if match := _QUALIFIED.fullmatch(key):
        return f"{loose(match.group(1))} ({match.group(2).strip()})"
    return loose(key)
