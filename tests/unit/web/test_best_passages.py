"""Of a long page the passages are kept that bear on what was searched, within the tokens."""

from hypothesis import given
from hypothesis import strategies as st

from backtrail.tools.web.fetching.best_passages import best_passages
from backtrail.tools.web.tokens import token_count

LINES = st.lists(
    st.sampled_from(["The Elbe is long.", "A market was held.", "词 " * 30, "x" * 90, "iron bridge"]), max_size=60
)


@given(lines=LINES, most=st.integers(20, 90))
def test_no_more_than_the_tokens_is_kept_and_nothing_is_made_up(lines: list[str], most: int) -> None:
    text = "\n".join(lines)
    kept = best_passages(text, "the iron bridge", most)
    assert token_count(kept) <= most
    assert all(piece in text for piece in kept.split("\n") if piece != "[…]")
    if token_count(text) <= most:
        assert kept == text


def test_rare_words_of_the_query_weigh_more_than_those_of_every_paragraph() -> None:
    text = "\n".join([*("The bridge of the town is old." for _ in range(40)), "Colm drew it.", "The bridge is grey."])
    assert "Colm drew it." in best_passages(text, "Which bridge did Colm draw?", 40)


def test_a_single_paragraph_is_cut_between_its_sentences() -> None:
    text = "It was market day in the town. " * 200 + "Marta Colm built the light in 1871. " + "The tide came in. " * 200
    kept = best_passages(text, "Who built the light?", 60)
    assert "Marta Colm built the light in 1871." in kept
    assert token_count(kept) <= 60
