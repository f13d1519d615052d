from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.similarity import bleu, longest_common_subsequence, rouge_l, similarity, symmetric_bleu, tokens

WORDS = st.lists(st.sampled_from(["the", "river", "velm", "1884", "1885", "in"]), max_size=8)
TEXTS = WORDS.map(" ".join)
WEIGHTS = st.floats(0.0, 1.0, allow_nan=False)


@given(first=TEXTS, second=TEXTS, rouge=WEIGHTS, other=WEIGHTS)
def test_symmetric_and_within_bounds(first: str, second: str, rouge: float, other: float) -> None:
    weights = (rouge, other) if rouge + other > 1e-3 else (0.5, 0.5)
    near = similarity(first, second, *weights)
    assert 0.0 <= near <= 1.0 + 1e-9
    assert near == pytest.approx(similarity(second, first, *weights))


@given(text=TEXTS.filter(bool))
def test_a_text_equals_itself_whatever_its_case(text: str) -> None:
    assert similarity(text, f"{text.upper()}!") == pytest.approx(1.0)


@given(text=TEXTS)
def test_nothing_agrees_with_nothing(text: str) -> None:
    assert similarity(text, "") == similarity("", text) == similarity("", "?!") == 0.0


@given(first=WORDS, second=WORDS)
def test_rouge_is_the_common_subsequence_over_the_longer_text(first: list[str], second: list[str]) -> None:
    common = longest_common_subsequence(first, second)
    assert common <= min(len(first), len(second))
    if first and second:
        assert rouge_l(" ".join(first), " ".join(second)) == common / max(len(first), len(second))


def test_bleu_by_hand() -> None:
    assert symmetric_bleu("dog bites man", "man bites dog") == 0.0  # no pair of words in common
    assert bleu(["the"], ["the", "the"]) == pytest.approx(0.5)  # a word that is repeated counts once
    reference, said = tokens("on 20 August 1977"), tokens("20 August 1977")
    assert bleu(reference, said) == pytest.approx(1.0 * 3 / 4)
    # the other way round: p1 = 3/4, p2 = 2/3, p3 = 1/2, and no brevity factor
    assert bleu(said, reference) == pytest.approx(math.exp((math.log(3 / 4) + math.log(2 / 3) + math.log(1 / 2)) / 3))


@pytest.mark.parametrize(
    ("first", "second", "agree"),
    [
        ("The Beatles", "Beatles", True),
        ("18 Oct 1990", "18 Oct 1991", False),
        ("維也納", "維也納", True),
        ("維也納", "布達佩斯", False),
    ],
)
def test_the_default_threshold_tells_answers_apart(first: str, second: str, agree: bool) -> None:
    assert (similarity(first, second) >= 0.5) == agree


def test_scripts_without_spaces_are_compared_by_character() -> None:
    assert tokens("維也納 in 1884") == ["維", "也", "納", "in", "1884"]
    assert 0.5 < similarity("維也納市", "維也納") < 1.0
