"""Named documents: the files that a text asks about, by period, version and name (ours).

"Intel Q1 2023", "the latest report", "2019 to 2021", "each of the releases". Rules decide, and only where files have an
identity (``tools/corpus/identities.py``); of an ambiguous text all candidates are named. A text without a name asks
about files of which there are several of a kind. Words such as "latest" are known in English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from backtrail.language.periods import periods_in, versions_in, without_periods
from backtrail.language.terms import FUNCTION_WORDS
from backtrail.tools.corpus.dated_files import DatedFile, DatedFiles, name_keys, name_words
from backtrail.tools.corpus.protocol import CorpusReader

_LATEST = re.compile(r"\b(?:latest|newest|most recent)\b", re.I)
_SERIES = re.compile(
    rf"(?:{_LATEST.pattern}|\b(?:each|every|all|across|over|between)\b)(?:\s+[a-z-]+){{0,2}}?"
    r"\s+(?:quarter|report|filing|release|version|edition|issue)s?\b",
    re.I,
)
_LENGTHS = (
    (re.compile(r"\bquarter(?:s|ly)\b", re.I), re.compile(r"\d{4}-Q\d")),
    (re.compile(r"\b(?:years|annual)\b", re.I), re.compile(r"\d{4}")),
)
"""Words that say how long periods are, and such periods."""


def named_documents(corpus: CorpusReader, text: str, most: int) -> list[DatedFile]:
    """Return the files that a text asks about, in reading order; none where it leaves more than ``most``."""
    known = corpus.dated_files
    if not known.files:
        return []
    periods, versions = periods_in(text), versions_in(text, asked=True)
    latest, series = _LATEST.search(text), _SERIES.search(text)
    named = _named(known, text, any_case=bool(periods or versions or latest or series))
    if not (named or periods or versions or series):
        return []
    candidates = [known.files[place] for place in sorted(named)] if named else known.of_a_kind
    covering = _covering(candidates, periods, versions)
    if not (named or covering or series):
        return []
    wanted = covering or _of_length(candidates, text)
    if latest:
        recent = _latest(wanted if len(covering) != 1 else candidates)
        wanted = [one for one in candidates if one in recent or (len(covering) == 1 and one in covering)]
    return wanted if len(wanted) <= most else []


def _named(known: DatedFiles, text: str, *, any_case: bool) -> set[int]:
    """Return the places of the files whose names cover most words of a text: none covers fewer of the same words.

    A word of a name has a capital or a digit, with ``any_case`` also in a text without capitals.
    """
    small = any_case and text == text.casefold()
    words = name_words(without_periods(text))
    covered: dict[int, frozenset[int]] = {}
    for key, places in name_keys(words):
        starts = words[places[0]].casefold() not in FUNCTION_WORDS
        if starts and (small or not any(words[place][0].islower() for place in places)):
            for file in known.by_name.get(key, ()):
                covered[file] = covered.get(file, frozenset()) | set(places)
    sets = set(covered.values())
    less = {some for some in sets if any(some < other for other in sets)}
    return {file for file, some in covered.items() if some not in less}


def _covering(files: Sequence[DatedFile], periods: Sequence[str], versions: Sequence[str]) -> list[DatedFile]:
    """Return the files of each period and version; of a year those of the whole year, if there are any."""
    chosen: set[str] = set()
    for period in periods:
        whole = {one.id for one in files if period in one.identity.periods}
        within = (one.id for one in files if any(held.startswith(f"{period}-") for held in one.identity.periods))
        chosen |= whole or set(within)
    for version in versions:
        chosen |= {one.id for one in files if any(_is_of(held, version) for held in one.identity.versions)}
    return [one for one in files if one.id in chosen]


def _is_of(held: str, version: str) -> bool:
    return f"{held}.".startswith(f"{version}.")


def _of_length(files: list[DatedFile], text: str) -> list[DatedFile]:
    """Keep the quarterly files for "quarters", those of whole years for "annual" and "years", if there are any."""
    for said, length in _LENGTHS:
        if said.search(text):
            files = [one for one in files if any(map(length.fullmatch, one.identity.periods))] or files
    return files


def _latest(files: Sequence[DatedFile]) -> list[DatedFile]:
    """Return the files with the last period or version."""
    ages = [_age(one) for one in files]
    return [one for one, age in zip(files, ages, strict=True) if age == max(ages)]


def _age(file: DatedFile) -> tuple[str, tuple[int, ...]]:
    """Return what sorts a file by time; a year ends after its quarters."""
    held = file.identity
    periods = (f"{period}-~" if period.isdigit() else period for period in held.periods)
    numbers = (tuple(int(part) for part in re.findall(r"\d+", version)) for version in held.versions)
    return max(periods, default=""), max(numbers, default=())
