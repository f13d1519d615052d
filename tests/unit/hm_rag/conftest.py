from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def planning_corpus(planning_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(planning_home))
