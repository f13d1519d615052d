"""Doubts: what keeps a reading from being given for sure, however likely its calibration thinks it.

Calibrations are made of questions that were asked of a few corpora. In a small one little is at hand to be likelier
than what is near: the sister house's year, the colleague's birthplace. What a reading must not be is said here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Doubt = Literal[
    "compared", "half", "word", "rival", "kind", "repeats", "column", "other", "clause", "little", "denied", "one"
]

# Of a cell that was looked up, how sure its row and column are at least.
LEAST_SUPPORT = 0.6
LEAST_ALONE = 0.75
"""Of the question, by the rarity of its words, what a piece must say that alone is read with high confidence. "When was
Anna married?" is two thirds of "Anna was born in 1990", and in a small collection nothing else is at hand to be
likelier. Ours: nothing that is high on OTT-QA, 38 answers, says less."""
LEAST_SUBJECT = 0.7
"""Of the names of the question, by rarity, what a sentence must say with its headings and the row that led to it. Of
335 readings that were high it doubts two of the 304 right ones and two of the wrong."""
LEAST_HERE = 0.7
"""The same of all its words where it has no names: "the rowing club" is not the chess club."""
# Where something else fits as well nothing tells which is meant: the least lead of an entry by its label, of others.
LEAST_LEAD_OF_LABEL, LEAST_LEAD = 0.1, 0.02
# A road is no person: what fits a kind no better than that does not answer.
LEAST_FIT = 0.1
# Of a cell, how surely its column is the one that is asked; of a number at least that the column is named.
LEAST_NAMED, LEAST_NAMED_OF_NUMBER = 0.5, 0.7


def doubt(signals: Mapping[str, float]) -> Doubt | None:
    """The plainest reason why what was read is not sure; None where there is none but how likely it is."""
    if signals.get("unsaid_comparison"):
        return "compared"
    if signals.get("unsaid_number"):
        return "other"
    for several in ("half", "one"):
        if signals.get(several):
            return several
    if not signals.get("share"):
        if signals.get("rows") and signals.get("support", 1.0) < LEAST_SUPPORT:
            return "column"
        return _of_label(signals) if signals.get("label") else None
    return _of_words(signals) or _of_place(signals)


def _of_label(signals: Mapping[str, float]) -> Doubt | None:
    """What is doubtful of an entry that was read by its label."""
    if signals.get("lead", 0.0) < LEAST_LEAD_OF_LABEL:
        return "rival"
    return "clause" if signals.get("clause") else None


def says_enough(signals: Mapping[str, float]) -> bool:
    """Whether what was read may be said for sure, if it is likely enough."""
    return doubt(signals) is None


def is_of_asked_kind(signals: Mapping[str, float]) -> bool:
    """Whether what was read could answer such a question at all: a date to "when", a number to "how many"."""
    return not signals.get("typed") or signals.get("fit", 0.0) > LEAST_FIT


def _of_words(signals: Mapping[str, float]) -> Doubt | None:
    """What is doubtful of the words themselves."""
    if signals.get("word"):
        return "word"
    if signals.get("denied"):
        return "denied"
    if signals.get("lead", 0.0) < LEAST_LEAD:
        return "rival"
    plain = signals.get("cell") and not signals.get("number") and signals.get("named", 0.0) >= 1.0
    if not plain and not is_of_asked_kind(signals):  # whatever stands under "Keeper" is who keeps it
        return "kind"
    return "repeats" if signals.get("echo", 0.0) >= 1.0 else None


def _of_place(signals: Mapping[str, float]) -> Doubt | None:
    """What is doubtful of where they stand."""
    if signals.get("named", 0.0) < _least_named(signals):
        return "column"
    if not signals.get("cell"):
        if signals.get("subject", 1.0) < LEAST_SUBJECT:
            return "other"
        if "subject" not in signals and signals.get("here", 1.0) < LEAST_HERE:
            return "other"
        if signals.get("clause"):
            return "clause"
    if signals.get("listed") and signals.get("here", 1.0) < LEAST_ALONE:  # what announces a list has to say what of
        return "little"
    alone = signals.get("own", 0.0) >= signals.get("chain", 0.0)
    said = max(signals.get("own", 0.0), signals.get("here", 0.0))  # without the word after "how", which no answer says
    return "little" if alone and said < LEAST_ALONE else None


def _least_named(signals: Mapping[str, float]) -> float:
    if signals.get("number"):
        return LEAST_NAMED_OF_NUMBER
    return LEAST_NAMED if signals.get("cell") else 0.0
