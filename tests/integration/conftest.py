"""What every integration test shares."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from fixtures.forked_processes import exit_code

from backtrail.tools.corpus.search import chroma_index


@pytest.fixture(autouse=True)
def forked_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vector indexes are tried in forked processes: new ones import Chroma for two seconds, dozens of times.

    The unit tests of the corpus try them as a user's process does.
    """

    def open_elsewhere(folders: Collection[Path]) -> int:
        status = exit_code(chroma_index.probe, *map(str, folders))
        return 1 if status is None else status

    monkeypatch.setattr(chroma_index, "open_elsewhere", open_elsewhere)


@pytest.fixture(scope="session")
def ray_here() -> Iterator[None]:
    """One Ray for all tests, which join it: starting it takes most of their time. It is told of two GPUs."""
    ray = pytest.importorskip("ray", reason="ray is not installed; pip install -e '.[ray]' brings it.")
    ray.init(num_cpus=4, num_gpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()
