"""Files of a kind are told apart by what their titles, names and first pages say."""

from fixtures.tiny_corpora import prepared

from backtrail.state.component import Identity
from backtrail.tools.corpus.filtered_corpus import FilteredCorpus
from backtrail.tools.corpus.manage import reindex
from backtrail.tools.corpus.open import open_corpus

COVER = "FORM 10-Q. For the quarterly period ended July 1, 2023"


def report(id_, text="Revenue rose.", title="Report"):
    return prepared(id_, [(text, [text])], title=title)


def identities(corpus):
    return {file.id: file.identity for file in corpus.dated_files.files}


def test_title_and_file_name_come_before_the_first_page(store):
    corpus = store([
        report("ACME_2023Q3_10Q.pdf", COVER), report("0001.pdf", COVER, "Acme Inc"), report("v2.md", title="Notes"),
        report("about.md", "The meeting ended July 1, 2023."),
    ])  # fmt: skip
    assert identities(corpus) == {
        "ACME_2023Q3_10Q.pdf": Identity(periods=("2023-Q3",), names=("ACME 10Q", "Report")),
        "0001.pdf": Identity(periods=("2023-07-01", "2023-Q2"), names=("0001", "Acme Inc")),
        "v2.md": Identity(versions=("2",), names=("Notes",)),
    }
    assert corpus.documents(["v2.md", "about.md"])["v2.md"].identity.versions == ("2",)
    assert corpus.documents(["about.md"])["about.md"].identity == Identity()


def test_sections_belong_to_their_file(store):
    corpus = store([report("a-2020.pdf"), report("a-2020.pdf/risks", title="A 2020: Risks"), report("b-2020.pdf")])
    files = {file.id: file.documents for file in corpus.dated_files.files}
    assert files == {"a-2020.pdf": ("a-2020.pdf", "a-2020.pdf/risks"), "b-2020.pdf": ("b-2020.pdf",)}
    assert [file.id for file in FilteredCorpus(corpus, ["b-2020.pdf"]).dated_files.files] == ["b-2020.pdf"]


def test_a_change_keeps_the_identities_of_documents_that_stay(store, embedder):
    store([report(f"a-{year}.pdf") for year in range(2018, 2022)])
    changed = identities(store([report("a-2022.pdf"), report("a-2018.pdf")], delete=["a-2019.pdf"]))
    assert sorted(changed) == ["a-2018.pdf", "a-2020.pdf", "a-2021.pdf", "a-2022.pdf"]
    reindex("tiny", opened=embedder)
    assert identities(open_corpus("tiny", embedder=embedder)) == changed
