from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.planning_corpus import make_planning_corpus


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hm_rag")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        make_planning_corpus()
    return folder / "home"


@pytest.fixture(autouse=True)
def planning_corpus(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(home))
