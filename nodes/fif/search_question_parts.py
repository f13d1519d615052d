"""Search each sentence or subquery of a question separately (ours).

A question of several sentences or subqueries is searched as a whole, since its parts are constraints on one path. What
only one part asks for shares few words with the whole and is ranked low. So each part is searched alone too, and the
best that it finds takes one of the last places of the ranking.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backtrail.language.sentences import split_sentences
from backtrail.language.terms import content_terms
from backtrail.state.hop import Scored

PARTS = 4
"""Parts that are searched; the question is seldom longer."""
LAST_PLACES = 2
"""Places of the ranking that parts may take: of ten, two cost no corpus at hand a piece, three or four do."""
LEAST_TERMS = 2
"""A part with fewer terms says nothing by itself."""


def parts_of(question: str, subqueries: Iterable[str]) -> list[str]:
    """Subqueries and sentences that say something by themselves, and not all that the question says."""
    whole = content_terms(question)
    said: dict[frozenset[str], str] = {}
    for text in (*subqueries, *split_sentences(question)):
        terms = content_terms(text)
        if len(terms) >= LEAST_TERMS and terms != whole:
            said.setdefault(terms, text)
    return list(said.values())[:PARTS]


def with_parts(ranked: Sequence[Scored], best: Sequence[str], keep: int) -> list[Scored]:
    """The first ``keep`` of a ranking, the last of them given to the best finds of parts that are not among the others.

    Scores go on falling: a find that is lifted gets that of the place before.
    """
    places = min(LAST_PLACES, keep // 4)
    first = list(ranked[: keep - places])
    held = {scored["id"] for scored in first}
    keys = [key for key in dict.fromkeys(best) if key not in held][:places]
    score = first[-1]["score"] if first else 1.0
    lifted: list[Scored] = [{"id": key, "score": score} for key in keys]
    rest = [scored for scored in ranked[keep - places :] if scored["id"] not in keys]
    return [*first, *lifted, *rest][:keep]
