"""The form of a reply: offered ids as an enumeration, a field to reason in before the decision."""

from __future__ import annotations

import json
from typing import Any

import pytest

from backtrail.state.answer_decisions import ANSWER, CONTEXTUALIZE, AnswerInputs, ContextualizeInputs, EvidenceText
from backtrail.state.choice_decisions import OptionView, ReadInputs
from backtrail.state.decision import Decision
from backtrail.state.fif.evaluate_decisions import EVALUATE, EvaluateInputs
from backtrail.state.hm_rag.decisions import READ
from backtrail.state.vqa_planner.decisions import CHOOSE_PATH, ChoosePathInputs
from backtrail.tools.deciders.asking.form import REASONING, reply_form
from backtrail.tools.deciders.offered import MOST_VALUES
from backtrail.tools.deciders.reading import read_output

TABLE = EvidenceText(id="t", modality="table", title="Clubs", header=["Club"], rows=[["Orvane"], ["Ondra"]], score=1.0)
TEXT = EvidenceText(id="p", modality="text", title="Orvane", sentences=["It moved in 1998."], score=0.5)
ASKED = AnswerInputs(question="When?", evidence=[TABLE, TEXT])


def cited(asked: AnswerInputs, *, bounds: bool = False) -> dict[str, Any]:
    return reply_form(ANSWER, asked, bounds=bounds).schema["properties"]["citations"]


def values(field: dict[str, Any]) -> list[Any]:
    return [value for one in field["anyOf"] for value in one.get("enum", [None])]


def test_only_what_is_offered_can_be_cited() -> None:
    piece = cited(ASKED)["items"]["properties"]
    assert piece["component"] == {"type": "string", "enum": ["t", "p"]}
    assert values(piece["row"]) == [0, 1, None]
    assert values(piece["sentence"]) == [0, None]


def test_without_evidence_nothing_can_be_cited() -> None:
    empty = AnswerInputs(question="When?", evidence=[])
    assert cited(empty, bounds=True)["maxItems"] == 0
    assert cited(empty)["items"]["properties"]["component"]["type"] == "string"  # strict servers take no maxItems


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
    piece = cited(AnswerInputs(question="?", evidence=[TABLE.model_copy(update={"rows": rows})]))["items"]["properties"]
    assert piece["component"]["enum"] == ["t"]
    assert "enum" not in json.dumps(piece["row"])


def test_the_decisions_schema_itself_is_not_changed() -> None:
    before = json.dumps(reply_form(ANSWER, AnswerInputs(question="?", evidence=[])).schema)
    reply_form(ANSWER, ASKED, reasons=True)
    assert json.dumps(reply_form(ANSWER, AnswerInputs(question="?", evidence=[])).schema) == before


# --- reasoning -----------------------------------------------------------------------------------
def test_a_reply_begins_with_its_reasoning() -> None:
    form = reply_form(ANSWER, ASKED, reasons=True)
    assert next(iter(form.schema["properties"])) == form.schema["required"][0] == REASONING
    assert REASONING in form.told


@pytest.mark.parametrize(
    ("decision", "inputs"),
    [
        (CONTEXTUALIZE, ContextualizeInputs(conversation=[], question="?")),
        (CHOOSE_PATH, ChoosePathInputs(question="?", has_picture=False)),
    ],
)
def test_nothing_is_reasoned_where_nothing_is_weighed(decision: Decision[Any, Any], inputs: Any) -> None:
    form = reply_form(decision, inputs, reasons=True)
    assert REASONING not in form.schema["properties"]
    assert form.told == ""


@pytest.mark.parametrize("field", ["text", "answer"])
def test_reasoning_is_read_over(field: str) -> None:
    said = {REASONING: "The page says so.", "short": "1998", field: "It moved in 1998.", "supported": True}
    reply = {**said, "citations": [{"component": "p", "sentence": 0}], "confidence": 0.9}
    read = read_output(ANSWER, ASKED, json.dumps(reply))
    assert read.output is not None, read.problem
    assert (read.output.short, read.output.text, read.output.grounds) == ("1998", "It moved in 1998.", "evidence")
