"""Two homes whose corpora are in one PostgreSQL database: one writer at a time, and nobody writes without the lock."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.killed_ingest import bundle, run_victim

from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.tools.corpus.errors import CorpusLocked, DatabaseUnavailable
from backtrail.tools.corpus.manage import check, delete_corpus, delete_documents, describe, reindex
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer

OURS = "application_name = %s AND backend_type = 'client backend'"


@pytest.fixture(autouse=True)
def homes(tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Here and there; the tests act from here."""
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "here"))
    monkeypatch.setenv("BACKTRAIL_DATABASE_URL", postgres_url)
    return tmp_path / "here", tmp_path / "there"


@pytest.fixture
def name(postgres_url: str) -> Iterator[str]:
    name = f"two-{uuid.uuid4().hex[:8]}"
    yield name
    with psycopg.connect(postgres_url) as connection:
        found = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE %s", [f"%{name[4:]}%"])
        for (schema,) in found.fetchall():
            connection.execute(f'DROP SCHEMA "{schema}" CASCADE'.encode())


def run(source: Path, corpus: str, progress: object = None) -> IngestReport:
    return ingest([source], corpus, embedder="hashed", opened=HashedEmbedder(), progress=progress)  # type: ignore[arg-type]


def _write_there(home: str, corpus: str, ready, done) -> None:  # type: ignore[no-untyped-def]
    os.environ["BACKTRAIL_HOME"] = home
    with open_writer(corpus, "hashed", HashedEmbedder()) as writer:
        writer.delete(["d1"])
        ready.set()
        done.wait(60)


def test_a_writer_in_another_home_is_named(homes: tuple[Path, Path], name: str, tmp_path: Path) -> None:
    source = bundle(tmp_path / "source", 3)
    run(source, name)
    context = multiprocessing.get_context("fork")
    ready, done = context.Event(), context.Event()
    holder = context.Process(target=_write_there, args=(str(homes[1]), name, ready, done))
    holder.start()
    try:
        assert ready.wait(60)
        for act in (
            lambda: run(source, name),
            lambda: reindex(name, opened=HashedEmbedder()),
            lambda: delete_documents(name, ["d2"]),
            lambda: delete_corpus(name),
        ):
            with pytest.raises(
                CorpusLocked, match=rf"process {holder.pid} on {socket.gethostname()} since 20"
            ) as caught:
                act()
            assert (caught.value.pid, caught.value.host) == (holder.pid, socket.gethostname())
        assert run(source, f"{name}-other").added == 3  # another corpus of the database is free
        assert open_corpus(name, embedder=HashedEmbedder()).documents(["d1"])
    finally:
        done.set()
        holder.join(60)
    assert run(source, name).unchanged == 3
    delete_corpus(name)


@pytest.mark.parametrize("stage", ["embed", "publish"])
def test_a_writer_that_was_killed_holds_nothing(
    stage: str, homes: tuple[Path, Path], name: str, tmp_path: Path, postgres_url: str
) -> None:
    source = bundle(tmp_path / "source", 20)
    assert run_victim(source, stage, homes[1], name, BACKTRAIL_DATABASE_URL=postgres_url) == -signal.SIGKILL
    assert run(source, name).added == 20
    assert check(name) == []


class Cut:
    """Cuts this process's writing connection at a stage, and lets another home ingest before we go on."""

    def __init__(self, url: str, stage: str, source: Path, home: Path, corpus: str) -> None:
        self._url, self._stage, self._source, self._home, self._corpus = url, stage, source, home, corpus

    def stage(self, name: str, total: int | None = None) -> None:
        if name != self._stage:
            return
        me = f"backtrail writer {os.getpid()} on {socket.gethostname()}"
        with psycopg.connect(self._url) as connection:
            cut = connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {OURS}", [me])
            assert cut.fetchall() == [(True,)]
        settings = {"BACKTRAIL_DATABASE_URL": self._url}
        assert run_victim(self._source, "never", self._home, self._corpus, **settings) == 0

    def advance(self, count: int = 1) -> None:
        pass


# the driver complains of the cursor that was being read when its connection was cut
@pytest.mark.filterwarnings("ignore:.*ServerCursorMixin:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("stage", ["read", "publish"])
def test_who_loses_the_connection_writes_nothing(
    stage: str, homes: tuple[Path, Path], name: str, tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = bundle(tmp_path / "ours", 4), bundle(tmp_path / "theirs", 7, marker="theirs")
    with pytest.raises(DatabaseUnavailable, match="Nothing that was stored before is lost"):
        run(ours, name, Cut(postgres_url, stage, theirs, homes[1], name))
    monkeypatch.setenv("BACKTRAIL_HOME", str(homes[1]))
    assert describe(name).documents == 7
    assert "theirs" in (open_corpus(name, embedder=HashedEmbedder()).components(["d3#0"])["d3#0"].text or "")
    assert check(name) == []
