"""Searching by words and vectors together: words find what an embedder blurs, and scores stay similarities."""

from __future__ import annotations

from typing import Any

import pytest

from backtrail.nodes.walking.fuse import search_components, search_documents
from backtrail.tools.corpus.reader import StoredCorpus


@pytest.fixture
def blurred(corpus: StoredCorpus) -> Any:
    """The corpus, with an embedder that finds the Malone bridge nearest to whatever is asked."""
    return Blurred(corpus)


class Blurred:
    """Every text is embedded as the name of one page."""

    def __init__(self, corpus: StoredCorpus) -> None:
        self._corpus = corpus

    def __getattr__(self, name: str) -> Any:
        return getattr(self._corpus, name)

    def embed(self, texts: list[str]) -> Any:
        return self._corpus.embed(["Malone bridge"] * len(texts))


@pytest.mark.parametrize("granularity", ["document", "component", "subcomponent"])
def test_a_name_that_vectors_miss_is_found_by_its_words(blurred: Any, granularity: Any) -> None:
    asked = "Josef Hackhofer"
    alone = search_components(blurred, asked, granularity, 1, words=False)
    both = search_components(blurred, asked, granularity, 3, words=True)
    holder = blurred.search_lexical(asked, "component", 1)[0]["id"]
    assert holder not in {scored["id"] for scored in alone}
    assert holder in {scored["id"] for scored in both}
    document = blurred.components([holder])[holder].document
    assert document in {scored["id"] for scored in search_documents(blurred, asked, granularity, 3, words=True)}


def test_scores_are_similarities_and_compare_with_those_of_vectors_alone(corpus: StoredCorpus) -> None:
    near = {s["id"]: s["score"] for s in search_components(corpus, "bridges of Vienna", "component", 50, words=False)}
    both = search_components(corpus, "bridges of Vienna", "component", 5, words=True)
    assert {scored["id"]: scored["score"] for scored in both} == pytest.approx(
        {scored["id"]: near[scored["id"]] for scored in both}, abs=1e-6
    )


def test_a_search_among_documents_stays_there(corpus: StoredCorpus) -> None:
    found = search_components(corpus, "the bridge that opened in 1909", "subcomponent", 10, ["urania"], words=True)
    assert {scored["id"].partition("#")[0] for scored in found} == {"urania"}
    assert search_components(corpus, "bridge", "component", 10, [], words=True) == []
