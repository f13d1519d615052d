"""The form of a reply and what one means: what code can put right costs no second call; letters by their tokens."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.answer_decisions import ANSWER, AnswerInputs, EvidenceText
from backtrail.state.choice_decisions import OptionView, ReadInputs
from backtrail.state.fif.choice_decisions import SELECT_COMPONENTS, Candidate, SelectInputs
from backtrail.state.fif.evaluate_decisions import EVALUATE, EvaluateInputs, ReadComponent
from backtrail.state.fif.fused_decisions import ADVANCE, AdvanceInputs, SeenComponent, StepView
from backtrail.state.fif.memory_views import DocumentView, HopView, SubqueryView
from backtrail.state.fif.orchestrate_decisions import ORCHESTRATE, Allowed, OrchestrateInputs
from backtrail.state.hm_rag.decisions import READ
from backtrail.state.vqa_planner.decisions import CHOOSE_PATH, ChoosePathInputs, PathChoice
from backtrail.tools.deciders.letter_field import letter_field
from backtrail.tools.deciders.offered_choices import MOST_VALUES
from backtrail.tools.deciders.parse_output import read_output
from backtrail.tools.deciders.requests.letter_scores import TokenAlternatives, letter_scores, parse_logprobs
from backtrail.tools.deciders.requests.reply_schema import REASONING, reply_form

TABLE = EvidenceText(id="t", modality="table", title="Clubs", header=["Club"], rows=[["Orvane"], ["Ondra"]], score=1.0)
TEXT = EvidenceText(id="p", modality="text", title="Orvane", sentences=["It moved in 1998."], score=0.5)
ASKED = AnswerInputs(question="When?", evidence=[TABLE, TEXT])


def cited_piece(asked: AnswerInputs) -> dict[str, Any]:
    """The fields of a citation, wherever one stands."""
    return reply_form(ANSWER, asked).schema["$defs"]["CitedPiece"]["properties"]


def values(field: dict[str, Any]) -> list[Any]:
    return [value for one in field["anyOf"] for value in one.get("enum", [None])]


def test_only_what_is_offered_can_be_cited() -> None:
    piece = cited_piece(ASKED)
    assert piece["component"] == {"type": "string", "enum": ["t", "p"]}
    assert values(piece["row"]) == [0, 1, None]
    assert values(piece["sentence"]) == [0, None]


def test_without_evidence_nothing_can_be_cited() -> None:
    empty = AnswerInputs(question="When?", evidence=[])
    assert reply_form(ANSWER, empty, bounds=True).schema["properties"]["citations"]["maxItems"] == 0
    assert cited_piece(empty)["component"]["type"] == "string"  # strict servers take no maxItems


def test_a_question_without_options_takes_none() -> None:
    asked = ReadInputs(question="Who?", evidence=[TEXT])
    assert reply_form(READ, asked).schema["properties"]["option"] == {"anyOf": [{"type": "null"}]}
    asked = asked.model_copy(update={"options": [OptionView(label="A", text="x"), OptionView(label="B", text="y")]})
    assert values(reply_form(READ, asked).schema["properties"]["option"]) == ["A", "B", None]


def test_what_two_fields_may_name_is_told_apart() -> None:
    asked = EvaluateInputs(
        question="Who?", subtask="who", subquery_id=None, known=[], components=[],
        open_subqueries=[{"id": "q0", "text": "who", "status": "open"}],  # type: ignore[list-item]
    )  # fmt: skip
    resolved = reply_form(EVALUATE, asked).schema["properties"]["resolved"]["items"]["properties"]
    assert resolved["subquery_id"]["enum"] == ["q0"]
    assert resolved["component"] == {"anyOf": [{"type": "null"}]}


def test_a_list_that_servers_would_refuse_is_left_open() -> None:
    rows = [[str(number)] for number in range(MOST_VALUES + 1)]
    piece = cited_piece(AnswerInputs(question="?", evidence=[TABLE.model_copy(update={"rows": rows})]))
    assert piece["component"]["enum"] == ["t"]
    assert "enum" not in json.dumps(piece["row"])


def test_an_offered_id_stands_once_in_what_a_server_enforces_and_not_in_the_text() -> None:
    form = reply_form(ADVANCE, advancing(["page-one#t1", "page-two#p1"]))
    enforced, text = json.dumps(form.schema), form.text
    assert [(enforced.count(f'"{id_}"'), text.count(id_)) for id_ in ("page-one#t1", "page-two#p1")] == [(1, 0), (1, 0)]
    assert [name for name in form.schema["$defs"] if f"#/$defs/{name}" not in enforced] == []
    place = form.schema["properties"]["relevant"]["items"]["$ref"].rpartition("/")[2]
    assert form.schema["$defs"][place]["enum"] == ["page-one#t1", "page-two#p1"]


def advancing(components: list[str]) -> AdvanceInputs:
    return AdvanceInputs(
        question="When?", documents_link=True, memory=[], subqueries=[], steps_left=2,
        allowed=Allowed(backtracking=True, reasoning=True, global_hop=True, granularity=True, planner=True),
        evidence=[SeenComponent(**{**dict(TEXT), "id": id_}, document=id_.partition("#")[0]) for id_ in components],
        hop=StepView(step=0, kind="opening", outcome="unjudged"),
    )  # fmt: skip


def test_what_cannot_be_set_now_is_in_neither_schema() -> None:
    first = advancing(["page-one#t1"])
    last = first.model_copy(update={"steps_left": 0, "own_knowledge": True})
    forms = [reply_form(ADVANCE, one) for one in (first, last)]
    for schema in [*(form.schema for form in forms), *(form.open for form in forms)]:
        assert "findings" not in schema["properties"]
        assert schema["required"] == list(schema["properties"])
    action = forms[0].schema["properties"]["action"]["anyOf"][0]["properties"]
    assert action["kind"] == {"type": "string", "enum": ["search"]}
    assert {"number", "subquery_id"}.isdisjoint(action)
    assert {"action", "new_subqueries"}.isdisjoint(forms[1].schema["properties"])
    assert ['"grounds"' in json.dumps(form.schema) for form in forms] == [False, True]


def test_a_reply_begins_with_its_reasoning() -> None:
    form = reply_form(ANSWER, ASKED, reasons=True)
    assert next(iter(form.schema["properties"])) == form.schema["required"][0] == REASONING
    assert REASONING in form.reasoning_note


@pytest.mark.parametrize("field", ["text", "answer"])
def test_reasoning_is_read_over(field: str) -> None:
    said = {REASONING: "The page says so.", "short": "1998", field: "It moved in 1998.", "supported": True}
    reply = {**said, "citations": [{"component": "p", "sentence": 0}], "confidence": 0.9}
    read = read_output(ANSWER, ASKED, json.dumps(reply))
    assert read.output is not None, read.problem
    assert (read.output.short, read.output.text, read.output.grounds) == ("1998", "It moved in 1998.", "evidence")


CANDIDATES = [Candidate(index=index, id=key, title=key, text="", similarity=0.5) for index, key in enumerate("abc")]
OFFERED = SelectInputs(subtask="Which river?", candidates=CANDIDATES, keep=3)


def read(decision: Any, inputs: Any, reply: dict[str, Any]) -> Any:
    return read_output(decision, inputs, json.dumps(reply))


def test_an_index_that_disagrees_with_its_id_gives_way_and_an_item_counts_once() -> None:
    choices = [
        {"index": 2, "id": "a", "score": 0.9},
        {"index": 1, "id": "b", "score": 0.5},
        {"index": 0, "id": "a", "score": 1},
    ]
    output = read(SELECT_COMPONENTS, OFFERED, {"choices": choices}).output
    assert [(choice.index, choice.id) for choice in output.choices] == [(0, "a"), (1, "b")]


def test_texts_are_cut_at_a_word_lists_at_their_bound_and_unknown_keys_fall_away() -> None:
    evidence = [EvidenceText(id="a", modality="text", title="A", sentences=["Yes."], score=1.0)]
    reply = {
        "short": "word " * 400, "text": "Yes.", "mood": "fine", "supported": True, "confidence": 1,
        "citations": [{"component": "a", "sentence": 0, "page": 3}],
    }  # fmt: skip
    output = read(ANSWER, AnswerInputs(question="Is it?", evidence=evidence), reply).output
    assert output.short.endswith("word…")
    assert output.citations[0].component == "a"


def test_a_confidence_out_of_bounds_is_asked_again() -> None:
    reply = {"text": "No.", "supported": False, "confidence": 90}
    assert "confidence" in read(ANSWER, AnswerInputs(question="Is it?", evidence=[]), reply).problem


def test_a_subquery_that_is_answered_already_changes_nothing() -> None:
    inputs = EvaluateInputs(
        question="Q", subtask="S", subquery_id="q1", open_subqueries=[SubqueryView(id="q1", text="b", status="open")],
        known=[SubqueryView(id="q0", text="a", status="answered", answer="x")],
        components=[ReadComponent(id="a", modality="text", title="A", text="t", similarity=0.5)],
    )  # fmt: skip
    resolved = [{"subquery_id": "q0", "answer": "again"}, {"subquery_id": "q1", "answer": "new"}]
    output = read(EVALUATE, inputs, {"answerable": True, "resolved": resolved}).output
    assert [one.subquery_id for one in output.resolved] == ["q1"]


def test_documents_to_start_from_name_their_step_by_themselves() -> None:
    hops = [
        HopView(
            step=step, kind="traverse", subquery_id=None, subquery="", anchor_step=None, document_mode="vector search",
            component_mode="vector search", granularity="document", outcome="success", reason="",
            documents=[DocumentView(id=document, title="") for document in documents], found=[],
        )
        for step, documents in enumerate(["ab", "bc", "c"])
    ]  # fmt: skip
    everything = Allowed(backtracking=True, reasoning=True, global_hop=True, granularity=True, planner=True)
    inputs = OrchestrateInputs(
        question="Q", subqueries=[], memory=hops, neighbours=[], steps_left=5, allowed=everything
    )
    reply = {"action": "search", "subtask": "x", "document_mode": "neighbors", "anchor_documents": ["b"]}
    assert read(ORCHESTRATE, inputs, reply).output.anchor == 1
    assert "not found by step" in read(ORCHESTRATE, inputs, {**reply, "anchor_documents": ["z"]}).problem


PICTURED = ChoosePathInputs(question="Which bridge is this?", has_picture=True)


@pytest.mark.parametrize(("reply", "option"), [("B", "B"), ("(c)", "C"), ("Option D.", "D"), ("**A**", "A")])
def test_a_reply_that_is_nothing_but_the_letter_is_that_choice(reply: str, option: str) -> None:
    output = read_output(CHOOSE_PATH, PICTURED, reply).output
    assert output.option == option


@pytest.mark.parametrize("reply", ["E", "B or C", "I choose B", "A picture is needed", "", '{"option": "E"}'])
def test_another_letter_or_prose_is_no_choice(reply: str) -> None:
    read = read_output(CHOOSE_PATH, PICTURED, reply)
    assert read.output is None
    assert read.problem


FIELD = letter_field(PathChoice)
assert FIELD is not None


def place(token: str, **others: float) -> TokenAlternatives:
    return TokenAlternatives(token, tuple((other, math.log(share)) for other, share in others.items()))


def said(*tokens: str, letter: dict[str, float], at: int) -> list[TokenAlternatives]:
    shares = tuple((token, math.log(share)) for token, share in letter.items())
    return [
        TokenAlternatives(token, shares if number == at else ((token, 0.0),)) for number, token in enumerate(tokens)
    ]


@pytest.mark.parametrize(
    ("tokens", "at", "letter"),
    [
        (("C",), 0, {"C": 0.6, " A": 0.2, "Because": 0.2}),
        (('{"', "option", '":', ' "', "C", '"}'), 4, {"C": 0.6, "A": 0.2}),
        (('{"option":', ' "C', '", "why": "A is no choice"}'), 1, {' "C': 0.6, ' "A': 0.2}),
        (('{"why": "', "A", '", "option": "', 'C"', "}"), 3, {'C"': 0.6, 'A"': 0.2}),
    ],
)
def test_where_the_letter_stands_its_rivals_are_read(tokens: tuple[str, ...], at: int, letter: Any) -> None:
    scores = letter_scores(said(*tokens, letter=letter, at=at), FIELD)
    assert scores.probabilities == pytest.approx({"A": 0.25, "B": 0, "C": 0.75, "D": 0})
    assert scores.total_probability == pytest.approx(0.8)


@pytest.mark.parametrize(
    "places",
    [[], [place("I see a bridge", X=1.0)], [place("C", Because=0.9)], [place("C", C=float(1)), place("at", x=1)]],
)
def test_without_a_letter_nothing_is_told(places: list[TokenAlternatives]) -> None:
    assert letter_scores(places, FIELD) is None


@pytest.mark.parametrize(
    "told", [None, {}, {"content": None}, {"content": "C"}, {"content": [{"token": "C"}]}, {"content": [7]}, [1]]
)
def test_what_is_no_list_of_tokens_is_left_out(told: Any) -> None:
    assert parse_logprobs(told) == ()


@given(st.lists(st.tuples(st.text(max_size=3), st.floats(-20, 1)), max_size=8))
def test_probabilities_sum_to_one_or_there_are_none(likely: list[tuple[str, float]]) -> None:
    scores = letter_scores([TokenAlternatives("C", tuple(likely))], FIELD)
    assert scores is None or (
        sum(scores.probabilities.values()) == pytest.approx(1) and 0 < scores.total_probability <= 1
    )
