"""A corpus in an object store with Postgres as pointer: a killed publisher, the store away, Postgres away."""

from __future__ import annotations

import os
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.ingests_apart import killed_ingest
from fixtures.postgres import binaries, postgres_server
from fixtures.tiny_corpora import prepared, write_bundle
from fixtures.unfollowed import follow_nothing
from loopback.object_store import ObjectStore

pytest.importorskip("lance", reason="pylance is not installed; pip install -e '.[scale]' brings it.")

from backtrail.tools.corpus.errors import DatabaseUnavailable
from backtrail.tools.corpus.manage import check, delete_corpus, list_corpora
from backtrail.tools.corpus.move import move_home, share
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.corpus.store.pointer import open_pointer
from backtrail.tools.corpus.store.push import Push
from backtrail.tools.corpus.store.sync_mirror import sync_mirror
from backtrail.tools.corpus.store_address import read_address
from backtrail.tools.corpus.tables.prepared import PreparedDocument
from backtrail.tools.corpus.writing.progress import Silent
from backtrail.tools.errors import SettingsError

CATS = prepared("cats", [("cats purr softly", ["cats purr", "softly they sleep"]), ("a tail", [])])
DOGS = prepared("dogs", [("dogs bark loudly", ["dogs bark", "loudly at night"])])


@pytest.fixture
def store(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectStore]:
    with ObjectStore() as running:
        for name, value in running.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("BACKTRAIL_STORE", f"s3://corpora/{uuid.uuid4().hex[:8]}")
        monkeypatch.setenv("BACKTRAIL_DATABASE_URL", postgres_url)
        follow_nothing(monkeypatch)
        yield running


@pytest.fixture
def at(store: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    return lambda machine: monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / machine))


def write(*documents: PreparedDocument) -> None:
    with open_writer("zoo", "hashed", HashedEmbedder()) as writer:
        assert not writer.put(documents)
        writer.publish(Silent())


def read() -> StoredCorpus:
    return open_corpus("zoo", embedder=HashedEmbedder())


def held(corpus: StoredCorpus) -> set[str]:
    return {hit["id"] for hit in corpus.search_documents(corpus.embed(["cats"]), "document", 9)}


def test_a_killed_publisher_is_followed_by_the_next(at, store: ObjectStore, tmp_path: Path) -> None:
    at("a")
    write(CATS)
    ghosts = write_bundle(tmp_path / "ghosts", {"ghosts": ["ghosts were written by a dead machine"]})
    assert killed_ingest(tmp_path / "a", ghosts, "zoo", "unpublished") == -signal.SIGKILL
    at("b")
    assert list_corpora() == ["zoo"]
    assert held(read()) == {"cats"}
    write(DOGS)  # with the keys that the dead one gave
    assert held(read()) == {"cats", "dogs"}
    at("a")
    sync_mirror("zoo")
    corpus = read()
    assert corpus.children(["cats", "dogs", "ghosts"]) == {"cats": ["cats#0", "cats#1"], "dogs": ["dogs#0"]}
    assert check("zoo") == []
    delete_corpus("zoo")
    assert not [path for path in store.objects if path.endswith((".lance", ".manifest"))]
    at("b")
    sync_mirror("zoo")
    assert list_corpora() == []


def test_a_publisher_that_loses_its_session_publishes_nothing(
    at, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at("a")
    write(CATS)
    whole = Push.run

    def run(self: Push, *given: Any, **named: Any) -> Any:
        pushed = whole(self, *given, **named)
        with psycopg.connect(postgres_url) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE %s",
                [f"backtrail writer {os.getpid()} on %"],
            )
        return pushed

    with monkeypatch.context() as patch:
        patch.setattr(Push, "run", run)
        with pytest.raises(DatabaseUnavailable):
            write(DOGS)
    assert held(read()) == {"cats"}
    at("b")
    write(prepared("birds", [("birds sing", [])]))
    assert held(read()) == {"cats", "birds"}
    assert check("zoo") == []


@pytest.mark.long
def test_a_publisher_that_dies_when_it_has_published_has_published(at, tmp_path: Path) -> None:
    cats = write_bundle(tmp_path / "cats", {"cats": ["cats purr softly"]})
    assert killed_ingest(tmp_path / "a", cats, "zoo", "published") == -signal.SIGKILL
    at("b")
    assert held(read()) == {"cats"}
    write(DOGS)
    at("a")  # whose own tables know nothing of what it published
    write(prepared("birds", [("birds sing", [])]))
    assert held(read()) == {"cats", "dogs", "birds"}
    assert check("zoo") == []


def test_postgres_is_stopped_and_started_under_readers_and_writers(at, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (no initdb); `make install` brings it.")
    with postgres_server(programs) as server:
        monkeypatch.setenv("BACKTRAIL_DATABASE_URL", server.url)
        at("a")
        write(CATS)
        at("b")
        assert held(read()) == {"cats"}
        with open_writer("zoo", "hashed", HashedEmbedder()) as writer:
            writer.put([DOGS])
            server.stop()
            with pytest.raises(DatabaseUnavailable):
                writer.publish(Silent())
        assert held(read()) == {"cats"}
        with pytest.raises(DatabaseUnavailable):
            write(DOGS)
        at("c")
        with pytest.raises(DatabaseUnavailable):  # nothing is mirrored there
            read()
        server.start()
        assert held(read()) == {"cats"}
        at("b")
        write(DOGS)
        assert held(read()) == {"cats", "dogs"}
        at("c")
        sync_mirror("zoo")
        assert held(read()) == {"cats", "dogs"}


def test_tables_in_postgres_move_into_the_store_and_back(
    at, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = read_address(os.environ["BACKTRAIL_STORE"])
    monkeypatch.delenv("BACKTRAIL_STORE")
    at("a")
    name = f"zoo-{uuid.uuid4().hex[:8]}"
    with open_writer(name, "hashed", HashedEmbedder()) as writer:
        writer.put([CATS, DOGS])
        writer.publish(Silent())
    before = held(open_corpus(name, embedder=HashedEmbedder()))
    assert share(name, address).number == 1
    assert held(open_corpus(name, embedder=HashedEmbedder())) == before
    assert _schemas(postgres_url, name) == 0
    move_home(name)
    assert held(open_corpus(name, embedder=HashedEmbedder())) == before
    assert check(name) == []
    assert _schemas(postgres_url, name) == 1
    delete_corpus(name)


def _schemas(url: str, name: str) -> int:
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT count(*) FROM pg_namespace WHERE nspname LIKE %s", [f"backtrail_{name.replace('-', '_')}%"]
        ).fetchone()
    return found[0] if found else 0


def test_an_object_store_needs_postgres(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BACKTRAIL_DATABASE_URL", raising=False)
    with pytest.raises(SettingsError, match="needs Postgres"):
        open_pointer(read_address("s3://corpora/x"))
    with pytest.raises(SettingsError, match="not an address of shared corpora"):
        read_address("ftp://somewhere")
    with pytest.raises(SettingsError, match="must not contain keys"):
        read_address("s3://key:secret@corpora/x")
