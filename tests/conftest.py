"""What every test shares: no time limits on drawn examples, no real keys, nothing of the user's touched."""

import gc
import os
import tempfile
from collections.abc import Iterator

import pytest
from fixtures.postgres import binaries, given, running_postgres
from hypothesis import HealthCheck, settings

from backtrail.cli.app import ALLOCATIONS_PER_COLLECTION
from backtrail.tools.vector_stores.index_folder import wait_for_builds

gc.set_threshold(ALLOCATIONS_PER_COLLECTION)
settings.register_profile("backtrail", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("backtrail")

PRIVATE = (
    "OPENAI_API_KEY", "OPENAI_BASE_URL", "SERPAPI_API_KEY", "SERPER_API_KEY", "JINA_API_KEY",
    "SERPAPI_BASE_URL", "SERPER_BASE_URL", "JINA_BASE_URL",
)  # fmt: skip
KEPT = {"BACKTRAIL_DATA", "BACKTRAIL_TEST_POSTGRES", "BACKTRAIL_TEST_AZURITE"}


def pytest_collection_finish() -> None:
    """Take modules out of what is looked through for garbage: of many tests it is more than a tenth of the time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A fresh home for each test, no settings or keys from the shell, and no index that is being built at its end."""
    ours = [name for name in os.environ if name.startswith("BACKTRAIL_") and name not in KEPT]
    keys = [name for name in os.environ if name.endswith("_API_KEY")]
    for name in [*PRIVATE, *ours, *keys]:
        monkeypatch.delenv(name, raising=False)
    # pytest would look through all its folders for the next number: milliseconds once there are thousands.
    monkeypatch.setenv("BACKTRAIL_HOME", tempfile.mkdtemp(prefix="home-of-test-", dir=tmp_path_factory.getbasetemp()))
    # Chroma takes two seconds to import in each process: tests of the default unset this.
    monkeypatch.setenv("BACKTRAIL_VECTOR_STORE", "binary")
    yield
    wait_for_builds()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL server: the one named in BACKTRAIL_TEST_POSTGRES, else one of our own."""
    if given():
        yield given()
        return
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (no initdb); `make install` brings it.")
    with running_postgres(programs) as url:
        yield url
