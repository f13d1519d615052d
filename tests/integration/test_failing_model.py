"""A model that gives nothing usable is reported as one, by every method: not as a corpus that holds nothing."""

from pathlib import Path

import pytest

from backtrail.graphs.methods import METHODS
from backtrail.rules.table import RULES
from backtrail.state.settings import Settings
from backtrail.state.usage import charge
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

PROBLEM = "the reply was 'sure, here you go'"
MODEL = "openai:broken"
SETTINGS = Settings(corpus="tiny", planner=MODEL, reader=MODEL, vlm=MODEL, expert=MODEL)


@pytest.mark.parametrize("question", ["When was Voyager 2 launched?", "Qwertz uiop asdf?"])
async def test_every_method_says_that_the_model_failed_and_how(
    offline_home: Path, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(offline_home))
    failed = DecisionFailed("any", MODEL, PROBLEM, charge())
    broken = ScriptedDecider({name: lambda _: failed for name in RULES}, MODEL)
    toolbox = Toolbox(open_decider=lambda _model, _settings: broken)
    for name, method in METHODS.items():
        if name == "page_images":  # the corpus has no page vectors
            continue
        values = await method.build(toolbox).compile(name=name).ainvoke({"question": question}, context=SETTINGS)
        answer, failures = values["answer"], values["failures"]
        assert answer["abstained"] or answer.get("grounds") == "quotes", name
        if not failures:  # nothing was found by words alone, and nobody was asked
            assert name == "bm25"
            assert question.startswith("Qwertz")
            continue
        assert "the model failed" in answer["text"], (name, answer["text"])
        assert PROBLEM in answer["text"], (name, answer["text"])
        assert values["stop_reason"].startswith("failed:"), (name, values["stop_reason"])
        assert any(failure["error"] == "DecisionFailed" for failure in failures), name
        assert "the model failed" in values["messages"][-1].text, name
        if name == "hm_rag" and not answer["abstained"]:  # the quotes of the rules, where readers and expert are dead
            assert (answer["grounds"], answer["short"]) == ("quotes", "20 August 1977")
            assert [one["component"] for one in answer["citations"]] == ["voyager#0"]
            assert answer["confidence"] <= 0.5
