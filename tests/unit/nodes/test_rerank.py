"""What is ranked below what a reranker chose."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backtrail.nodes.fif.rerank import filled_up
from backtrail.state.hop import Scored


def scored(**scores: float) -> list[Scored]:
    return [{"id": name, "score": score} for name, score in scores.items()]


def test_what_the_reranker_left_out_follows_what_it_chose() -> None:
    filled = filled_up(scored(c=0.9, a=0.4), scored(a=2.0, b=1.0, c=0.5, d=0.0))
    assert filled == scored(c=0.9, a=0.4, b=0.2, d=0.0)


@given(
    st.dictionaries(st.sampled_from("abcd"), st.floats(0, 1), min_size=1),
    st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 9)),
)
def test_the_chosen_stay_first_and_nothing_scores_above_them(chosen: dict[str, float], held: dict[str, float]) -> None:
    filled = filled_up(scored(**chosen), scored(**held))
    assert [one["id"] for one in filled[: len(chosen)]] == list(chosen)
    assert {one["id"] for one in filled} == {*chosen, *held}
    assert all(one["score"] <= min(chosen.values()) for one in filled[len(chosen) :])
