"""A corpus within some of its documents: nothing else is found, reached or read."""

from __future__ import annotations

import pytest
from fixtures.tiny_corpora import prepared
from pydantic import ValidationError

from backtrail.state.component import Link
from backtrail.state.settings import Settings
from backtrail.tools.corpus.errors import DocumentNotFound
from backtrail.tools.corpus.within import CorpusWithin
from backtrail.tools.knowledge.errors import KnowledgeMissing
from backtrail.tools.toolbox import Toolbox

BRIDGE = "The bridge of {} was opened in 1931."


@pytest.fixture
def corpus(store):
    links = [Link(target="lorin", anchor="Lorin"), Link(target="tengol", anchor="Tengol")]
    return store(
        [
            prepared(name, [(BRIDGE.format(name), [BRIDGE.format(name)])], links=links if name == "varda" else ())
            for name in ("varda", "lorin", "tengol")
        ]
    )


def test_every_search_keeps_to_the_named_documents(corpus) -> None:
    within = CorpusWithin(corpus, ["varda", "lorin"])
    query = within.embed(["bridge 1931"])
    found = [
        within.search_documents(query, "document", 9),
        within.search_documents(query, "subcomponent", 9),
        within.search_lexical("summary", "document", 9),
    ]
    assert all({one["id"] for one in hits} == {"varda", "lorin"} for hits in found)
    components = [
        within.search_components(query, "component", 9),
        within.search_lexical("bridge", "component", 9),
        within.search_in_context("bridge", 9),
    ]
    assert all({one["id"] for one in hits} == {"varda#0", "lorin#0"} for hits in components)
    assert [one["id"] for one in within.search_components(query, "component", 9, ["tengol", "lorin"])] == ["lorin#0"]
    assert within.search_lexical("bridge", "component", 9, ["tengol"]) == []


def test_contents_and_links_of_others_are_not_to_be_had(corpus) -> None:
    within = CorpusWithin(corpus, ["varda", "lorin"])
    assert set(within.documents(["varda", "tengol"])) == {"varda"}
    assert set(within.components(["lorin#0", "tengol#0"])) == {"lorin#0"}
    assert within.children(["tengol"]) == {}
    assert [link.target for link in within.links(["varda#0"])["varda#0"]] == ["lorin"]
    assert [link.target for link in within.components(["varda#0"])["varda#0"].links] == ["lorin"]
    assert [link.target for link in within.authored().links(["varda#0"])["varda#0"]] == ["lorin"]


def test_the_setting_gives_methods_the_named_documents_and_no_knowledge_of_the_others(corpus) -> None:
    toolbox = Toolbox(open_corpus=lambda _: corpus)
    one = toolbox.corpus(Settings(corpus="tiny", within=("tengol",)))
    assert [hit["id"] for hit in one.search_lexical("bridge", "component", 9)] == ["tengol#0"]
    assert len(toolbox.corpus(Settings(corpus="tiny")).search_lexical("bridge", "component", 9)) == 3
    with pytest.raises(KnowledgeMissing, match="not asked within single ones"):
        toolbox.knowledge(Settings(corpus="tiny", within=("tengol",)))


def test_a_document_that_is_not_there_is_named_with_those_alike(corpus) -> None:
    with pytest.raises(DocumentNotFound, match=r"no document 'Summary of lorin'\. Called alike: .*lorin"):
        Toolbox(open_corpus=lambda _: corpus).corpus(Settings(within=("Summary of lorin",)))


@pytest.mark.parametrize(
    ("said", "read"), [("a.pdf, b.pdf", ("a.pdf", "b.pdf")), ('["a, b.pdf"]', ("a, b.pdf",)), ("", ())]
)
def test_documents_are_named_as_a_command_line_can(said: str, read: tuple[str, ...]) -> None:
    assert Settings.model_validate({"within": said}).within == read


def test_a_list_that_is_none_is_refused() -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate({"within": '["a.pdf"'})
