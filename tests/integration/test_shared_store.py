"""A corpus in an object store with Postgres as pointer: a killed publisher, the store away, Postgres away.

What was paid for on one machine is found by the others that share the corpus, whatever became of the first.
"""

import os
import signal
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.ingests_apart import killed_ingest
from fixtures.postgres import binaries, postgres_server
from fixtures.scripted_extractor import says, scripted_extractor
from fixtures.tiny_corpora import prepared, write_bundle
from fixtures.unfollowed import follow_nothing
from loopback.object_store import ObjectStore

from backtrail.evals.identity import Identity
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.results import journal_of, journaled, open_results, read_trails
from backtrail.ingest.pipeline import ingest
from backtrail.state.ingest_decisions import SUMMARIZE_DOCUMENT, SummarizeDocumentInputs
from backtrail.tools.corpus.errors import DatabaseUnavailable
from backtrail.tools.corpus.manage import delete_corpus, delete_documents
from backtrail.tools.corpus.move import move_home
from backtrail.tools.deciders.recording.cache import CachingDecider
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.home import corpus_folder
from backtrail.tools.journal.shared import DECISIONS, EXTRACTIONS, SharedJournal, shared_journal
from backtrail.tools.knowledge.extractor import extractor_named
from backtrail.tools.knowledge.journal import FileJournal

pytest.importorskip("lance", reason="pylance is not installed; pip install -e '.[scale]' brings it.")

from backtrail.tools.corpus.manage import check, list_corpora
from backtrail.tools.corpus.move import share
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


At = Callable[[str], Path]


@pytest.fixture
def at(store: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> At:
    """Stand on a machine."""

    def stand(machine: str) -> Path:
        monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / machine))
        return tmp_path / machine

    return stand


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


# --- what was paid for on one machine ----------------------------------------------------------------
def journal(kind: str, corpus: str = "zoo") -> SharedJournal:
    found = shared_journal(corpus, kind)
    assert found is not None
    return found


async def test_a_decision_is_paid_for_once_among_all_machines(at: At) -> None:
    model = ScriptedDecider({"summarize_document": [{"summary": "Cats \0 purr."}, {"summary": "Another one."}]})
    inputs = SummarizeDocumentInputs(title="Cats", sections=[], text="Cats purr.")

    async def summary(machine: str) -> str:
        decider = CachingDecider(model, at(machine) / "decisions", journal(DECISIONS))
        return (await decider.decide(SUMMARIZE_DOCUMENT, inputs)).output.summary

    assert [await summary(machine) for machine in "aba"] == ["Cats \0 purr."] * 3
    journal(DECISIONS).clear()
    assert await summary("b") == "Cats \0 purr."  # its own record
    assert await summary("c") == "Another one."


def test_outcomes_of_an_evaluation_are_found_in_another_home(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    who = Identity("task", "fif", "ours", {"corpus": "zoo", "run": uuid4().hex}, "v1", "0", "code")
    questions = [Question(id=name, question=f"Who is {name}?") for name in ("ann", "bob", "cy")]
    outcomes = [
        Outcome(id=one.id, fingerprint=one.fingerprint, answer=f"{one.id}\0", seconds=1.0, trail={"hops": [1]})
        for one in questions
    ]
    at("a")
    with open_results(who.folder, journal=journal_of(who)) as results:
        results.append(outcomes[0])
        with monkeypatch.context() as patch:
            patch.setattr(SharedJournal, "put", _away)
            with pytest.raises(DatabaseUnavailable):
                results.append(outcomes[1])
    with open_results(who.folder, journal=journal_of(who)) as results:
        assert len(results.finished(questions)) == 2  # what was asked while the server was away is not lost
    at("b")
    with open_results(who.folder, journal=journal_of(who)) as results:
        assert [outcome.answer for _, outcome in results.finished(questions)] == ["ann\0", "bob\0"]
        assert ("ann", questions[0].fingerprint) in read_trails(who.folder)
        results.append(outcomes[2])
    assert [one.id for one in journaled(journal_of(who), questions[2])] == ["cy"]
    at("a")
    with open_results(who.folder, fresh=True, journal=journal_of(who)) as results:
        assert results.finished(questions) == []
    assert journaled(journal_of(who)) == []


def _away(*_: Any) -> None:
    raise DatabaseUnavailable("postgres", "gone")


def test_an_extractor_goes_on_where_one_on_another_machine_was_lost(at: At, tmp_path: Path) -> None:
    words = ("cats purr", "dogs bark", "birds sing", "cows moo")
    bundle = write_bundle(tmp_path / "zoo", {text.split()[0]: [f"{text} all day long"] for text in words})
    log = tmp_path / "asked"

    def lost_at(number: int) -> Any:
        seen = 0

        def extract(chunk: Any) -> Any:
            nonlocal seen
            seen += 1
            if seen == number:
                raise KeyboardInterrupt
            return says(chunk)

        return scripted_extractor(log, extract)

    def read(extractor: Any) -> Any:
        return ingest([bundle], "zoo", embedder="hashed", opened=HashedEmbedder(), extractor=extractor)

    at("a")
    with pytest.raises(KeyboardInterrupt):
        read(lost_at(3))
    kept = len(list(journal(EXTRACTIONS)))
    assert kept == 2
    at("b")
    report = read(scripted_extractor(log))
    assert report.knowledge["chunks"] == len(words) - kept
    assert report.knowledge["read"] == len(words)
    delete_documents("zoo", ["cows"], opened=HashedEmbedder())
    held = [bytes.fromhex(key.partition(" ")[0]) for key in journal(EXTRACTIONS)]
    assert len(held) == 3
    move_home("zoo")
    own = FileJournal(corpus_folder("zoo") / "knowledge")
    assert set(own.get(held, extractor_named("scripted").accepted)) == set(held)
    own.close()
    delete_corpus("zoo")
    at("c")
    assert list(journal(EXTRACTIONS)) == []
