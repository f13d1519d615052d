"""Who wins a vote, and which answers agree."""

import math
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.similarity import bleu, longest_common_subsequence, rouge_l, similarity, symmetric_bleu, tokens
from backtrail.nodes.hm_rag.vote import vote
from backtrail.state.hm_rag.memory import Option, Position
from backtrail.state.hm_rag.settings import HmRagSettings
from backtrail.state.settings import Settings
from backtrail.state.variant import VariantName

OPTIONS: list[Option] = [{"label": "A", "text": "wife"}, {"label": "B", "text": "hide"}]


@dataclass
class Runtime:
    context: Settings


def holds(source: str, text: str, confidence: float = 0.5, **more: Any) -> Position:
    cited: Any = {"component": f"{source}#p0", "locator": {}, "quote": text}
    return {
        "source": source, "status": "answered", "text": text, "summary": more.get("summary", text),
        "option": more.get("option"), "confidence": confidence, "citations": [cited], "reason": "", "todo": [],
    }  # fmt: skip


def has_not(source: str, status: Any = "abstained", reason: str = "Nothing was found.") -> Position:
    return {
        "source": source, "status": status, "text": "", "summary": "", "option": None, "confidence": 0.0,
        "citations": [], "reason": reason, "todo": [],
    }  # fmt: skip


def pair(one: str, other: str, near: float, *, agree: bool = False) -> dict[str, Any]:
    return {
        "sources": [one, other], "rouge_l": near, "bleu": near, "similarity": near, "same_option": None, "agree": agree,
    }  # fmt: skip


def held(
    *positions: Position, options: list[Option] | None = None, variant: VariantName = "ours", **settings: Any
) -> Any:
    runtime: Any = Runtime(Settings(variant=variant, hm_rag=HmRagSettings(**settings)))
    return vote()({"options": options or [], "positions": list(positions)}, runtime)


def test_two_agree_against_a_third() -> None:
    writes = held(holds("vector", "the Ondra", 0.6), holds("graph", "Ondra", 0.7), holds("web", "Lake Mirne", 0.4))
    assert writes["vote"] == {
        "pairs": [
            pair("vector", "graph", 0.5, agree=True), pair("vector", "web", 0.0), pair("graph", "web", 0.0),
        ],
        "winners": ["vector", "graph"],
        "excluded": {},
        "outcome": "agreed",
        "reason": "vector and graph agree; similarity at least 0.50.",
    }  # fmt: skip
    assert writes["verdict"] is None  # their wording differs: it has to be merged


def test_the_same_words_need_no_merging() -> None:
    writes = held(holds("vector", "The Ondra.", 0.4), holds("graph", "the ondra", 0.7))
    assert writes["verdict"]["by"] == "vote"
    assert writes["verdict"]["text"] == "the ondra"  # the better supported wording
    assert [one["component"] for one in writes["verdict"]["citations"]] == ["graph#p0", "vector#p0"]


def test_a_better_supported_answer_contests_the_vote() -> None:
    positions = [holds("vector", "Ondra", 0.3), holds("web", "Ondra", 0.4), holds("graph", "Velm", 0.8)]
    contested = held(*positions)
    assert (contested["vote"]["outcome"], contested["verdict"]) == ("contested", None)
    assert "graph contradicts them with a confidence of 0.80" in contested["vote"]["reason"]
    assert held(*positions, contest=False)["verdict"]["text"] == "Ondra"
    assert held(*positions, variant="published")["verdict"]["text"] == "Ondra"


LONG = holds("vector", "There is much to say about rivers, and this one is no exception.", summary="Ondra")
IN_OPTIONS: dict[str, Any] = {"options": OPTIONS}
FIRST: dict[str, Any] = {"decision_agent": False}


@pytest.mark.parametrize(
    ("positions", "settings", "outcome", "winners", "text"),
    [
        ([has_not("vector"), holds("graph", "Ondra")], {}, "alone", ["graph"], "Ondra"),
        ([has_not("vector"), has_not("graph")], {}, "nobody", [], None),
        ([holds("vector", "Ondra"), holds("graph", "Velm"), holds("web", "Mirne")], {}, "disagreed", [], None),
        ([holds("a", "Ondra"), holds("b", "Ondra"), holds("c", "Velm"), holds("d", "Velm")], {}, "disagreed", [], None),
        # one that is supported as well as those who agree contests nothing
        ([holds("vector", "Ondra", 0.3), holds("web", "Ondra", 0.4), holds("graph", "Velm", 0.4)], {}, "agreed",
         ["vector", "web"], "Ondra"),
        # of a long answer the summary is compared, and of multiple choice the option or what plainly means one
        ([LONG, holds("graph", "Ondra")], {}, "agreed", ["vector", "graph"], None),
        ([holds("vector", "the answer is (B)"), holds("graph", "hide", option="B")], IN_OPTIONS, "agreed",
         ["vector", "graph"], "(B) hide. the answer is (B)"),
        ([holds("vector", "x", 0.9, option="A"), holds("graph", "y", option="B")], IN_OPTIONS, "disagreed", [], None),
        # without a decision agent the first source answers
        ([has_not("vector"), holds("graph", "Ondra"), holds("web", "Velm")], FIRST, "not held", ["graph"], "Ondra"),
        ([has_not("vector")], FIRST, "not held", [], "No source has an answer."),
    ],
)  # fmt: skip
def test_who_wins(positions: list[Position], settings: Any, outcome: str, winners: list[str], text: str | None) -> None:
    writes = held(*positions, **settings)
    assert (writes["vote"]["outcome"], writes["vote"]["winners"]) == (outcome, winners)
    assert (writes["verdict"] and writes["verdict"]["text"]) == text
    silent = {one["source"]: one["reason"] for one in positions if one["status"] != "answered"}
    assert writes["vote"]["excluded"] == silent


def test_of_multiple_choice_the_option_counts_first() -> None:
    writes = held(
        holds("vector", "It is the second, as the table says.", option="B"), holds("graph", "hide", 0.6, option="B"),
        holds("web", "It is the second, as the table says.", option="A"), options=OPTIONS,
    )  # fmt: skip
    assert writes["vote"]["winners"] == ["vector", "graph"]
    assert [pair["same_option"] for pair in writes["vote"]["pairs"]] == [True, False, False]
    assert (writes["verdict"]["text"], writes["verdict"]["option"]) == ("(B) hide", "B")


def test_the_threshold_and_the_weights_are_settings() -> None:
    positions = [holds("vector", "the Ondra"), holds("graph", "Ondra")]
    assert held(*positions, threshold=0.6)["vote"]["outcome"] == "disagreed"
    reordered = [holds("vector", "dog bites man"), holds("graph", "man bites dog")]
    assert held(*reordered, bleu_weight=0.0)["vote"]["pairs"][0]["similarity"] == pytest.approx(1 / 3, abs=1e-4)


POSITIONS = st.lists(
    st.tuples(st.sampled_from(["Ondra", "the Ondra", "Velm", "Lake Mirne", ""]), st.integers(0, 4)),
    min_size=1,
    max_size=5,
)


@given(drawn=POSITIONS, data=st.data())
def test_the_order_of_sources_makes_no_difference(drawn: list[tuple[str, int]], data: st.DataObject) -> None:
    positions = [
        holds(f"s{n}", text, 0.1 * rank + 0.01 * n) if text else has_not(f"s{n}")
        for n, (text, rank) in enumerate(drawn)
    ]  # fmt: skip
    one, other = held(*positions), held(*data.draw(st.permutations(positions)))
    assert one["vote"]["outcome"] == other["vote"]["outcome"]
    assert set(one["vote"]["winners"]) == set(other["vote"]["winners"])
    winners = set(one["vote"]["winners"])
    agreeing = {frozenset(pair["sources"]) for pair in one["vote"]["pairs"] if pair["agree"]}
    assert all(frozenset((a, b)) in agreeing for a in winners for b in winners if a != b)


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
