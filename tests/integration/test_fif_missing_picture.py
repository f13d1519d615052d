"""A picture whose file is gone is read by its words, and the run goes on: FiF as published and ours."""

import json
from pathlib import Path
from typing import Any

import pytest
from fixtures.colour_encoder import draw
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.scripted_fif import SCRIPT

from backtrail.graphs.fif import build
from backtrail.ingest.pipeline import ingest
from backtrail.prompts.render import render
from backtrail.state.fif.settings import FifSettings
from backtrail.state.settings import Settings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.home import home
from backtrail.tools.toolbox import Toolbox

QUESTION = "What is the colour of the flag of Orvane?"
PAGE = """<title>Orvane</title><p>The flag of Orvane is flown from the tower.</p>
<figure><img src='gone.png'><figcaption>The flag of Orvane, a red field.</figcaption></figure>
<figure><img src='held.png'><figcaption>The flag of Orvane as it was.</figcaption></figure>"""


def red(inputs: Any) -> dict[str, Any]:
    """The answer by the words of the picture that is gone."""
    components = getattr(inputs, "components", None) or inputs.evidence
    cited = next(one.id for one in components if "red field" in str(one))
    citations = [{"component": cited, "sentence": None, "row": None}]
    return {"short": "red", "text": "Red.", "citations": citations, "supported": True, "confidence": 0.9}


PUBLISHED = {
    "fif_decompose": lambda inputs: {"subqueries": [{"text": QUESTION}]},
    "fif_orchestrate": lambda inputs: (
        {"action": "stop"} if inputs.memory else {"action": "search", "subtask": QUESTION, "granularity": "component"}
    ),
    "fif_evaluate": lambda inputs: {"answerable": True, "relevant": [red(inputs)["citations"][0]["component"]]},
    "answer": red,
}
OURS = {"fif_advance": lambda inputs: {"success": True, "answer": red(inputs)}, "answer": red}


@pytest.fixture
def corpus(tmp_path: Path, own_home: None) -> CorpusReader:
    """A page with two pictures; the file of one was lost after it had been ingested."""
    (tmp_path / "orvane.html").write_text(PAGE)
    draw(tmp_path / "gone.png", "red")
    draw(tmp_path / "held.png", "blue")
    ingest([tmp_path / "orvane.html"], "tiny", embedder="hashed", opened=HashedEmbedder())
    corpus = open_corpus("tiny", embedder=HashedEmbedder())
    [page] = corpus.children(["orvane.html"]).values()
    lost = next(one.image for one in corpus.components(page).values() if one.image and "red field" in str(one.image))
    [file] = home().rglob(str(lost.blob))
    file.unlink()
    return corpus


async def run(corpus: CorpusReader, script: dict[str, Any], **settings: Any) -> tuple[dict[str, Any], list[Any]]:
    decider = ScriptedDecider({**SCRIPT, **script})
    toolbox = Toolbox(open_corpus=lambda name: corpus, open_decider=lambda model, settings: decider)
    context = Settings(corpus="tiny", planner="scripted", reader="another", **settings)
    return await build(toolbox).compile().ainvoke({"question": QUESTION}, context=context), list(decider.history)


@pytest.mark.parametrize(
    ("variant", "decision", "script"), [("published", "fif_evaluate", PUBLISHED), ("ours", "fif_advance", OURS)]
)
async def test_a_picture_whose_file_is_gone_is_named_as_not_shown(
    corpus: CorpusReader, variant: Any, decision: str, script: dict[str, Any]
) -> None:
    values, history = await run(corpus, script, variant=variant, fif=FifSettings(opening=1))
    asked = next(one for one in history if one.decision == decision)
    [cited] = values["answer"]["citations"]
    assert [line.partition(": ")[0] for line in asked.inputs.unseen_pictures] == [cited["component"]]
    assert "missing or cannot be read" in asked.inputs.unseen_pictures[0]
    assert f'not shown: "{cited["component"]}: ' in render(decision, asked.inputs).user
    assert len(asked.pictures) == 1  # the other one, although it comes after
    assert f"Picture of {cited['component']}" not in asked.pictures
    assert values["failures"] == []
    assert values["answer"]["text"] == "Red."


async def test_as_published_whoever_selects_and_reranks_sees_pictures(corpus: CorpusReader) -> None:
    kept = {
        "fif_orchestrate": lambda inputs: {**PUBLISHED["fif_orchestrate"](inputs), "component_mode": "llm reasoning"}
    }
    _, asked = await run(corpus, {**PUBLISHED, **kept}, variant="published")
    seen = {one.decision: len(one.pictures) for one in asked}
    # the other picture cannot be opened
    assert (seen["fif_select_components"], seen["fif_rerank"], seen["fif_evaluate"]) == (1, 1, 1)


async def test_as_published_the_orchestrator_reads_summaries(corpus: CorpusReader) -> None:
    _, asked = await run(corpus, PUBLISHED, variant="published")
    last = [one for one in asked if one.decision == "fif_orchestrate"][-1]
    summary = corpus.documents(["orvane.html"])["orvane.html"].summary
    assert summary
    assert json.dumps(summary)[1:-1] in render("fif_orchestrate", last.inputs).user


async def test_as_published_the_planner_reads_and_sees_all_that_was_retrieved(corpus: CorpusReader) -> None:
    search = {"action": "search", "subtask": QUESTION, "granularity": "component"}
    actions = [search, {"action": "replan"}, {"action": "stop"}]
    replanned = {
        "fif_orchestrate": lambda inputs: actions[len(inputs.memory)],
        "fif_plan": lambda inputs: {"subqueries": [{"text": "Which flags flew from the tower of Orvane?"}]},
    }
    _, asked = await run(corpus, {**PUBLISHED, **replanned}, variant="published")
    planned = next(one for one in asked if one.decision == "fif_plan")
    members = corpus.children(["orvane.html"])["orvane.html"]
    assert {one.id for one in planned.inputs.evidence} == set(members)
    assert "The flag of Orvane is flown from the tower." in render("fif_plan", planned.inputs).user
    assert len(planned.pictures) == 1  # the other one cannot be opened
