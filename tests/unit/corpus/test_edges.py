"""Edges of authors come first, then texts that refer, rare names, numbered parts, folders; a hop is bounded."""

import pytest
from fixtures.tiny_corpora import prepared
from hypothesis import given
from hypothesis import strategies as st

from backtrail.nodes.graph_traversal import paths
from backtrail.nodes.graph_traversal.memory_edges import memory_edges
from backtrail.nodes.graph_traversal.paths import local_paths, path_scores
from backtrail.state.component import Link, Picture, Table
from backtrail.tools.corpus import record_cache
from backtrail.tools.corpus.edges import component_text as said_of_components
from backtrail.tools.corpus.edges.component_text import ComponentText, is_code, names_of, words_of
from backtrail.tools.corpus.edges.shared_names import MOST_JOINED, MOST_NAMES, shared_names
from backtrail.tools.corpus.manage import reindex
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.tables.prepared import PreparedDocument

MEMO = "memos/visit.docx"
REPORT = "reports/report-2023.pdf"
MAIL = "mail/day.eml"


def document(id_: str, title: str, *said: str | Table | Picture, links: tuple[Link, ...] = ()) -> PreparedDocument:
    return prepared(id_, [(one, []) for one in said], title=title, links=links, version=str(said))


FOLDER = [
    document(MEMO, "Visit", "The counts are those of report-2023.pdf, as Mallori Harrell said."),
    document(
        REPORT, "Stock report", "Table 2 has the counts, and figure 1 the trend.",
        Table(caption="Table 3. Staff", header=("who",), rows=(("nobody",),)),
        Table(caption="Table 2. Counts", header=("what",), rows=(("laptops",),)),
        Picture(caption="Figure 1: The trend"),
    ),
    document(MAIL, "Day", "Come to the fun day. Yours, Mallori"),
]  # fmt: skip


@pytest.fixture
def corpus(store):
    return store(FOLDER)


def test_a_named_file_a_rare_name_and_a_number_lead_to_what_says_them(corpus) -> None:
    link = corpus.links([f"{MEMO}#0"])[f"{MEMO}#0"][0]
    assert (link.kind, link.target, link.anchor) == ("reference", REPORT, "report-2023.pdf")
    (link,) = corpus.links([f"{MAIL}#0"])[f"{MAIL}#0"]
    assert (link.kind, link.target, link.component, link.anchor) == ("name", MEMO, f"{MEMO}#0", "Mallori")
    pointing = corpus.pointers([f"{REPORT}#0", f"{MEMO}#0"])
    assert {one: [(link.anchor, link.component) for link in links] for one, links in pointing.items()} == {
        f"{REPORT}#0": [("Table 2", f"{REPORT}#2"), ("figure 1", f"{REPORT}#3")], f"{MEMO}#0": [],
    }  # fmt: skip
    within = memory_edges(corpus, corpus.components([f"{REPORT}#0", f"{REPORT}#2"]), {})
    assert [(parent, child) for parent, _, child in within] == [(f"{REPORT}#0", f"{REPORT}#2")]


def test_a_walk_follows_every_kind_and_says_which_and_none_with_authors_links_alone(corpus) -> None:
    authored = corpus.authored()
    assert (local_paths(authored, [MEMO, REPORT, MAIL]), authored.edge_kinds()) == ({}, {})
    paths = local_paths(corpus, [MEMO])
    assert {target: [path.get("kind", "link") for path in found] for target, found in paths.items()} == {
        REPORT: ["reference"], MAIL: ["name"],
    }  # fmt: skip
    assert corpus.edge_kinds() == {"reference": 1, "name": 2}


def test_what_an_author_linked_gets_no_names(store) -> None:
    linked = document("a.html", "A", "Mallori Harrell wrote b.", links=(Link(target="b.html", anchor="b"),))
    unlinked = document("c.html", "C", "Nothing.", "Nothing else.")
    corpus = store([linked, document("b.html", "B", "Mallori Harrell is here."), unlinked, *FOLDER[2:]])
    assert corpus.edge_kinds() == {"link": 1}


def test_files_of_a_small_folder_lie_beside_each_other(store) -> None:
    corpus = store([document(f"drawer/{name}.txt", name, name * 3) for name in ("one", "two")])
    ((target, (path,)),) = local_paths(corpus, ["drawer/one.txt"]).items()
    assert (target, path.get("kind"), path["anchor"]) == ("drawer/two.txt", "hierarchy", "drawer")
    many = store([document(f"drawer/{name}.txt", f"t{name}", f"w{name}") for name in range(20)])
    assert many.hierarchy(["drawer/1.txt"]) == {}


def said(row: int, text: str) -> ComponentText:
    return ComponentText(row, row, "text", "", "", text)


def test_a_name_of_many_documents_and_a_word_that_opens_sentences_join_nothing() -> None:
    common = [said(row, f"we saw Ondra Palver in report number {row}") for row in range(6)]
    assert shared_names(lambda: common, 6) == []
    opening = [said(0, "Furthermore it rains."), said(1, "Furthermore it snows.")]
    assert shared_names(lambda: opening, 2) == []


@given(st.lists(st.sets(st.integers(0, 30), max_size=12), min_size=2, max_size=25))
def test_edges_grow_with_the_documents_and_not_with_their_pairs(named: list[set[int]]) -> None:
    held = [said(row, " and ".join(f"case AX-{name:04}" for name in sorted(names))) for row, names in enumerate(named)]
    edges = shared_names(lambda: held, len(held))
    assert len(edges) <= MOST_JOINED * MOST_NAMES * len(held)
    assert all(edge.document != edge.source and edge.anchor in held[edge.target].text for edge in edges)


CODES = ["a@b.org", "mod_ssl", "AutoGen", "INV-1234", "847821"]


def test_codes_are_told_from_quantities() -> None:
    assert [word for word in [*CODES, "2024", "5.39E-05", "10am", "2024-12-05"] if is_code(word)] == CODES


def test_names_as_they_are_written() -> None:
    text = "The University of Oslo and Sarah Johnson met in March."
    names = ["University of Oslo", "University", "Oslo", "Sarah Johnson", "Sarah", "Johnson"]
    assert list(names_of(text, words_of(text))) == names


def everything(corpus) -> tuple:
    ids = sorted(hit["id"] for hit in corpus.search_documents(corpus.embed(["x"]), "document", 99))
    components = sorted(one for held in corpus.children(ids).values() for one in held)
    return corpus.links(components), corpus.pointers(components), corpus.hierarchy(ids), corpus.edge_kinds()


def test_a_change_finds_the_edges_that_reading_all_finds(store, embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backtrail.tools.corpus.difference._WORTH_WHILE", 0.0)
    other = "archive/report-2023.pdf"
    steps = [
        ([document(MEMO, "Visit", "The counts are in figures.csv, Mallori Harrell said, and in Table 2.")], []),
        ([document("figures.csv", "Figures", "Nothing but numbers."), document("n.txt", "News", "See Visit.docx")], []),
        ([document(other, "Stock report", "An older one, see Stock report.")], []),  # two are called so: neither is
        ([], [other]),
        ([document("n.txt", "News", "Come.", links=(Link(target=MEMO, anchor="x"),))], []),
        ([document("figures.csv", "Figures", "Numbers again, see report-2023.pdf.")], [MAIL]),
        ([document("n.txt", "News", "Come to Visit.docx")], [REPORT]),
    ]
    store(FOLDER)
    read: list[str] = []
    whole = said_of_components._said
    monkeypatch.setattr(said_of_components, "_said", lambda row, *more: read.append(more[-1]) or whole(row, *more))
    for changed, gone in steps:
        read.clear()
        grown = everything(store(changed, delete=gone))
        few = len(read)
        reindex("tiny", opened=embedder)
        assert grown == everything(open_corpus("tiny", embedder=embedder))
        assert few <= len(read) - few


def test_a_register_holds_no_hop_up(store, monkeypatch: pytest.MonkeyPatch) -> None:
    links = [Link(target=f"d{number % 40}", anchor=f"see {number}", kind="internal") for number in range(4_000)]
    pages = [prepared(f"d{number}", [(f"Bridges of town number {number}", [])]) for number in range(40)]
    corpus = store([prepared("register", [("All towns", [])], links=links), *pages])
    whole = local_paths(corpus, ["register"])
    assert (len(whole), sum(map(len, whole.values()))) == (40, 4_000)
    every = path_scores(corpus, "bridges of town number 7", "document", whole)
    assert len(every) == 40
    monkeypatch.setattr(paths, "MOST_WEIGHED", 10)
    monkeypatch.setattr(paths, "MOST_LEADING", 3)
    weighed: list[str] = []
    cover = paths._LinkingPieces.cover
    monkeypatch.setattr(
        paths._LinkingPieces, "cover", lambda self, path, own: weighed.append("") or cover(self, path, own)
    )
    found = path_scores(corpus, "bridges of town number 7", "document", whole)
    assert (len(found), len(weighed)) == (10, 30)
    query = corpus.embed(["bridges of town number 7"])
    assert found.keys() == {hit["id"] for hit in corpus.search_documents(query, "document", 10, list(whole))}
    assert {one: found[one].score for one in found} == {one: every[one].score for one in found}


def test_kept_records_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_cache, "KEPT", 7)
    kept: record_cache.RecordCache[tuple[Link, ...]] = record_cache.RecordCache(record_cache.weight_of_links)
    some = (Link(target="a"), Link(target="b"))
    kept.keep({"first": some, "second": some, "none": (), "too many": some * 4})
    assert kept.of(["first", "none"]) == {"first": some, "none": ()}
    kept.keep({"third": some})
    assert set(kept.of(["first", "second", "third", "none", "too many"])) == {"first", "none", "third"}
