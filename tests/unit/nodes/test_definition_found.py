"""Of a hundred paragraphs that name a thing, the one that says what it is gets a place in the ranking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.graphs.methods import find_method
from backtrail.ingest.pipeline import ingest
from backtrail.state.settings import Settings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.toolbox import Toolbox

DEFINING = "Orrin is a tool that finds races between the threads of a program, and is run like the other tools."
NAMING = "<h2>Step {0}</h2><p>Orrin shows step {0}.</p>"


@pytest.mark.parametrize(("question", "found"), [("What is Orrin?", True), ("What does Orrin show?", False)])
async def test_what_defines_the_thing_is_ranked(question: str, found: bool, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
    steps = "".join(NAMING.format(number) for number in range(40))
    (tmp_path / "manual.html").write_text(f"<title>Manual</title>{steps}<h2>Overview</h2><p>{DEFINING}</p>")
    ingest([tmp_path / "manual.html"], "tools", embedder="hashed", opened=HashedEmbedder())
    corpus = open_corpus("tools", embedder=HashedEmbedder())
    graph = find_method("fif").build(Toolbox(open_corpus=lambda name: corpus)).compile()
    values: Any = await graph.ainvoke({"question": question}, context=Settings(corpus="tools"))
    texts = [component.text for component in corpus.components([one["id"] for one in values["ranking"]]).values()]
    assert (DEFINING in texts) is found
    assert (values["answer"]["text"] == DEFINING) is found
