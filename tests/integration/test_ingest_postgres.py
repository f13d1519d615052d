"""Corpora whose tables are in PostgreSQL: all that SQLite does, and what only a server can do wrong.

Two homes may share one database: one writes at a time, and nobody writes without the lock.
"""

import itertools
import json
import multiprocessing
import os
import shutil
import signal
import socket
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.killed_ingest import bundle, run_victim
from fixtures.tiny_corpora import prepared, write_bundle

from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.state.component import Link
from backtrail.tools.corpus.errors import CorpusDamaged, CorpusLocked, CorpusNotFound, DatabaseUnavailable
from backtrail.tools.corpus.manage import check, delete_corpus, delete_documents, describe, list_corpora, reindex
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.corpus.writing.progress import Silent
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.errors import SettingsError
from backtrail.tools.knowledge.open import open_knowledge

SKY = {
    "moon": ["The moon orbits the earth. It is grey.", "Its craters are old."],
    "earth": ["The earth is blue. It has air."],
    "sun": ["The sun shines. It is hot."],
}
LINKS = [("moon", "earth"), ("earth", "https://example.org/sun"), ("sun", "nowhere")]


@pytest.fixture(autouse=True)
def in_postgres(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_DATABASE_URL", postgres_url)


def query(url: str, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(statement.encode(), values).fetchall()


def schemas(url: str, corpus: str) -> list[str]:
    pattern = f"backtrail\\_{corpus.replace('-', '_')}\\_%"
    return [row[0] for row in query(url, "SELECT nspname FROM pg_namespace WHERE nspname LIKE %s", pattern)]


@pytest.fixture
def name(postgres_url: str) -> Iterator[str]:
    """A name of its own for each test's corpus: the server may be somebody's, and outlives the test."""
    name = f"sky-{uuid.uuid4().hex[:8]}"
    yield name
    with psycopg.connect(postgres_url) as connection:
        for schema in schemas(postgres_url, name):
            connection.execute(f'DROP SCHEMA "{schema}" CASCADE'.encode())


@pytest.fixture
def sky(tmp_path: Path) -> Path:
    return write_bundle(tmp_path / "sky", SKY, LINKS)


def run(path: Path, corpus: str, embedder: HashedEmbedder | None = None) -> IngestReport:
    return ingest([path], corpus, embedder="hashed", opened=embedder or HashedEmbedder())


def opened(corpus: str) -> StoredCorpus:
    return open_corpus(corpus, embedder=HashedEmbedder())


def test_the_tables_are_in_the_database_and_the_rest_is_as_with_sqlite(
    sky: Path, name: str, home: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = run(sky, name)
    assert (report.added, report.failed, report.links) == (3, [], {"internal": 2, "dead": 1, "external": 0})
    assert check(name) == []
    assert len(schemas(postgres_url, name)) == 1
    assert not (home / "corpora" / name / "corpus.sqlite").exists()
    here = opened(name)
    monkeypatch.delenv("BACKTRAIL_DATABASE_URL")
    assert run(sky, "twin").version == report.version
    twin = opened("twin")
    vector = here.embed(["old craters"])
    ids = [f"{id_}#{i}" for id_, paragraphs in SKY.items() for i in range(len(paragraphs))]
    assert here.documents([*SKY, "nobody"]) == twin.documents(SKY)
    assert here.components(ids) == twin.components(ids)
    assert here.subcomponents(ids) == twin.subcomponents(ids)
    assert here.links(ids) == twin.links(ids)
    assert here.children(SKY) == twin.children(SKY)
    assert here.search_documents(vector, "subcomponent", 3) == twin.search_documents(vector, "subcomponent", 3)
    assert here.search_components(vector, "component", 3) == twin.search_components(vector, "component", 3)
    assert here.search_lexical("craters", "component", 3) == twin.search_lexical("craters", "component", 3)
    assert here.search_lexical("craters", "component", 3)[0]["id"] == "moon#1"


def test_listed_described_deleted_and_rebuilt(sky: Path, name: str, home: Path, postgres_url: str) -> None:
    run(sky, name)
    assert list_corpora() == [name]
    described = describe(name)
    assert (described.documents, described.components, described.subcomponents) == (3, {"text": 4}, 6)
    assert delete_documents(name, ["moon", "nobody"]) == 1
    assert opened(name).search_lexical("moon", "component", 5) == []
    other = HashedEmbedder(48, "other")
    assert reindex(name, "other", opened=other).embedded > 0
    assert open_corpus(name, embedder=other).vectors(["earth"], "document").shape == (1, 48)
    assert check(name) == []
    delete_corpus(name)
    assert (list_corpora(), schemas(postgres_url, name)) == ([], [])
    assert not (home / "corpora" / name).exists()
    for act in (delete_corpus, check, describe, reindex, opened):
        with pytest.raises(CorpusNotFound, match="none yet"):
            act(name)
    assert run(sky, name).added == 3
    assert len(opened(name).documents(SKY)) == 3


def test_names_that_look_alike_are_apart(sky: Path, name: str, tmp_path: Path) -> None:
    # the readable part of a schema's name is the same for all of them
    names = [name, name.replace("-", "."), name.upper()]
    for i, each in enumerate(names):
        run(write_bundle(tmp_path / str(i), {f"only{i}": ["text"]}), each)
    assert list_corpora() == sorted(names)
    for i, each in enumerate(names):
        assert list(opened(each).documents([f"only{j}" for j in range(3)])) == [f"only{i}"]
        delete_corpus(each)


def test_unknown_names_hold_no_connections(sky: Path, name: str, postgres_url: str) -> None:
    run(sky, name)
    count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    before = query(postgres_url, count)[0][0]
    for number in range(12):
        with pytest.raises(CorpusNotFound, match=name):
            opened(f"unknown-{number}")
    assert query(postgres_url, count)[0][0] < before + 6


@pytest.mark.parametrize(
    "event", ["6", "publish", "done", *(pytest.param(one, marks=pytest.mark.long) for one in ("read", "link", "words"))]
)
def test_killed_and_finished(event: str, name: str, tmp_path: Path, home: Path, postgres_url: str) -> None:
    source = bundle(tmp_path / "source", 20)
    before = run(source, name)
    bundle(source, 22, marker="changed")
    killed = run_victim(source, event, home, name, BACKTRAIL_DATABASE_URL=postgres_url)
    assert killed == -signal.SIGKILL
    assert (opened(name).version == before.version) == (event != "done")
    assert check(name) == []
    report = run(source, name)
    assert report.unchanged == (22 if event == "done" else 0)
    assert "changed" in (opened(name).components(["d3#0"])["d3#0"].text or "")
    assert describe(name).documents == 22
    assert check(name) == []
    assert len(list((home / "corpora" / name / "index").iterdir())) <= 2


def test_odd_ids(name: str, tmp_path: Path) -> None:
    odd = [
        "it's", 'say "hi"', "100%(s)s %s", ":name", "back\\slash", "多音字 🌍", "a/b?c=d&e#f",
        "x'; DROP TABLE meta; --",
    ]  # fmt: skip
    source = write_bundle(tmp_path / "odd", {id_: [f"Text of {id_}."] for id_ in odd}, list(itertools.pairwise(odd)))
    report = run(source, name)
    assert (report.added, report.failed, report.links["internal"]) == (len(odd), [], len(odd) - 1)
    corpus = opened(name)
    assert list(corpus.documents(odd)) == odd
    assert all(corpus.components([f"{id_}#0"])[f"{id_}#0"].text == f"Text of {id_}." for id_ in odd)
    assert corpus.links([f"{odd[0]}#0"])[f"{odd[0]}#0"][0].target == odd[1]
    assert run(source, name).unchanged == len(odd)
    assert delete_documents(name, odd[:4]) == 4
    assert check(name) == []


def test_nul_in_texts_is_replaced_and_in_ids_refused(name: str, tmp_path: Path) -> None:
    source = write_bundle(tmp_path / "nul", {"a": ["before\0after. Next."], "b\0": ["refused"]}, [("a", "x\0y")])
    report = run(source, name)
    assert report.added == 1
    assert [problem.reason for problem in report.failed] == [
        "the id 'b\\x00' has a NUL character, which PostgreSQL cannot store"
    ]
    corpus = opened(name)
    assert corpus.subcomponents(["a#0"])["a#0"][0].text == "before\N{REPLACEMENT CHARACTER}after."
    asked = ["b\0", "a"]
    assert list(corpus.documents(asked)) == ["a"]
    assert corpus.components(["b\0#0"]) == corpus.links(["b\0#0"]) == corpus.subcomponents(["b\0#0"]) == {}
    assert delete_documents(name, ["b\0"]) == 0
    assert run(source, name).unchanged == 1
    assert check(name) == []


def test_long_texts(name: str, tmp_path: Path) -> None:
    noise = "".join(f"{i * 7919 % 65536:x}" for i in range(300_000))  # does not compress below an index entry
    long_id, too_long = "ä" + noise[:1996], "ä" + noise[:1997]  # with "#0" for their components
    source = write_bundle(tmp_path / "long", {"big": [noise], too_long: ["refused"]})
    with (source / "documents.jsonl").open("a") as file:
        file.write(
            json.dumps({"id": "far", "title": noise[:5000], "url": f"https://example.org/{noise[:9000]}"}) + "\n"
        )
    with (source / "components.jsonl").open("a") as file:
        for number, target in enumerate([f"https://example.org/{noise[:9000]}", noise[:9000]]):
            line = {"id": f"far#{number}", "document": "far", "position": number, "modality": "text", "text": "Far."}
            file.write(json.dumps({**line, "links": [{"target": target, "anchor": noise[:9000]}]}) + "\n")
    report = run(source, name)
    assert (report.added, report.links["internal"]) == (2, 1)
    assert len(report.failed) == 1
    assert report.failed[0].reason.endswith("…' is longer than 2000 bytes")
    corpus = opened(name)
    assert corpus.components(["big#0"])["big#0"].text == noise
    assert check(name) == []
    fragments = {"short": "d#0", noise[:9000]: "d#0"}
    links = [Link(target=f"https://example.org/d#{id_}", kind="external") for id_ in fragments]
    with open_writer(name, "hashed", HashedEmbedder()) as writer:
        target = prepared("d", [("Text.", ["Text."])], fragments=fragments)
        source_document = prepared("e", [("Text.", ["Text."])], links=links)
        assert writer.put([target, source_document, prepared(long_id, [("Text.", [])])]) == {}
        writer.publish(Silent())
    found = opened(name).links(["e#0"])["e#0"]
    assert [(link.target, link.component) for link in found] == [("d", "d#0"), ("d", None)]
    assert list(opened(name).documents([long_id])) == [long_id]
    assert delete_documents(name, [long_id]) == 1
    assert check(name) == []


def test_equal_urls_lead_to_the_same_document_as_in_sqlite(name: str) -> None:
    link = Link(target="https://example.org/same", kind="external")
    with open_writer(name, "hashed", HashedEmbedder()) as writer:
        batch = [prepared(id_, [("Text.", [])], links=[link]) for id_ in ("a", "B", "_")]
        same = {"url": link.target}
        writer.put([replace(entry, document=entry.document.model_copy(update=same)) for entry in batch])
        writer.publish(Silent())
    assert opened(name).links(["a#0"])["a#0"][0].target == "B"


def test_a_lost_home_is_rebuilt_from_the_database(sky: Path, name: str, home: Path) -> None:
    run(sky, name)
    shutil.rmtree(home / "corpora" / name)
    with pytest.raises(CorpusDamaged, match=f"backtrail corpus reindex {name}"):
        opened(name)
    assert check(name)
    reindex(name, opened=HashedEmbedder())
    assert opened(name).search_lexical("craters", "component", 3)[0]["id"] == "moon#1"
    assert check(name) == []


def test_closed_connections_are_replaced(
    sky: Path, name: str, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKTRAIL_DATABASE_URL", postgres_url.replace("postgresql://", "postgres://"))
    assert run(sky, name).added == 3
    corpus = opened(name)
    assert corpus.documents(["sun"])
    ours = "pid <> pg_backend_pid() AND datname = current_database() AND query LIKE %s"
    closed = query(postgres_url, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}", f"%{name}%")
    assert corpus.documents(["sun"]), closed


def test_a_server_that_is_away(sky: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_DATABASE_URL", "postgresql://me:secret@127.0.0.1:1/nothing")
    for act in (lambda: run(sky, name), lambda: opened(name), lambda: check(name), lambda: delete_corpus(name)):
        with pytest.raises(DatabaseUnavailable, match=r"postgresql://me:\*\*\*@127\.0\.0\.1:1/nothing") as caught:
            act()
        assert "secret" not in str(caught.value)


def test_a_database_that_is_closed_to_us(sky: Path, name: str, postgres_url: str, monkeypatch: Any) -> None:
    role = f"reader_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(postgres_url) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN".encode())
    try:
        monkeypatch.setenv("BACKTRAIL_DATABASE_URL", postgres_url.replace("//tests@", f"//{role}@"))
        with pytest.raises(DatabaseUnavailable, match="permission denied"):
            run(sky, name)
    finally:
        with psycopg.connect(postgres_url) as connection:
            connection.execute(f"DROP ROLE {role}".encode())


@pytest.mark.parametrize(
    "url", ["mysql://localhost/db", "sqlite:///file", "postgresql+asyncpg://localhost/db", "nonsense"]
)
def test_other_urls_are_refused(url: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_DATABASE_URL", url)
    with pytest.raises(SettingsError, match="BACKTRAIL_DATABASE_URL"):
        opened(name)


def test_the_knowledge_graph_is_the_one_that_sqlite_holds(
    sky: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def graph() -> tuple[dict[str, int], list[str]]:
        held = open_knowledge(name)
        ids = [one["id"] for one in held.search_entities(HashedEmbedder().embed(["moon"]), 100)]
        related = {relation.id: relation for some in held.relations_of(ids).values() for relation in some}
        return held.counts(), sorted(map(str, [*held.entities(ids).values(), *related.values()]))

    def read(source: Path) -> None:
        ingest([source], name, embedder="hashed", opened=HashedEmbedder(), extractor=OfflineDecider())
        assert check(name) == []

    read(sky)
    first = graph()
    assert open_knowledge(name).named(["the Suns", "about moon"])
    delete_documents(name, ["moon"], opened=HashedEmbedder())
    assert check(name) == []
    read(sky)
    assert graph() == first
    monkeypatch.delenv("BACKTRAIL_DATABASE_URL")
    read(sky)
    assert graph() == first


# --- two homes ---------------------------------------------------------------------------------------
OURS = "application_name = %s AND backend_type = 'client backend'"


def _write_there(home: str, corpus: str, ready, done) -> None:  # type: ignore[no-untyped-def]
    os.environ["BACKTRAIL_HOME"] = home
    with open_writer(corpus, "hashed", HashedEmbedder()) as writer:
        writer.delete(["d1"])
        ready.set()
        done.wait(60)


def test_a_writer_in_another_home_is_named(name: str, tmp_path: Path) -> None:
    source = bundle(tmp_path / "source", 3)
    run(source, name)
    context = multiprocessing.get_context("fork")
    ready, done = context.Event(), context.Event()
    holder = context.Process(target=_write_there, args=(str(tmp_path / "there"), name, ready, done))
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
        assert opened(name).documents(["d1"])
    finally:
        done.set()
        holder.join(60)
    assert run(source, name).unchanged == 3
    delete_corpus(name)


@pytest.mark.parametrize("stage", ["embed", "publish"])
def test_a_writer_that_was_killed_holds_nothing(stage: str, name: str, tmp_path: Path, postgres_url: str) -> None:
    source = bundle(tmp_path / "source", 20)
    assert run_victim(source, stage, tmp_path / "there", name, BACKTRAIL_DATABASE_URL=postgres_url) == -signal.SIGKILL
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
    stage: str, name: str, tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = bundle(tmp_path / "ours", 4), bundle(tmp_path / "theirs", 7, marker="theirs")
    cut = Cut(postgres_url, stage, theirs, tmp_path / "there", name)
    with pytest.raises(DatabaseUnavailable, match="Nothing that was stored before is lost"):
        ingest([ours], name, embedder="hashed", opened=HashedEmbedder(), progress=cut)
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "there"))
    assert describe(name).documents == 7
    assert "theirs" in (opened(name).components(["d3#0"])["d3#0"].text or "")
    assert check(name) == []
