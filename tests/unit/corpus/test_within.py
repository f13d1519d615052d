"""A corpus within some of its documents: nothing else is found, reached or read."""

import pytest
from fixtures.tiny_corpora import prepared
from pydantic import ValidationError

from backtrail.state.component import Link, LinkKind
from backtrail.state.settings import Settings
from backtrail.tools.corpus.errors import DocumentNotFound
from backtrail.tools.corpus.filtered_corpus import FilteredCorpus
from backtrail.tools.corpus.select_documents import select_documents
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


def test_no_search_finds_and_no_content_or_link_shows_other_documents(corpus) -> None:
    within = FilteredCorpus(corpus, select_documents(corpus, ["varda", "lorin"]))
    query = within.embed(["bridge 1931"])
    for hits in (
        within.search_documents(query, "document", 9),
        within.search_documents(query, "subcomponent", 9),
        within.search_lexical("summary", "document", 9),
    ):
        assert {one["id"] for one in hits} == {"varda", "lorin"}
    for hits in (
        within.search_components(query, "component", 9),
        within.search_lexical("bridge", "component", 9),
        within.search_in_context("bridge", 9),
    ):
        assert {one["id"] for one in hits} == {"varda#0", "lorin#0"}
    assert [one["id"] for one in within.search_components(query, "component", 9, ["tengol", "lorin"])] == ["lorin#0"]
    assert within.search_lexical("bridge", "component", 9, ["tengol"]) == []
    assert set(within.documents(["varda", "tengol"])) == set(within.document_terms(["varda", "tengol"])) == {"varda"}
    assert set(within.components(["lorin#0", "tengol#0"])) == {"lorin#0"}
    assert within.children(["tengol"]) == {}
    for links in (
        within.links(["varda#0"])["varda#0"],
        within.components(["varda#0"])["varda#0"].links,
        within.authored().links(["varda#0"])["varda#0"],
    ):
        assert [link.target for link in links] == ["lorin"]


def test_sections_of_a_long_document_are_within_and_pages_below_it_are_not(store, monkeypatch) -> None:
    names = ("manual", "manual/1", "manual/1/2", "manuals", "lorin")
    corpus = store([prepared(name, [(BRIDGE.format(name), [])]) for name in names])
    places: dict[str, list[tuple[LinkKind, str]]] = {
        "manual": [("child", "manual/1"), ("child", "lorin")],
        "manual/1": [("parent", "manual"), ("child", "manual/1/2"), ("child", "manuals"), ("sibling", "lorin")],
        "lorin": [("parent", "manual")],
    }
    links = {id_: [Link(target=to, anchor="", kind=kind) for kind, to in there] for id_, there in places.items()}
    monkeypatch.setattr(corpus, "hierarchy", lambda ids: {id_: links[id_] for id_ in ids if id_ in links})
    within = FilteredCorpus(corpus, select_documents(corpus, ["manual"]))
    assert set(within.documents(names)) == {"manual", "manual/1", "manual/1/2"}
    found = within.hierarchy(["manual", "manual/1", "lorin"])
    assert {id_: [link.target for link in there] for id_, there in found.items()} == {
        "manual": ["manual/1"],
        "manual/1": ["manual", "manual/1/2"],
    }


def test_pictures_of_others_are_not_to_be_had(corpus, monkeypatch, tmp_path) -> None:
    within, asked = FilteredCorpus(corpus, select_documents(corpus, ["varda", "lorin"])), []
    alike = [{"id": f"{name}#0", "score": 1.0} for name in ("tengol", "lorin", "varda")]
    monkeypatch.setattr(corpus, "search_pictures", lambda text, limit, among: asked.append(among) or [])
    monkeypatch.setattr(corpus, "search_pictures_like", lambda file, limit: alike[:limit])
    assert within.search_pictures("a bridge", 9) == within.search_pictures("a bridge", 9, ["tengol", "lorin"]) == []
    assert asked == [["lorin", "varda"], ["lorin"]]
    assert [one["id"] for one in within.search_pictures_like(tmp_path / "any.png", 1)] == ["lorin#0"]


def test_the_setting_gives_methods_the_named_documents_and_no_knowledge_of_the_others(corpus) -> None:
    toolbox = Toolbox(open_corpus=lambda _: corpus)
    one = toolbox.corpus(Settings(corpus="tiny", documents=("tengol",)))
    assert [hit["id"] for hit in one.search_lexical("bridge", "component", 9)] == ["tengol#0"]
    assert len(toolbox.corpus(Settings(corpus="tiny")).search_lexical("bridge", "component", 9)) == 3
    with pytest.raises(KnowledgeMissing, match="cannot be restricted to some"):
        toolbox.knowledge(Settings(corpus="tiny", documents=("tengol",)))
    with pytest.raises(DocumentNotFound, match=r"no document 'Summary of lorin'\. Similar: .*lorin"):
        toolbox.corpus(Settings(documents=("Summary of lorin",)))


def test_documents_are_named_as_a_command_line_can() -> None:
    for said, read in (("a.pdf, b.pdf", ("a.pdf", "b.pdf")), ('["a, b.pdf"]', ("a, b.pdf",)), ("", ())):
        assert Settings.model_validate({"documents": said}).documents == read
    for said in ('["a.pdf"', "[" * 20_000, "*," * 101):
        with pytest.raises(ValidationError):
            Settings.model_validate({"documents": said})
