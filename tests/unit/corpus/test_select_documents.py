"""Documents selected by ids, patterns and predicates."""

import pytest
from fixtures.tiny_corpora import prepared
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from backtrail.state.component import Link
from backtrail.state.document_predicates import PREDICATES, PredicateInvalid, in_dates
from backtrail.state.settings import Settings
from backtrail.tools.corpus.errors import DocumentNotFound, NoDocumentFits
from backtrail.tools.corpus.select_documents import select_documents
from backtrail.tools.toolbox import Toolbox


def _labelled(id_: str, tags: str, date: str, sections: tuple[str, ...] = ("",)):
    labels = [Link(target=tag, kind="tag") for tag in tags.split()] + [Link(target=date, kind="date")]
    return prepared(id_, [(f"Text {n}.", []) for n in range(len(sections))], sections=sections, links=labels)


DOCUMENTS = [
    _labelled("guide/one.md", "news Reports", "2023-05-31", ("Setup", "Setup > 2.1 Installation on Linux")),
    _labelled("guide/two.md", "reports", "2024-01"),
    _labelled("guides.md", "reportage", "2022"),
    prepared("acme-2021.pdf", [("Report.", [])], title="Acme Annual Report 2021"),
    prepared("acme-2.1.0.md", [("Notes.", [])], title="Acme 2.1.0"),
    prepared("mailto:a@b", [("An id with a colon.", [])], title="Installation"),
]


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        (["guides.md"], ["guides.md"]),
        (["under:guide"], ["guide/one.md", "guide/two.md"]),
        (["tag:REPORTS"], ["guide/one.md", "guide/two.md"]),
        (["tag:report*"], ["guide/one.md", "guide/two.md", "guides.md"]),
        (["section:installation"], ["guide/one.md", "mailto:a@b"]),
        (["date:2023"], ["guide/one.md"]),
        (["date:2023-05..2024"], ["guide/one.md", "guide/two.md"]),
        (["date:..2023-04"], ["guides.md", "acme-2021.pdf"]),
        (["version:v2.*"], ["acme-2.1.0.md"]),
        (["mailto:a@b"], ["mailto:a@b"]),
        (["tag:news", "tag:reportage"], ["guide/one.md", "guides.md"]),
        (["tag:report*", "date:2023..2024", "under:guide"], ["guide/one.md", "guide/two.md"]),
        (["guide*", "tag:reports", "section:Setup"], ["guide/one.md"]),
    ],
)
def test_entries_of_a_field_are_alternatives_and_fields_restrict_each_other(store, entries, found) -> None:
    assert select_documents(store(DOCUMENTS), entries) == found


@pytest.mark.parametrize(
    ("entries", "error", "said"),
    [
        (["tag:report"], DocumentNotFound, "no document 'tag:report'. Similar: tag:reports, "),
        (["guides.md", "under:guid"], DocumentNotFound, "no document 'under:guid'. Similar: under:guide/"),
        (["tag:news", "date:2024"], NoDocumentFits, "fits all of tag:news, date:2024"),
        (["tags:news"], PredicateInvalid, f"'tags:news': there is no field 'tags', and no document has this id. "
         f"Documents are named by ids, patterns (guide/*), or {PREDICATES}."),
    ],
)  # fmt: skip
def test_an_empty_match_is_an_error_that_names_the_predicate(store, entries, error, said) -> None:
    with pytest.raises(error) as raised:
        select_documents(store(DOCUMENTS), entries)
    assert said in str(raised.value)


@pytest.mark.parametrize("entry", ["tag:", "date:May", "date:..", "date:2023-5", "under: "])
def test_a_setting_with_an_invalid_predicate_is_refused(entry) -> None:
    with pytest.raises(ValidationError, match="section:HEADING"):
        Settings(documents=(entry,))


def test_a_run_is_within_what_its_setting_selects(store) -> None:
    corpus = store(DOCUMENTS)
    toolbox = Toolbox(open_corpus=lambda name: corpus)
    for settings in (Settings.model_validate({"documents": "tag:reports, date:2024"}), Settings(documents=("tag:n*",))):
        within = toolbox.corpus(settings)
        assert within.document_ids() == select_documents(corpus, settings.documents) != corpus.document_ids()
        assert set(within.labels(corpus.document_ids())) == set(within.document_ids())


@given(st.dates(), st.dates(), st.dates())
def test_a_range_has_the_days_between_its_ends(first, last, day) -> None:
    for cut in (4, 7, 10):
        ends = first.isoformat()[:cut], last.isoformat()[:cut]
        assert in_dates("..".join(ends), day.isoformat()) == (ends[0] <= day.isoformat()[:cut] <= ends[1])
