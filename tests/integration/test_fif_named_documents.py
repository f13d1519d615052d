"""The opening of FiF with a model shows every named document, and says how much of each is in sight."""

import asyncio
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import write_bundle

from backtrail.graphs.fif import build
from backtrail.ingest.pipeline import ingest
from backtrail.state.settings import Settings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.toolbox import Toolbox

SETTINGS = Settings(corpus="tiny", planner="scripted", reader="scripted")
LOUD = [f"Acme revenue, the revenue of Acme by region {number}, was discussed." for number in range(20)]
DOCUMENTS = {
    **{f"acme-{year}": [f"In the year sales came to {year} dollars.", "Nothing else."] for year in (2019, 2020, 2021)},
    "handbook": LOUD,
}
QUESTION = "What was the revenue of Acme from 2019 to 2021?"


@pytest.fixture
def seen(tmp_path, monkeypatch):
    """Ask over the corpus; returns what the first two decisions were shown."""
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
    assert not ingest(
        [write_bundle(tmp_path / "b", DOCUMENTS)], "tiny", embedder="hashed", opened=HashedEmbedder()
    ).failed
    corpus = open_corpus("tiny", embedder=HashedEmbedder())

    def ask(question: str) -> list[Any]:
        shown: list[Any] = []

        def search_once_more(inputs: Any) -> dict[str, Any]:
            shown.append(inputs)
            search = {"kind": "search", "subtask": "Acme sales in 2020", "scope": "global"} if len(shown) == 1 else None
            marked = [one.id for one in inputs.evidence if one.document == "acme-2019"][:1]
            reading = {"short": "", "text": "Missing.", "citations": [], "supported": False, "confidence": 0.0}
            return {"success": False, "relevant": marked, "action": search, "answer": reading, "why": "scripted"}

        decider = ScriptedDecider({"fif_advance": search_once_more})
        toolbox = Toolbox(open_corpus=lambda name: corpus, open_decider=lambda model, settings: decider)
        asyncio.run(build(toolbox).compile().ainvoke({"question": question}, context=SETTINGS))
        return shown

    return ask


def test_each_named_document_is_shown_and_tracked(seen):
    first, second = seen(QUESTION)
    assert {f"acme-{year}" for year in (2019, 2020, 2021)} <= {one.document for one in first.evidence}
    assert any(one.document == "handbook" for one in first.evidence)
    for inputs in (first, second):
        homes = [one.document for one in inputs.evidence]
        assert [(one.document, one.in_sight) for one in inputs.named_documents] == [
            (f"acme-{year}", homes.count(f"acme-{year}")) for year in (2019, 2020, 2021)
        ]
    assert any(one.document == "acme-2020" for one in second.evidence)


def test_one_named_document_or_none_is_not_listed(seen):
    assert not any(inputs.named_documents for inputs in seen("What was the revenue of Acme in 2020?"))
    assert not any(inputs.named_documents for inputs in seen("Who discussed the revenue by region?"))
