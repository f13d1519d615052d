"""Signals of a reading: what tells, without knowing the answer, whether what was read is right. All are about [0, 1].

They are what a calibration weighs (``backtrail.rules.reader.calibration``); a new one makes earlier calibrations
unusable, which then say so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.rules.reader.definitions import Definition
from backtrail.rules.reader.ranking import Ranked

# What is read: a cell or a span (the default), an entry by its label, a definition, yes or no, one of two things, one
# of the options of a multiple-choice question, a cell that was looked up by its row and column.
WAYS = ("cell", "label", "definition", "yes_no", "choice", "option", "rows")
FROM_RANKED = (
    "share", "lead", "chain", "own", "focus", "fit", "header", "headed", "near", "names", "numbers", "row_lead",
    "nearness", "place", "agreement", "typed", "terms", "echo", "named",
    "number",
)  # fmt: skip
QUOTED = "quoted"
SIGNALS = (*FROM_RANKED, *WAYS, "support", QUOTED)
"""``support``: how sure the ways other than ranking are, by their own measure. ``quoted``: how likely the ranking of
quotes finds the piece that was read; it knows other signals than that of candidates, and its own weights. What a way of
reading does not tell is left out, and says nothing either way."""
SPEAK_FOR = frozenset(FROM_RANKED) - {"typed", "number", "terms", "echo"} | {"support", QUOTED}
SPEAK_AGAINST = frozenset(("echo",))
"""More of these never makes a reading surer, and less of those never: a weight of the other sign would be chance, or
make up for another signal. Ways of reading, kinds and lengths of questions may speak for either."""
# Scores further apart than this are as good as certain.
_FAR = 4.0
# Questions with more terms than this are long.
_MANY_TERMS = 20


def of_ranked(listed: Sequence[Ranked], shape: QuestionShape, around: Mapping[str, float]) -> dict[str, float]:
    """Signals of the best of ranked candidates.

    ``lead``: before the best that says something else. ``agreement``: components that say the same.

    Args:
        around: what is said where it stands (``backtrail.rules.reader.about``).
    """
    best = listed[0]
    terms = content_terms(best.candidate.text)
    other = next((one for one in listed if not content_terms(one.candidate.text) & terms), None)
    lead = _FAR if other is None else min(_FAR, best.score - other.score)
    saying = {one.candidate.piece.evidence.id for one in listed if content_terms(one.candidate.text) == terms}
    held = best.signals
    return _rounded({
        **dict.fromkeys(FROM_RANKED, 0.0),
        **{name: held[name] for name in FROM_RANKED if name in held},
        "share": best.share,
        "lead": lead / _FAR,
        "agreement": 1.0 - 1.0 / len(saying),
        "typed": float(shape.kind not in ("entity", "unknown")),
        "number": float(shape.kind == "number"),
        "terms": min(1.0, len(shape.terms) / _MANY_TERMS),
        "cell": held["cell"],
        **around,
    })  # fmt: skip


def of_definition(found: Definition, place: int) -> dict[str, float]:
    """Signals of a defining sentence; ``place`` is the rank of its component, from 0."""
    support = 0.4 * found.titled + 0.3 * found.article + 0.3 * found.early
    return _rounded({"definition": 1.0, "support": support, "place": 1.0 / (1 + place)})


def of_label(support: float, lead: float, *, apart: bool) -> dict[str, float]:
    """Signals of an entry read by its label: where another entry fits as well, nothing tells which is meant."""
    return _rounded({"label": 1.0, "support": support, "lead": lead, **({"clause": 1.0} if apart else {})})


def of_looked_up(known: Mapping[str, float]) -> dict[str, float]:
    """Signals of a cell that was looked up; ``known``: what its look-up tells of it."""
    return _rounded({"rows": 1.0, **known})


def of_way(way: str, support: float) -> dict[str, float]:
    """Signals of what was read in another way: how sure it is by its own measure."""
    return _rounded({way: 1.0, "support": support})


def _rounded(known: Mapping[str, float]) -> dict[str, float]:
    """What is known, to four digits, and which of the ways it was read in."""
    ways = dict.fromkeys(WAYS, 0.0)
    return {name: round(value, 4) if math.isfinite(value) else 0.0 for name, value in {**ways, **known}.items()}
