"""Corpus in gs:// and az://, on emulators: same answers as in a home, one publisher wins.

The loopback store emulates Google's protocol, Azurite that of Azure: ``npm install azurite``, then set
BACKTRAIL_TEST_AZURITE to its program ``azurite-blob``.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import prepared
from fixtures.unfollowed import follow_nothing
from loopback.azurite import azurite_program, running_azurite
from loopback.object_store import ObjectStore

pytest.importorskip("lance", reason="pylance is not installed; pip install -e '.[scale]' brings it.")

from backtrail.tools.corpus.errors import PublishConflict, StoreUnavailable
from backtrail.tools.corpus.manage import check, delete_documents
from backtrail.tools.corpus.move import move_home, share
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.store.lance_table import ROW, LanceTable
from backtrail.tools.corpus.store.sync_mirror import sync_mirror
from backtrail.tools.corpus.store_address import StoreAddress, read_address
from backtrail.tools.corpus.tables.prepared import PreparedDocument
from backtrail.tools.corpus.writing.progress import Silent
from backtrail.tools.open_lance import open_arrow

CATS = prepared("cats", [("cats purr softly", ["cats purr", "softly they sleep"]), ("a tail", [])])
DOGS = prepared("dogs", [("dogs bark loudly", ["dogs bark", "loudly at night"])])
SECRET = prepared("secret", [("zanzibar lies in the sea", ["zanzibar"])])


@dataclass
class Cloud:
    """An emulator: its address, how to take it offline, and its objects."""

    address: StoreAddress
    environment: Mapping[str, str]
    away: Callable[[], AbstractContextManager[None]]
    objects: Callable[[], Mapping[str, bytes]]


def google(stack: ExitStack, folder: Path) -> Cloud:
    store = stack.enter_context(ObjectStore())

    @contextmanager
    def away() -> Iterator[None]:
        store.away = True
        yield
        store.away = False

    return Cloud(read_address("gs://corpora/here"), store.google(folder), away, lambda: store.objects)


def azure(stack: ExitStack, folder: Path) -> Cloud:
    program = azurite_program()
    if program is None:
        pytest.skip("Azurite is not installed: az:// is not tested. `npm install azurite`, see the head of this file.")
    server = stack.enter_context(running_azurite(program, folder))
    server.make("corpora")

    @contextmanager
    def away() -> Iterator[None]:
        server.stop()
        yield
        server.start()

    return Cloud(read_address("az://corpora/here"), server.environment, away, lambda: server.objects("corpora"))


@pytest.fixture(params=[google, azure])
def cloud(
    request: pytest.FixtureRequest, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Cloud]:
    with ExitStack() as stack:
        running: Cloud = request.param(stack, tmp_path)
        for name, value in running.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("BACKTRAIL_DATABASE_URL", postgres_url)
        follow_nothing(monkeypatch)
        yield running


def answers(name: str) -> Any:
    corpus = open_corpus(name, embedder=HashedEmbedder())
    query = corpus.embed(["where do cats sleep"])
    both = ("component", "subcomponent")
    by_words = [corpus.search_lexical("softly at night", layer, 9) for layer in both]
    return (
        corpus.search_documents(query, "document", 9),
        [corpus.search_components(query, one, 9) for one in both],
        by_words,
    )


@pytest.mark.long
def test_a_corpus_moves_there_is_written_by_two_machines_forgets_and_moves_back(
    cloud: Cloud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"zoo-{uuid.uuid4().hex[:8]}"

    def at(machine: str) -> None:
        monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / machine))

    def write(*documents: PreparedDocument) -> None:
        with open_writer(name, "hashed", HashedEmbedder()) as writer:
            assert not writer.put(documents)
            writer.publish(Silent())

    at("a")
    write(CATS, DOGS)
    at_home = answers(name)
    share(name, cloud.address)
    assert answers(name) == at_home
    monkeypatch.setenv("BACKTRAIL_STORE", str(cloud.address))
    at("b")
    assert answers(name) == at_home

    with open_writer(name, "hashed", HashedEmbedder()) as writer:  # of two publishers one wins
        writer.put([SECRET])
        at("a")
        write(prepared("birds", [("birds sing", [])]))
        at("b")
        with pytest.raises(PublishConflict):
            writer.publish(Silent())
    write(SECRET)
    before = answers(name)
    with cloud.away():
        with pytest.raises(StoreUnavailable, match=str(cloud.address)):
            write(prepared("fish", [("fish swim", [])]))
        assert answers(name) == before
    assert [path for path, content in cloud.objects().items() if b"zanzibar" in content]
    delete_documents(name, ["birds", "secret"], opened=HashedEmbedder())
    assert not [path for path, content in cloud.objects().items() if b"zanzibar" in content]

    at("a")
    sync_mirror(name)
    assert answers(name) == at_home
    assert check(name) == []
    move_home(name)
    assert answers(name) == at_home
    assert not [path for path in cloud.objects() if path.endswith((".lance", ".manifest"))]


@pytest.mark.long
def test_writers_of_one_table_lose_nothing_to_each_other(cloud: Cloud) -> None:
    """The store refuses a version with a used number (a conditional put); Lance then takes the next one."""
    arrow = open_arrow()
    place, schema = cloud.address.place("crowd.lance"), arrow.schema([arrow.field(ROW, arrow.int64())])
    LanceTable.make(cloud.address, place, schema)
    together = threading.Barrier(4)

    def add(number: int) -> None:
        table = LanceTable.open(cloud.address, place)
        together.wait()
        table.append([arrow.table({ROW: [number]}, schema)])

    writers = [threading.Thread(target=add, args=(number,)) for number in range(4)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert sorted(LanceTable.open(cloud.address, place).numbers().tolist()) == [0, 1, 2, 3]
