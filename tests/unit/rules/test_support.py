"""Coverage: the share of a question's words that a piece says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.vocabulary import KIN
from backtrail.rules.reader.support import KIN_WEIGHT, covered


@given(st.dictionaries(st.text("abc", min_size=1), st.floats(0.01, 1.0), min_size=3), st.randoms(use_true_random=False))
def test_coverage_is_the_same_whichever_order_a_process_gives_its_words(rarity: dict[str, float], order) -> None:  # type: ignore[no-untyped-def]
    terms = list(rarity)
    half = frozenset(terms[::2])
    there = covered(terms, half, rarity)
    order.shuffle(terms)
    assert covered(terms, half, rarity) == there


def test_a_word_of_the_family_counts_for_less() -> None:
    term, family = next((term, kin - {term}) for term, kin in KIN.items() if kin - {term})
    assert covered([term], frozenset({term}), {}) == 1.0
    assert covered([term], family, {}) == KIN_WEIGHT < 1.0
    assert covered([term], frozenset({"zebra"}), {}) == covered([], family, {}) == 0.0
