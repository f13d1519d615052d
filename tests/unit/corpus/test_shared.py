"""A corpus in a store: two homes write and read it, machines die on the way, the store goes away and comes back."""

import errno
import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import prepared, write_bundle
from fixtures.unfollowed import follow_nothing
from sqlalchemy import Table

pytest.importorskip("lance", reason="pylance is not installed; pip install -e '.[scale]' brings it.")

from backtrail.ingest.pipeline import ingest
from backtrail.state.component import Link
from backtrail.tools.corpus.errors import CorpusDiskFull, CorpusNotFound, PublishConflict, StoreUnavailable
from backtrail.tools.corpus.manage import check, delete_corpus, delete_documents, describe, list_corpora, reindex
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.corpus.store import follow_updates, lance_table, publish_corpus, pull
from backtrail.tools.corpus.store.lance_table import LanceTable
from backtrail.tools.corpus.store.pointer import open_pointer
from backtrail.tools.corpus.store.pointer_file import FileTurn
from backtrail.tools.corpus.store.publication import Publication
from backtrail.tools.corpus.store.publish_corpus import Sharing
from backtrail.tools.corpus.store.sync_mirror import sync_mirror
from backtrail.tools.corpus.store_address import read_address
from backtrail.tools.corpus.tables.prepared import PreparedDocument
from backtrail.tools.corpus.writing import publish
from backtrail.tools.corpus.writing.progress import Silent
from backtrail.tools.corpus.writing.vector_cache import VectorCache

CATS = prepared("cats", [("cats purr softly", ["cats purr", "softly they sleep"]), ("a tail", [])])
DOGS = prepared("dogs", [("dogs bark loudly", ["dogs bark", "loudly at night"])])
BIRDS = prepared("birds", [("birds sing early", ["birds sing"])])

STORES = Path(__file__).parents[2] / "fixtures" / "stores"

FOLLOW = follow_updates._keep_following

At = Callable[[str], Path]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "store").mkdir()
    monkeypatch.setenv("BACKTRAIL_STORE", f"lance:{tmp_path / 'store'}")
    follow_nothing(monkeypatch)
    return tmp_path / "store"


@pytest.fixture
def at(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> At:
    """Stand on a machine."""

    def stand(machine: str) -> Path:
        monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / machine))
        return tmp_path / machine

    return stand


def write(*documents: PreparedDocument, embedder: HashedEmbedder | None = None) -> None:
    with open_writer("zoo", "hashed", embedder or HashedEmbedder()) as writer:
        assert not writer.put(documents)
        writer.publish(Silent())


def killed_before_the_pointer_moves(document: PreparedDocument) -> None:
    with patch.object(FileTurn, "move", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        write(document)


def read() -> StoredCorpus:
    return open_corpus("zoo", embedder=HashedEmbedder())


def held(corpus: StoredCorpus) -> set[str]:
    return {hit["id"] for hit in corpus.search_documents(corpus.embed(["cats"]), "document", 9)}


def test_another_machine_reads_what_one_has_written_and_writes_on(at):
    at("a")
    write(CATS, DOGS)
    first = read()
    at("b")
    assert list_corpora() == ["zoo"]
    second = read()
    query = first.embed(["purr softly"])
    assert second.version == first.version
    for layer in ("document", "component", "subcomponent"):
        assert second.search_components(query, layer, 9) == first.search_components(query, layer, 9)
        assert second.search_lexical("dogs purr", layer, 9) == first.search_lexical("dogs purr", layer, 9)
    embedder = HashedEmbedder()
    write(BIRDS, embedder=embedder)
    assert all("birds" in text for text in embedder.embedded)  # of the others the vectors came along
    assert delete_documents("zoo", ["dogs"], opened=embedder) == 1
    at("a")
    sync_mirror("zoo")
    assert held(read()) == {"cats", "birds"}
    assert check("zoo") == []
    assert describe("zoo").store.endswith("(publication 3)")


def test_of_two_publishers_the_second_is_told_and_begins_anew(at):
    at("a")
    write(CATS)
    with open_writer("zoo", "hashed", HashedEmbedder()) as writer:
        writer.put([DOGS])
        at("b")
        write(BIRDS)
        at("a")
        with pytest.raises(PublishConflict, match="was changed by"):
            writer.publish(Silent())
    assert held(read()) == {"cats", "birds"}
    write(DOGS)
    assert held(read()) == {"cats", "birds", "dogs"}
    assert check("zoo") == []


def test_a_publisher_that_dies_before_the_pointer_moved_leaves_no_trace(at):
    at("a")
    write(CATS)
    killed_before_the_pointer_moves(DOGS)
    at("b")
    assert held(read()) == {"cats"}
    write(BIRDS)  # takes keys that the dead one has used
    at("a")
    write(DOGS)
    children = read().children(["cats", "dogs", "birds"])
    assert children == {"cats": ["cats#0", "cats#1"], "dogs": ["dogs#0"], "birds": ["birds#0"]}
    assert check("zoo") == []


def test_while_the_store_is_away_the_mirror_answers_and_writers_are_told(at, folder):
    at("a")
    write(CATS)
    at("b")
    assert held(read()) == {"cats"}
    away = folder.rename(folder.with_name("unmounted"))
    assert held(read()) == {"cats"}
    with pytest.raises(StoreUnavailable, match="there is no such folder"):
        write(DOGS)
    at("c")
    with pytest.raises(StoreUnavailable):
        read()
    away.rename(folder)
    at("b")
    write(DOGS)
    assert held(read()) == {"cats", "dogs"}
    at("c")
    assert held(read()) == {"cats", "dogs"}


def test_readers_follow_without_asking(at, monkeypatch):
    monkeypatch.setenv("BACKTRAIL_STORE_POLL", "0.05")
    monkeypatch.setattr(follow_updates, "_keep_following", FOLLOW)
    at("a")
    write(CATS)
    at("b")
    assert held(read()) == {"cats"}
    at("a")
    write(DOGS)
    at("b")
    for _ in range(600):
        if held(read()) == {"cats", "dogs"}:
            return
        time.sleep(0.05)
    pytest.fail("the new publication was not followed")


@pytest.mark.parametrize("deleted", [True, False], ids=["deleted", "replaced"])
def test_what_is_forgotten_is_gone_from_the_store_and_from_every_mirror(at, folder, deleted):
    mirror = at("b") / "corpora"
    at("a")
    write(CATS, prepared("secret", [("zanzibar lies in the sea", ["zanzibar"])]))
    at("b")
    assert held(read()) == {"cats", "secret"}
    assert _with(b"zanzibar", mirror)
    at("a")
    if deleted:
        delete_documents("zoo", ["secret"], opened=HashedEmbedder())
    else:
        write(prepared("secret", [("an island lies in the sea", ["island"])]))
        assert _with(b"zanzibar", folder)  # older versions of the tables have it
        with open_writer("zoo", "hashed", HashedEmbedder()) as writer:
            writer.publish(Silent(), forget=True)  # nothing else is changed
    at("b")
    sync_mirror("zoo")
    assert held(read()) == ({"cats"} if deleted else {"cats", "secret"})
    assert not [*_with(b"zanzibar", folder), *_with(b"zanzibar", mirror)]


def test_a_cleaning_leaves_the_last_publications_to_who_copies_them(at, monkeypatch):
    monkeypatch.setattr(publish_corpus, "CLEANED_EVERY", 1)
    monkeypatch.setattr(lance_table, "timedelta", lambda **_: timedelta(0))  # nothing is too young to be cleaned up
    address = read_address(os.environ["BACKTRAIL_STORE"])
    at("a")
    published = list[Publication]()
    for number in range(5):
        write(prepared(f"d{number}", [(f"text number {number}", [])]))
        published += [one for one in [open_pointer(address).read("zoo")] if one]
    kept = list[bool]()
    for one in published:
        place = address.place("zoo", one.space, "components.lance")
        try:
            kept.append(len(LanceTable.open(address, place, one.tables["components"].version).numbers()) == one.number)
        except StoreUnavailable:
            kept.append(False)
    assert kept == [False, False, True, True, True]


def test_what_is_forgotten_beneath_a_machine_that_copies_it_never_arrives(at, folder, monkeypatch):
    at("a")
    write(CATS, prepared("secret", [("zanzibar lies in the sea", ["zanzibar"])]))
    whole, begun = pull._Pull._bring, list[str]()

    def bring(self: pull._Pull, table: Table, cache: VectorCache) -> None:
        whole(self, table, cache)
        begun.append(table.name)
        if len(begun) == 2:
            at("a")
            delete_documents("zoo", ["secret"], opened=HashedEmbedder())
            at("b")

    monkeypatch.setattr(pull._Pull, "_bring", bring)
    mirror = at("b") / "corpora"
    assert held(read()) == {"cats"}
    assert begun[:3] == ["documents", "components", "documents"]  # it began anew
    assert not [*_with(b"zanzibar", folder), *_with(b"zanzibar", mirror)]


def test_what_a_dead_publisher_wrote_goes_with_what_is_forgotten(at, folder):
    at("a")
    write(CATS)
    whole = next(folder.rglob("components.lance/data/*.lance"))
    shutil.copy(whole, whole.with_stem("1" * 24 + "b1c2d3e4f5a6b7c8d9e0f1a2b3"))  # of no version: it died before
    assert len(_with(b"purr", whole.parent)) == 2
    delete_documents("zoo", ["cats"], opened=HashedEmbedder())
    assert not _with(b"purr", folder)


@pytest.mark.parametrize("whole", [False, True], ids=["with a document", "with the corpus"])
def test_a_table_of_a_first_publication_that_never_was_is_forgotten_too(at, folder, whole):
    at("a")
    link = Link(target="https://zanzibar.example/", kind="external")
    killed_before_the_pointer_moves(prepared("secret", [("an island", [])], links=[link]))
    at("b")  # machine a is lost
    write(CATS, DOGS)  # without links
    assert _with(b"zanzibar", folder)
    if whole:
        delete_corpus("zoo")
    else:
        delete_documents("zoo", ["dogs"], opened=HashedEmbedder())
    assert not _with(b"zanzibar", folder)


def _with(secret: bytes, place: Path) -> list[Path]:
    return [file for file in place.rglob("*") if file.is_file() and secret in file.read_bytes()]


def test_another_embedder_reaches_every_mirror(at):
    at("a")
    write(CATS, DOGS)
    at("b")
    read()
    at("a")
    wider = HashedEmbedder(dimension=48)
    reindex("zoo", "wider", opened=wider)
    at("b")
    sync_mirror("zoo")
    corpus = open_corpus("zoo", embedder=wider)
    assert corpus.vectors(["cats#0"], "component").shape == (1, 48)
    assert check("zoo") == []


def test_a_corpus_that_is_deleted_is_gone_for_all(at, folder):
    at("a")
    write(CATS)
    mirror = at("b") / "corpora" / "zoo"
    read()
    delete_corpus("zoo")
    assert list_corpora() == []
    assert not mirror.exists()
    assert not list(folder.rglob("*.lance/*"))
    at("a")
    sync_mirror("zoo")
    with pytest.raises(CorpusNotFound):
        read()
    write(DOGS)
    assert held(read()) == {"dogs"}


def test_a_store_written_by_the_version_of_lance_before_is_read_and_written_on(at, folder):
    shutil.unpack_archive(STORES / "pylance-13.0.0.zip", folder)
    at("a")
    assert held(read()) == {"cats", "dogs"}
    write(BIRDS)
    at("b")
    assert held(read()) == {"cats", "dogs", "birds"}
    assert check("zoo") == []


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_copy_that_is_cut_off_leaves_the_mirror_as_it_was(error, at):
    at("a")
    write(CATS)
    at("b")
    assert held(read()) == {"cats"}
    at("a")
    write(DOGS)
    at("b")
    failing = patch.object(publish, "build_arrays", side_effect=error)
    with failing, pytest.raises((CorpusDiskFull, KeyboardInterrupt)):
        sync_mirror("zoo")
    assert held(read()) == {"cats"}
    sync_mirror("zoo", patience=60)  # an open reader updates the mirror, too
    assert held(read()) == {"cats", "dogs"}
    assert check("zoo") == []


def test_a_mirror_that_is_not_what_was_published_is_made_anew(at):
    at("a")
    write(CATS)
    home = at("b")
    read()
    with sqlite3.connect(home / "corpora" / "zoo" / "corpus.sqlite") as mirror:
        mirror.execute("UPDATE documents SET content_hash = 'another'")
    at("a")
    write(DOGS)
    at("b")
    sync_mirror("zoo", patience=60)
    assert held(read()) == {"cats", "dogs"}
    assert check("zoo") == []


def test_an_ingest_that_is_overtaken_begins_again(at, tmp_path, monkeypatch):
    bundle = write_bundle(tmp_path / "sky", {"moon": ["The moon is grey."], "sun": ["The sun is hot."]})
    at("a")
    write(CATS)
    embedder, overtaken = HashedEmbedder(), [False]
    whole = Sharing.publish

    def publish_late(self: Sharing, *given: Any, **named: Any) -> None:
        if not overtaken[0]:
            overtaken[0] = True
            at("b")
            write(DOGS)
            at("a")
        whole(self, *given, **named)

    monkeypatch.setattr(Sharing, "publish", publish_late)
    report = ingest([bundle], "zoo", embedder="hashed", opened=embedder)
    assert (report.added, report.failed) == (2, [])
    assert held(read()) == {"cats", "dogs", "moon", "sun"}
    assert len(embedder.embedded) == len(set(embedder.embedded))
    at("b")
    delete_documents("zoo", ["moon"], opened=HashedEmbedder())
    at("a")
    assert ingest([bundle], "zoo", embedder="hashed", opened=embedder).added == 1  # what is given again is there again
    assert held(read()) == {"cats", "dogs", "moon", "sun"}
