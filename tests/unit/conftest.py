"""Corpora that tests of several folders read, made once."""

from pathlib import Path

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.planning_corpus import make_planning_corpus
from fixtures.scripted_fif import make_corpus

from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.reader import StoredCorpus


@pytest.fixture(scope="session")
def space_corpus(tmp_path_factory: pytest.TempPathFactory) -> StoredCorpus:
    """Four documents of two paragraphs; the first paragraph about Triton links to the page about Voyager."""
    folder = tmp_path_factory.mktemp("space")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        make_corpus(folder)
        return open_corpus("tiny", embedder=HashedEmbedder())


@pytest.fixture(scope="session")
def planning_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planning")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder))
        make_planning_corpus()
    return folder
