"""Benchmarks over documents: PDFs are ingested as any others, gold is what stands on a page of them."""

from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.outcomes import replied
from fixtures.releases import Release
from PIL import Image

from backtrail.evals.gold import _holders, find_components, with_gold
from backtrail.evals.page_locations import document_of, gold_places, place_of
from backtrail.evals.questions import Evidence, Question
from backtrail.evals.reproduction.sample import sampled
from backtrail.evals.scorers.mmlongbench import mmlongbench_accuracy, mmlongbench_f1
from backtrail.evals.scorers.page_retrieval import citation_f1, page_scorers
from backtrail.evals.tasks.table import find_task
from backtrail.ingest.pipeline import ingest
from backtrail.state.component import Component, Document, Locator, Table
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.home import cache_folder

A_PDF = Document(id="a.pdf", title="A")


def test_pages_of_a_release_are_found_in_what_was_read_of_its_pdfs() -> None:
    task = sampled(find_task("mmlongbench"))
    corpus = open_corpus(task.corpus)
    questions = with_gold(task.read(), corpus)
    assert [len(question.gold) for question in questions] == [1, 1, 1, 2, 1, 0]
    for question in questions:
        for piece, group in zip(question.evidence, question.gold, strict=True):
            found = corpus.components(group)
            assert found, f"{piece} is in no component"
            assert all(one.locator.page == piece.page and one.document == piece.document for one in found.values())
    rows = [one.table.rows for one in corpus.components(questions[1].gold[0]).values() if one.table]
    assert ("MV Sunniva", "Ostrel to Norholm", "2007") in rows[0], "the table is on page 2"


def test_pages_that_are_pictures_are_documents_and_pdfs_count_from_zero(tmp_path: Path) -> None:
    pdf, picture, _ = Release(tmp_path, "double_bench").bundle().questions.values()
    assert gold_places(pdf) == ("docs/English/0001.pdf#1",)
    assert gold_places(picture) == ("docs/English/0002/0.jpg",)


def test_a_page_that_no_document_has_is_left_out_and_counted(tmp_path: Path) -> None:
    release = Release(tmp_path, "mmlongbench")
    release.replace("data/samples.json", '"[1]"', '"[0, 1]"')
    first = next(iter(release.bundle().questions.values()))
    assert (gold_places(first), first.tags["gold_lost"]) == (("harbour-report.pdf#1",), 1)


def test_of_a_page_on_which_nothing_begins_the_table_that_runs_over_it_is_meant() -> None:
    def text(id_: str, place: int, page: int) -> Component:
        at = Locator(page=page)
        return Component(id=id_, document="a.pdf", position=place, modality="text", text=id_, locator=at)

    long = Component(id="long", document="a.pdf", position=1, modality="table", table=Table(), locator=Locator(page=2))
    held = [text("t", 0, 1), long, text("after", 2, 5), text("end", 3, 6)]
    found = [_holders(Evidence(document="a.pdf", page=page), A_PDF, held) for page in range(1, 8)]
    assert [[one.id for one in on] for on in found] == [["t"], *[["long"]] * 3, ["after"], ["end"], []]


def test_pages_are_ranked_once_where_their_first_component_is() -> None:
    asked = Question(id="q", question="?", evidence=tuple(Evidence(document="a.pdf", page=page) for page in (2, 3)))
    ran = replied(places=("b.pdf#1", "b.pdf#1", "", "a.pdf#3", "a.pdf#2"))
    scores = {scorer.name: scorer(asked, ran) for scorer in page_scorers()}
    assert (scores["Page Hit@1"], scores["Page Recall@5"], scores["Page MRR@10"]) == (0.0, 1.0, 0.5)
    assert scores["Page nDCG@10"] == pytest.approx(0.6934, abs=1e-4)


def test_a_cited_page_counts_once_and_its_section_is_the_file() -> None:
    asked = Question(id="q", question="?", evidence=(Evidence(document="a.pdf", page=2),))
    cited = [place_of({"document": "a.pdf/methods", "locator": {"page": page}}) for page in (2, 3)]
    documents, pages = (scorer(asked, replied("x", cited_places=tuple(cited))) for scorer in citation_f1())
    assert (documents, pages) == (1.0, pytest.approx(2 / 3))
    assert document_of("notes#draft.md") == "notes#draft.md", "a # in a name is no page"


def test_an_unanswerable_question_is_right_when_it_is_not_answered() -> None:
    none = Question(id="n", question="?", tags={"format": "None", "official": "Not answerable"})
    year = Question(id="y", question="?", answers=("1871",), tags={"format": "Int", "official": "1871"})
    silent, said = replied("I do not know.", abstained=True), replied("1871")
    assert [mmlongbench_accuracy()(none, ran) for ran in (silent, said)] == [1.0, 0.0]
    apart = ([(none, silent), (year, said)], [(none, said), (year, said)], [(year, silent)])
    assert [mmlongbench_f1().over(pairs)(pairs) for pairs in apart] == [1.0, pytest.approx(2 / 3), 0.0]


PUMPS = """# Pumps

The **old** pump failed in [2019](failures.md).

| Pump | Litres | Since |
|---|---|---|
| North | 30 | 2020 |
| South | | 2021 |

![A drawing of the north pump](drawings/north.png)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    held = tmp_path / "handbook"
    (held / "drawings").mkdir(parents=True)
    (held / "pumps.md").write_text(PUMPS)
    (held / "failures.md").write_text("# Failures\n\nThe old pump failed in 2019, a wet year.\n")
    Image.new("RGB", (60, 60), "red").save(held / "drawings" / "north.png")
    Image.new("RGB", (60, 60), "blue").save(held / "drawings" / "south.png")
    return held


def opened(folder: Path) -> Any:
    ingest([folder], "handbook", embedder="offline", opened=HashedEmbedder())
    return open_corpus("handbook", embedder=HashedEmbedder())


def asking(*pieces: Evidence, id_: str = "q") -> Question:
    return Question(id=id_, question="Which?", answers=("North",), evidence=pieces)


def test_quotes_rows_and_pictures_are_found_in_their_own_document(folder: Path) -> None:
    corpus = opened(folder)
    pieces = [
        Evidence(document="pumps.md", quote="The old pump failed in 2019"),
        Evidence(document="pumps.md", quote="South | 2021"),
        Evidence(document="pumps.md", picture="drawings/north.png"),
        Evidence(document="failures.md", quote="The old pump failed in 2019"),
        Evidence(document="pumps.md", quote="a wet year"),
        Evidence(document="pumps.md", picture="drawings/south.png"),
        Evidence(document="missing.pdf", quote="anything"),
        Evidence(document="pumps.md", picture="../../../etc/hostname"),
    ]
    found = find_components(corpus, pieces)
    kinds = [[component.modality for component in corpus.components(ids).values()] for ids in found]
    assert kinds == [["text"], ["table"], ["image"], ["text"], [], [], [], []]
    assert {component.document for component in corpus.components(found[3]).values()} == {"failures.md"}
    corpus = opened(folder / "drawings")
    [ids] = find_components(corpus, [Evidence(document="south.png", picture="south.png")])
    assert ids == tuple(corpus.children(["south.png"])["south.png"]) != (), "a document that is a picture"


def test_gold_is_found_once_for_a_version_and_anew_after_a_change(folder: Path) -> None:
    question = asking(Evidence(document="failures.md", quote="a wet year"))
    first, again = opened(folder), opened(folder)
    for corpus in (first, again):
        corpus.components = Mock(wraps=corpus.components)
    assert with_gold([question], first) == with_gold([question], again)
    assert (first.components.call_count, again.components.call_count) == (1, 0)
    [kept] = (cache_folder() / "gold").iterdir()
    kept.write_text("{torn")
    assert with_gold([question], opened(folder)) == with_gold([question], again)  # type: ignore[arg-type]
    (folder / "failures.md").write_text("# Failures\n\nIt was a dry year.\n")
    assert with_gold([question], opened(folder))[0].gold == ((),)
