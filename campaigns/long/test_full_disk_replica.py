"""Full disk of a machine that mirrors a shared corpus: it answers from its mirror, and follows later."""

from __future__ import annotations

import hashlib
import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.small_disk import SmallDisk, small_disk
from fixtures.tiny_corpora import prepared
from fixtures.unfollowed import follow_nothing

pytest.importorskip("lance", reason="pylance is not installed; pip install -e '.[scale]' brings it.")

from backtrail.state.component import Picture
from backtrail.tools.corpus import open as opened
from backtrail.tools.corpus.errors import CorpusDiskFull
from backtrail.tools.corpus.manage import check
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.storage import noted
from backtrail.tools.corpus.store import follow_updates, pull
from backtrail.tools.corpus.store.sync_mirror import sync_mirror
from backtrail.tools.corpus.writing.progress import Silent

FOLLOW = follow_updates._keep_following
FREE_KILOBYTES = (0, 640)
OF_SQLITE = ("-wal", "-shm", "-journal")
PICTURE = 1_000_000


@pytest.fixture
def replica(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallDisk]:
    (tmp_path / "store").mkdir()
    monkeypatch.setenv("BACKTRAIL_STORE", f"lance:{tmp_path / 'store'}")
    follow_nothing(monkeypatch)
    with small_disk(tmp_path / "disk", "12m") as disk:
        yield disk


@pytest.fixture
def publish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function by which another machine, with disk space, publishes a document with a picture."""

    def document(id_: str) -> None:
        monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "writer"))
        picture = random.Random(id_).randbytes(PICTURE)
        name = hashlib.sha256(picture).hexdigest()
        whole = prepared(id_, [(f"{id_} number {n} purrs " * 30, [f"{id_} {n} " * 20]) for n in range(20)])
        first = whole.components[0]
        shown = replace(
            first, component=first.component.model_copy(update={"modality": "image", "image": Picture(blob=name)})
        )
        with open_writer("zoo", "hashed", HashedEmbedder()) as writer:
            assert not writer.put([replace(whole, components=[shown, *whole.components[1:]], blobs={name: picture})])
            writer.publish(Silent())
        monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "disk"))

    return document


def held() -> set[str]:
    corpus = open_corpus("zoo", embedder=HashedEmbedder())
    return {hit["id"] for hit in corpus.search_documents(corpus.embed(["cats"]), "document", 9)}


def close() -> None:
    """Close everything, as when the process ends, so that SQLite removes the files beside its database."""
    for engine in opened._engines.values():
        engine.dispose()
    opened._engines.clear()


def files(disk: SmallDisk) -> set[Path]:
    """Return all files except the one that fills the disk, and those of SQLite beside an open database."""
    found = (file for file in disk.folder.rglob("*") if file.is_file() and file.name != "filling")
    return {file for file in found if not file.name.endswith(OF_SQLITE)}


def whole_picture(file: Path) -> bool:
    return file.parent.parent.name == "blobs" and hashlib.sha256(file.read_bytes()).hexdigest() == file.name


@pytest.mark.long
def test_a_publication_that_finds_no_room_changes_nothing_and_comes_later(
    replica: SmallDisk, publish: Callable[[str], None]
) -> None:
    publish("cats")
    with replica.filled(64), pytest.raises(CorpusDiskFull):
        held()  # nothing is mirrored yet
    assert held() == {"cats"}
    there = {"cats"}
    for free in FREE_KILOBYTES:
        publish(f"dogs{free}")
        number, before = getattr(noted("zoo"), "number", 0), files(replica)
        with replica.filled(free):
            with pytest.raises(CorpusDiskFull, match="Nothing that was stored before is lost"):
                sync_mirror("zoo")
            assert held() == there
            close()
            assert held() == there  # also in a new process
            assert getattr(noted("zoo"), "number", 0) == number
            assert [file for file in files(replica) - before if not whole_picture(file)] == []
            assert before <= files(replica)
        sync_mirror("zoo")
        there.add(f"dogs{free}")
        assert held() == there
        assert check("zoo") == []


@pytest.mark.long
def test_a_disk_that_is_full_when_all_is_copied(
    replica: SmallDisk, publish: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    publish("cats")
    assert held() == {"cats"}
    publish("dogs")
    whole = pull.pull
    with ExitStack() as full, monkeypatch.context() as patch:

        def pull_and_fill(*given: Any) -> None:
            whole(*given)
            full.enter_context(replica.filled(0))

        patch.setattr(pull, "pull", pull_and_fill)
        with pytest.raises(CorpusDiskFull):
            sync_mirror("zoo")
        assert not list(replica.folder.rglob(".store.json.*"))
        assert held() == {"cats", "dogs"}
    sync_mirror("zoo")
    assert held() == {"cats", "dogs"}
    assert check("zoo") == []


@pytest.mark.long
def test_what_is_wrong_is_said_once_and_followed_when_there_is_room(
    replica: SmallDisk,
    publish: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("BACKTRAIL_STORE_POLL", "0.02")
    publish("cats")
    assert held() == {"cats"}
    publish("dogs")
    tries = list[str]()

    def bring(name: str, *, patience: float = 0.0) -> None:
        tries.append(name)
        sync_mirror(name, patience=patience)

    monkeypatch.setattr(follow_updates, "sync_mirror", bring)
    with caplog.at_level(logging.WARNING), replica.filled(128):
        FOLLOW("zoo")
        assert waited(lambda: len(tries) > 3)
        assert held() == {"cats"}
        [said] = caplog.messages
        assert "is read from its mirror" in said
        assert "No space left" in said
    assert waited(lambda: len(caplog.messages) > 1)
    assert held() == {"cats", "dogs"}
    assert caplog.messages[1:] == ["Corpus 'zoo' can be followed again."]


def waited(for_: Callable[[], bool]) -> bool:
    """Return whether a condition became true within half a minute."""
    return any(for_() or time.sleep(0.02) for _ in range(1500))
