"""What every integration test shares."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def ray_stopped() -> Iterator[None]:
    """Ends the Ray that tests have shared."""
    yield
    pytest.importorskip("ray").shutdown()


@pytest.fixture
def ray_here(request: pytest.FixtureRequest) -> None:
    """One Ray for all tests, which join it: starting it takes most of their time. It is told of two GPUs.

    Processes that no copy asked for are not started, nor is anything measured. A test with a cluster of its own stops
    it; then the next one starts it again.
    """
    ray = pytest.importorskip("ray", reason="ray is not installed; `make ray` brings it.")
    request.getfixturevalue("ray_stopped")
    if ray.is_initialized():
        return
    with pytest.MonkeyPatch.context() as patch:
        for setting in ("prestart_worker_first_driver", "enable_worker_prestart", "enable_metrics_collection"):
            patch.setenv(f"RAY_{setting}", "0")
        ray.init(num_cpus=2, num_gpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
