"""What stands beside the evidence: the rest of its pages, for rules to quote; nothing where a model reads."""

import asyncio
from typing import Any

from backtrail.nodes import answer
from backtrail.nodes.answer import read_ranking
from backtrail.nodes.reading import page_context
from backtrail.nodes.reading.component_views import evidence_text
from backtrail.nodes.reading.page_context import add_page_context
from backtrail.state.answer import Answer
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.settings import Settings
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.toolbox import Toolbox

SETTINGS = Settings(corpus="tiny")


def found(corpus: StoredCorpus, *ids: str) -> list[EvidenceText]:
    held = corpus.components(ids)
    documents = corpus.documents([one.document for one in held.values()])
    return [evidence_text(held[key], documents[held[key].document], 1.0) for key in ids]


def test_the_rest_of_a_page_stands_beside_what_was_found_of_it(corpus: StoredCorpus, toolbox: Toolbox) -> None:
    stands = add_page_context(toolbox, SETTINGS, "reader", "Who drew the arch?", found(corpus, "urania#p0", "lamps#p0"))
    assert [(one.id, one.page, one.order) for one in stands.evidence] == [
        ("urania#p0", "urania", 0), ("lamps#p0", "lamps", 0),
    ]  # fmt: skip
    assert [(one.id, one.page, one.order) for one in stands.texts] == [("urania#f", "urania", 1)]
    assert stands.texts[0].nearness
    assert set(stands.components) == {"urania#f"}
    assert "urania" in stands.documents


def test_only_the_first_pages_are_looked_through(corpus: StoredCorpus, toolbox: Toolbox, monkeypatch: Any) -> None:
    monkeypatch.setattr(page_context, "PAGES", 1)
    texts = found(corpus, "lamps#p0", "urania#p0")
    assert add_page_context(toolbox, SETTINGS, "reader", "Who drew the arch?", texts).texts == []


def test_nothing_stands_beside_what_a_model_reads_or_what_nobody_asks(corpus: StoredCorpus, toolbox: Toolbox) -> None:
    texts = found(corpus, "urania#p0")
    by_model = Settings(corpus="tiny", reader="openai-compatible:reader@http://127.0.0.1:9/v1")
    assert add_page_context(toolbox, by_model, "reader", "Who drew the arch?", texts).texts == []
    assert add_page_context(toolbox, SETTINGS, "reader", "  ", texts).texts == []
    assert add_page_context(toolbox, SETTINGS, "reader", "Who?", []).texts == []


def read_by_rules(toolbox: Toolbox, first: str) -> Answer:
    state: Any = {
        "messages": [], "question": "Who drew the arch of the bridge?", "image": None, "subqueries": [], "evidence": {},
        "ranking": [{"id": first, "score": 1.0}], "usage": {},
    }  # fmt: skip
    return asyncio.run(read_ranking(toolbox, SETTINGS, state, node="answer", step=0, knowledge="evidence")).answer


def test_an_answer_by_rules_quotes_what_stands_beside(corpus: StoredCorpus, toolbox: Toolbox) -> None:
    reply = read_by_rules(toolbox, "urania#p0")
    quoted = {one["component"]: one for one in reply.get("quotes", [])}
    assert "drawn by its engineer" in quoted["urania#f"]["quote"]
    assert quoted["urania#f"]["document"] == "urania"
    assert all(one["component"] == "urania#p0" for one in reply["citations"])


def test_rules_read_on_where_a_prompt_has_no_more_room(corpus: Any, toolbox: Toolbox, monkeypatch: Any) -> None:
    monkeypatch.setattr(answer, "COMPONENT_CHARACTERS", 10)
    quotes = read_by_rules(toolbox, "urania#f").get("quotes", [])
    assert any("drawn by its engineer" in one["quote"] for one in quotes)
