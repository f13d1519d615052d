"""What an answer rests on: evidence, own knowledge that is marked and never cited, or the rules' quotes."""

from __future__ import annotations

from typing import Any

import pytest

from backtrail.graphs.methods import find_method
from backtrail.nodes.answer import answer
from backtrail.state.answer_decisions import ANSWER, AnswerInputs, EvidenceText, cites_evidence
from backtrail.state.settings import Settings
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

QUESTION = "When was Voyager 2 launched?"
OWN = {"short": "1977", "text": "It was launched in 1977.", "citations": [], "grounds": "own", "supported": True}
OWN_REPLY = {**OWN, "confidence": 0.9}
PAGE = EvidenceText(id="p", modality="text", title="Voyager 2", sentences=["It flew past Triton."], score=1.0)


async def ask(corpus: Any, script: dict[str, Any], method: str = "bm25", **settings: Any) -> dict[str, Any]:
    toolbox = Toolbox(open_corpus=lambda name: corpus, open_decider=lambda model, settings: ScriptedDecider(script))
    steered = Settings(corpus="tiny", planner="scripted", reader="scripted", **settings)
    return await find_method(method).build(toolbox).compile().ainvoke({"question": QUESTION}, context=steered)


async def test_own_knowledge_is_marked_and_cites_nothing(space_corpus: Any) -> None:
    asked: list[str] = []

    def reply(inputs: Any) -> dict[str, Any]:
        asked.append(inputs.knowledge)
        return OWN_REPLY

    values = await ask(space_corpus, {"answer": reply}, knowledge="both")
    assert asked == ["both"]
    assert (values["answer"]["grounds"], values["answer"]["citations"]) == ("own", [])
    assert values["answer"]["text"] == OWN["text"]
    assert "own knowledge" in values["messages"][-1].text


async def test_alone_it_is_asked_without_the_evidence(space_corpus: Any) -> None:
    script = {"answer_alone": [{"short": "1977", "text": "In 1977.", "known": True, "confidence": 0.9}]}
    values = await ask(space_corpus, script, knowledge="own")
    assert (values["answer"]["grounds"], values["answer"]["short"]) == ("own", "1977")
    assert values["ranking"], "what was found is ranked all the same"


async def test_by_default_a_method_reads_as_its_paper_has_it(space_corpus: Any) -> None:
    asked: list[str] = []

    def reply(inputs: Any) -> dict[str, Any]:
        asked.append(inputs.knowledge)
        return {**OWN_REPLY, "supported": False, "grounds": "evidence", "confidence": 0.0}

    await ask(space_corpus, {"answer": reply})
    toolbox = Toolbox(open_corpus=lambda _: space_corpus, open_decider=lambda *_: ScriptedDecider({"answer": reply}))
    state: Any = {
        "messages": [], "question": QUESTION, "image": None, "subqueries": [], "evidence": {}, "usage": {},
        "ranking": [{"id": next(iter(space_corpus.components([]) or ["triton#p0"])), "score": 1.0}],
    }  # fmt: skip

    class Runtime:
        context = Settings(corpus="tiny", reader="scripted")

    await answer(toolbox, knowledge="both")(state, Runtime())  # type: ignore[arg-type]
    assert asked == ["evidence", "both"]


@pytest.mark.parametrize(
    ("knowledge", "reply", "fits"),
    [
        ("evidence", OWN_REPLY, False),
        ("both", OWN_REPLY, True),
        ("both", {**OWN_REPLY, "citations": [{"component": "p"}]}, False),
        ("both", {**OWN_REPLY, "grounds": "both"}, False),
        ("both", {**OWN_REPLY, "grounds": "both", "citations": [{"component": "p"}]}, True),
    ],
)
def test_grounds_and_citations_agree(knowledge: Any, reply: dict[str, Any], fits: bool) -> None:
    inputs = AnswerInputs(question=QUESTION, knowledge=knowledge, evidence=[PAGE])
    reading = ANSWER.output.model_validate(reply)
    assert (cites_evidence(inputs, reading) == []) is fits


@pytest.mark.parametrize(
    ("beyond", "missing"),
    [("", []), ("A blue whale sang there.", []), ("It was in 1977 with Neil Armstrong.", ["1977", "Neil Armstrong"])],
)
async def test_numbers_and_names_that_nothing_cited_contains_are_listed(
    space_corpus: Any, beyond: str, missing: list[str]
) -> None:
    def reply(inputs: Any) -> dict[str, Any]:
        told = [(one.id, place, said) for one in inputs.evidence for place, said in enumerate(one.sentences)]
        cited = [{"component": id_, "sentence": place} for id_, place, said in told if "Triton" in said]
        text = f"It flew past Triton. {beyond}"
        return {"short": "Triton", "text": text, "citations": cited, "supported": True, "confidence": 0.9}

    values = await ask(space_corpus, {"answer": reply})
    assert values["answer"].get("not_found", []) == missing
    assert ("Not found in the cited sources" in values["messages"][-1].text) is bool(missing)
