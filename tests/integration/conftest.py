"""What every integration test shares."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fixtures.aegra_server import running_redis
from fixtures.closed_server import Closed, client_of, made
from fixtures.langgraph_server import Server
from fixtures.planning_corpus import FEW, make_planning_corpus
from fixtures.scripted_fif import DOCUMENTS, make_corpus
from fixtures.tiny_corpora import write_bundle
from langgraph_sdk import get_client

from backtrail.ingest.pipeline import ingest
from backtrail.tools.access.api_keys import add_key
from backtrail.tools.access.records.corpora import claim_corpus
from backtrail.tools.deciders.capabilities import reset_learnt_capabilities
from backtrail.tools.home import home as home_folder

OTHERS, HOSTS = "annas-notes", "internal"
"""Corpora of ``clients_server`` that emil may not read: one of anna's, one of the host's."""
POLICY = """
[groups.team]
members = ["anna", "carl"]
ingest = true
[groups.team.most]
upload = 100000
picture = 300
[groups.some]
members = ["dora"]
ingest = true
[groups.some.most]
uploads = 1000
files = 3
documents = 2
[keys.emil]
ingest = true
corpora = ["tiny", "nowhere"]
most = { steps = 5 }
[assistants.free]
method = "bm25"
changeable = ["corpus"]
settings = { corpus = "tiny" }
[assistants.fixed]
method = "bm25"
settings = { corpus = "tiny" }
"""


TOGETHER = [
    ("test_server", "test_server_refusals"),
    ("test_corpora_of_clients", "test_chat_pictures"),
    ("test_forks", "test_killed_runs", "test_ingest_killed", "test_ingest_site", "test_ocr",
     "test_knowledge_ingest", "test_ingest_postgres", "test_unchanged_folders", "test_fif_summary"),
]  # fmt: skip
"""Files that share a server, or the one that processes fork from: one worker runs them, so that it is started once."""

LONGEST = (
    "test_aegra", "test_server_auth", "test_isolation", "test_corpora_of_clients", "test_demo_backtracking",
    "test_extensions", "test_finetune", "test_server_policy", "test_replay_in_any_process",
    "test_new_method", "test_eval_resume",
)  # fmt: skip
"""Files of few tests that take long. They are begun first: xdist leaves them to the end, where one core would idle."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Files as ``--dist loadfile`` gives them out, but for those that belong together, and the longest first."""
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return next((files[0] for files in TOGETHER if Path(file).stem in files), file)

        def _assign_work_unit(self, node: Any) -> None:
            waiting = {Path(scope).stem: scope for scope in self.workqueue}
            longest = next((waiting[name] for name in LONGEST if name in waiting), None)
            if longest:
                self.workqueue.move_to_end(longest, last=False)
            super()._assign_work_unit(node)

    return Together(config, log) if config.option.dist == "loadfile" else None


@pytest.fixture
def home(own_home: None) -> Path:
    return home_folder()


@pytest.fixture(autouse=True)
def nothing_learnt() -> Iterator[None]:
    """What servers of models took and refused in one test is not known in another."""
    reset_learnt_capabilities()
    yield
    reset_learnt_capabilities()


def _filled_home(folder: Path, fill: Callable[[Path], object]) -> Path:
    """A home that is filled once and that tests only read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        fill(folder)
    return folder / "home"


@pytest.fixture(scope="session")
def tiny_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the corpus ``tiny`` of FiF's scripts, whose tests read it alone."""
    return _filled_home(tmp_path_factory.mktemp("tiny"), make_corpus)


@pytest.fixture(scope="session")
def offline_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with the embedder that comes with the project, for questions that rules answer."""

    def fill(folder: Path) -> None:
        ingest([write_bundle(folder / "bundle", DOCUMENTS, links=[("triton", "voyager")])], "tiny")

    return _filled_home(tmp_path_factory.mktemp("offline"), fill)


@pytest.fixture(scope="session")
def clients_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Closed]:
    """One server for the files that test what its clients bring and see: starting it takes most of their time."""
    folder = tmp_path_factory.mktemp("clients")
    server = made(folder, folder, {"BACKTRAIL_LIMIT_UPLOADS": "200000"})
    bundle = write_bundle(folder / "more", DOCUMENTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        server.keys |= {name: add_key(name) for name in ("carl", "dora", "emil")}
        for name in (OTHERS, HOSTS):
            ingest([bundle], name)
        claim_corpus(OTHERS, "anna", 0.0)
    (folder / "home" / "policy.toml").write_text(POLICY)
    server.start()
    yield server
    server.kill()
    assert "BlockingError" not in server.log()


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    with running_redis() as url:
        yield url


@pytest.fixture(scope="session")
def planning_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the corpus for planning graphs; nobody changes it."""
    return _filled_home(tmp_path_factory.mktemp("planning"), lambda _: make_planning_corpus())


@pytest.fixture(scope="session")
def few_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same corpus with a short table, for runs whose course alone is looked at; they leave their checkpoints."""
    return _filled_home(tmp_path_factory.mktemp("few"), lambda _: make_planning_corpus(rows=FEW))


@pytest.fixture
def in_tiny_home(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(tiny_home))


@pytest.fixture
def in_offline_home(offline_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(offline_home))


@pytest.fixture
def in_few_home(few_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(few_home))


@pytest.fixture(scope="session")
def _open_server(offline_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(offline_home, tmp_path_factory.mktemp("running"), {"BACKTRAIL_LIMIT_REQUEST": "5000000"})
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def server(_open_server: Server) -> Iterator[Server]:
    """One server without keys for all that ask the corpus ``tiny``: starting it takes most of their time."""
    yield _open_server
    assert "BlockingError" not in _open_server.log()


@pytest.fixture
async def client(server: Server) -> AsyncIterator[Any]:
    async with get_client(url=server.url) as connected:
        yield connected


@pytest.fixture
async def anna(server: Closed) -> AsyncIterator[Any]:
    """A client of a module's own server, with anna's key."""
    async with client_of(server, "anna") as client:
        yield client


@pytest.fixture
async def bert(server: Closed) -> AsyncIterator[Any]:
    async with client_of(server, "bert") as client:
        yield client


@pytest.fixture(scope="session")
def _saved_checkpoints(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from fixtures.local_models import Checkpoints

    return Checkpoints(tmp_path_factory.mktemp("checkpoints"))


@pytest.fixture(scope="module")
def checkpoints(_saved_checkpoints: Any) -> Iterator[Any]:
    """Tiny checkpoints by their architecture; what a module has loaded ends with it."""
    from backtrail.tools.local.engine import close_engines

    pytest.importorskip("torch").set_num_threads(1)
    yield _saved_checkpoints
    close_engines()


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
