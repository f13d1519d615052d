"""Meanings: how surely a word of a question means a word of a header or label.

People do not say what a table is headed with: "how much RAM" asks for "memory usage", "how many people lived" for
"Pop.", and "corrode" for "Corrosion rate". The same word counts fully, its abbreviation, a word of its root or of its
family less. English only.
"""

from __future__ import annotations

from functools import lru_cache

from backtrail.language.terms import stem
from backtrail.language.vocabulary import KIN, LABEL_KIN

SAME, ROOT, ABBREVIATED, FAMILY = 1.0, 0.9, 0.9, 0.8
_SHORTEST_ROOT = 5
# What two words of one root share of the shorter one.
_ROOT_SHARE = 0.8
_LONGEST_ABBREVIATION = 4
_SHORTEST_ABBREVIATION = 3
# What headers say and what people say for it, besides the families of ``vocabulary``. The first word of a line is the
# header's in most tables that were looked at, but any of them may be.
_FAMILIES = """memory ram rss heap
employees headcount staff workforce personnel workers people work worked
total totals altogether overall sum combined grand
price cost costs priced fee fees charge expense pay worth value rate
date day when
time long duration takes took
phone telephone tel call ring
mail email address
contact responsible charge
latency delay
speed fast rate quick quickly slow velocity throughput
size big large small length
temperature temp cold hot warm celsius
temperature temp cold hot warm fahrenheit
population people inhabitants residents lived live
participants patients subjects enrolled enrollment
portion serving helping
calories kcal energy
version release
version oldest newest latest
status state condition
notes note remark remarks comment comments
deadline due closing closes until
due pay paid payable
age old life lifetime lifespan
variance difference discrepancy deviation
revenue turnover sales sell sold
profit earnings
renamed called replaced replacement new
usage use used
average mean avg typical typically usually
quantity qty amount many
count number
score points scored
opened open opens opening
location place where located
type kind sort
default unset standard
description meaning purpose means
weight heavy mass weigh weighs
height tall high
salary wage pay earn earns
percent percentage share proportion stake part portion fraction
own owns owned owner owners ownership belong belongs
fine penalty
height altitude elevation
begins begin starts start started opens
ends end ended finish finishes
fixed fixes closes closed patched resolved
supported supports support
allowed permitted allows permits
length long
stock store hand inventory
author writer wrote written by
speaker speakers speaks presents presenter
result outcome
reference normal
rated rating grade flag
number no num
maximum max most highest peak
minimum min least lowest
second sec secs
minute minutes
year yr years
launched released release published
required mandatory needed need must
memory storage
born birth dob birthday
died death
title name called
mother mum mom mam mummy
supplier vendor manufacturer maker
usd dollar dollars
eur euro euros
gbp pound pounds
month monthly
seat seats capacity"""
_OF: dict[str, frozenset[str]] = {}
for _line in _FAMILIES.splitlines():
    _family = frozenset(stem(word) for word in _line.split())
    for _member in _family:
        _OF[_member] = _OF.get(_member, frozenset()) | _family


@lru_cache(maxsize=50_000)
def means(asked: str, headed: str) -> float:
    """How surely a term of a question means a term of a header, in [0, 1]; numbers mean themselves alone."""
    if asked == headed:
        return SAME
    if not (asked.isalpha() and headed.isalpha()):
        return 0.0
    if _is_abbreviation(headed, asked):
        return ABBREVIATED
    if headed in family(asked) or any(_is_abbreviation(headed, other) for other in _OF.get(asked, ())):
        return FAMILY
    return ROOT if _same_root(asked, headed) else 0.0


def family(term: str) -> frozenset[str]:
    """Terms that a header may say for this one."""
    return _OF.get(term, frozenset()) | KIN.get(term, frozenset()) | LABEL_KIN.get(term, frozenset())


def _is_abbreviation(short: str, whole: str) -> bool:
    """ "Pop." of "population", "enc" of "encoder", "sec" of "second"."""
    fits = _SHORTEST_ABBREVIATION <= len(short) <= _LONGEST_ABBREVIATION
    return fits and len(whole) >= len(short) + 2 and whole.startswith(short)


def _same_root(one: str, other: str) -> bool:
    """ "Corrode" and "corrosion": they differ behind their root alone."""
    shorter = min(len(one), len(other))
    shared = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    return shared >= _SHORTEST_ROOT and shared >= _ROOT_SHARE * shorter
