from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures.planning_corpus import make_planning_corpus, open_planning_corpus

from backtrail.tools.corpus.reader import StoredCorpus


@pytest.fixture(scope="session")
def planning_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planning")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder))
        make_planning_corpus()
    return folder


@pytest.fixture
def corpus(planning_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StoredCorpus]:
    monkeypatch.setenv("BACKTRAIL_HOME", str(planning_home))
    yield open_planning_corpus()
    (planning_home / "corpora" / "tiny" / "radii.json").unlink(missing_ok=True)
