"""Separate searches for each sentence or subquery of a question (ours).

A question is searched as a whole, since its parts are constraints on one path. A component that answers only one part
shares few words with the whole and is ranked low. So each part is also searched alone, and its best result takes one of
the last places of the ranking.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backtrail.language.sentences import split_sentences
from backtrail.language.terms import content_terms
from backtrail.state.hop import Scored

PARTS = 4
"""Most parts to search; questions seldom have more."""
LAST_PLACES = 2
"""Places of the ranking for parts: of ten, two displaced no gold component on our corpora, three or four do."""
LEAST_TERMS = 2
"""Least terms of a part; with fewer it is not a query."""


def parts_of(question: str, subqueries: Iterable[str]) -> list[str]:
    """Return the subqueries and sentences with enough terms that do not repeat the whole question."""
    whole = content_terms(question)
    by_terms: dict[frozenset[str], str] = {}
    for text in (*subqueries, *split_sentences(question)):
        terms = content_terms(text)
        if len(terms) >= LEAST_TERMS and terms != whole:
            by_terms.setdefault(terms, text)
    return list(by_terms.values())[:PARTS]


def with_parts(ranked: Sequence[Scored], best: Sequence[str], keep: int) -> list[Scored]:
    """Return the first ``keep`` of a ranking, the last places given to new results of parts.

    A raised result gets the score of the place before, so scores keep falling.
    """
    places = min(LAST_PLACES, keep // 4)
    first = list(ranked[: keep - places])
    ranked_ids = {scored["id"] for scored in first}
    keys = [key for key in dict.fromkeys(best) if key not in ranked_ids][:places]
    score = first[-1]["score"] if first else 1.0
    lifted: list[Scored] = [{"id": key, "score": score} for key in keys]
    rest = [scored for scored in ranked[keep - places :] if scored["id"] not in keys]
    return [*first, *lifted, *rest][:keep]
