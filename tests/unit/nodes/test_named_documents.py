"""Questions name documents of a kind by period, version and name; each one gets a place."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.periods import periods_in, versions_in, without_periods
from backtrail.nodes.graph_traversal.named_documents import named_documents
from backtrail.nodes.graph_traversal.share_places import share_places
from backtrail.state.component import Identity
from backtrail.state.hop import Scored
from backtrail.tools.corpus.dated_files import DatedFiles

MOST = 6


def corpus_of(*names: str) -> Any:
    identities = {
        name: Identity(
            periods=tuple(periods_in(name)), versions=tuple(versions_in(name)), names=(without_periods(name),)
        )
        for name in names
    }
    return cast(Any, SimpleNamespace(dated_files=DatedFiles(identities, list(identities))))


FILINGS = corpus_of(
    "ACME 2019 10K", "ACME 2020 10K", "ACME 2021 10K", "ACME 2021Q1 10Q", "ACME 2021Q2 10Q",
    "GENERALPUMPS 2020 10K", "GENERALPUMPS 2021 10K", "PG E 2020 10K", "PG E 8K dated 2021-05-03",
)  # fmt: skip
MIXED = corpus_of("BESTPUMPS 2020 10K", "Best Pumps reports 2021", "ACME 2020 10K")
RELEASES = corpus_of("Notes v1.9.0", "Notes v1.10.0", "Notes v1.10.2", "Guide v3")
ANNUAL = ["ACME 2019 10K", "ACME 2020 10K", "ACME 2021 10K"]


@pytest.mark.parametrize(
    ("corpus", "question", "expected"),
    [
        (FILINGS, "What was Acme's revenue in Q1 2021?", ["ACME 2021Q1 10Q"]),
        (FILINGS, "How did Acme's margin change from 2019 to 2021?", ANNUAL),
        (FILINGS, "Compare Acme and General Pumps in FY2020.", ["ACME 2020 10K", "GENERALPUMPS 2020 10K"]),
        (FILINGS, "What did PG&E report in May 2021?", ["PG E 8K dated 2021-05-03"]),
        (FILINGS, "How has Acme's margin fluctuated across quarters?", ["ACME 2021Q1 10Q", "ACME 2021Q2 10Q"]),
        (FILINGS, "What does Acme's latest annual report say?", ["ACME 2021 10K"]),
        (FILINGS, "Did Acme's risks change from its 2019 to its latest 10-K?", ["ACME 2019 10K", "ACME 2021 10K"]),
        (FILINGS, "What is Acme's strategy?", [*ANNUAL, "ACME 2021Q1 10Q", "ACME 2021Q2 10Q"]),
        (FILINGS, "What is the general risk of pumps?", []),
        (FILINGS, "How high was the revenue of every report?", []),  # of nine files six have places
        (RELEASES, "What changed in 1.10?", ["Notes v1.10.0", "Notes v1.10.2"]),
        (RELEASES, "Which bugs does the latest release fix?", ["Notes v1.10.2"]),
        (RELEASES, "What was new in each of the releases?", ["Notes v1.9.0", "Notes v1.10.0", "Notes v1.10.2"]),
        (RELEASES, "What is on page 3 of every book?", []),
        (MIXED, "How did Best Pumps do?", ["BESTPUMPS 2020 10K", "Best Pumps reports 2021"]),
    ],
)  # fmt: skip
def test_periods_versions_and_names_select_documents(corpus, question, expected):
    assert [file.id for file in named_documents(corpus, question, MOST)] == expected


ids = st.lists(st.sampled_from("abcdefghijklmnop"), unique=True)


def scored(ranked: list[str]) -> list[Scored]:
    return [{"id": one, "score": 1.0} for one in ranked]


@given(ids, st.lists(ids, max_size=5), st.integers(6, 15))
def test_each_group_has_a_place_and_the_ranking_keeps_its_order_and_half(ranked, groups, keep):
    shared = [one["id"] for one in share_places(scored(ranked), [scored(group) for group in groups], keep)]
    assert len(shared) == len(set(shared)) <= keep
    assert all(group[0] in shared for group in groups if group)
    assert set(ranked[: (keep - len(groups)) // 2]) <= set(shared)
    if not any(groups):
        assert shared == ranked[:keep]
