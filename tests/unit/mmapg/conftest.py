from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures.planning_corpus import open_planning_corpus

from backtrail.tools.corpus.reader import StoredCorpus


@pytest.fixture
def corpus(planning_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StoredCorpus]:
    monkeypatch.setenv("BACKTRAIL_HOME", str(planning_home))
    yield open_planning_corpus()
    (planning_home / "corpora" / "tiny" / "radii.json").unlink(missing_ok=True)
