"""Vectors that stay are not copied: generations share a file, and each sees its own rows of it."""

from pathlib import Path

import numpy as np
import pytest
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import prepared

from backtrail.tools.corpus.generation import generation_folder, open_generation
from backtrail.tools.corpus.manage import check
from backtrail.tools.corpus.writing.vector_cache import VectorCache


def document(number: int, text: str = ""):
    return prepared(f"d{number}", [(text or f"text number {number}", [f"piece {number}"])], version=text)


def file_of(home: Path, generation: int) -> Path:
    return generation_folder(home / "corpora" / "tiny", generation) / "components.npy"


def assert_searched(corpus, embedder: HashedEmbedder, texts: dict[str, str]) -> None:
    assert np.allclose(corpus.vectors(list(texts), "component"), embedder.embed(list(texts.values())), atol=1e-6)


def test_generations_share_a_file_and_see_their_own_rows(store, home: Path, embedder, monkeypatch) -> None:
    texts = {f"d{n}#0": f"text number {n}" for n in range(9)}
    first = store([document(n) for n in range(9)])
    second = store([document(3, "rewritten")], delete=["d8"])
    assert file_of(home, 1).stat().st_ino == file_of(home, 2).stat().st_ino
    assert_searched(first, embedder, texts)
    del texts["d8#0"]
    assert_searched(second, embedder, texts | {"d3#0": "rewritten"})
    third = store([document(20)])  # goes behind the row of d8, which readers of the first still have
    assert_searched(first, embedder, {"d8#0": "text number 8"})
    assert_searched(third, embedder, texts | {"d3#0": "rewritten", "d20#0": "text number 20"})
    assert check("tiny") == []
    size = file_of(home, 3).stat().st_size
    with monkeypatch.context() as patched:
        patched.setattr(VectorCache, "get", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            store([document(21)])
    assert file_of(home, 3).stat().st_size == size, "a failed write leaves the shared file as long as it was"
    with file_of(home, 3).open("r+b") as file:
        file.truncate(300)
    with pytest.raises(ValueError, match="is truncated"):
        open_generation(home / "corpora" / "tiny", 3)


def test_what_a_killed_writer_left_behind_the_vectors_is_written_over(store, home: Path, embedder) -> None:
    before = store([document(n) for n in range(9)])
    with file_of(home, 1).open("ab") as file:
        file.write(b"half a vector of nobody")
    after = store([document(9)])
    texts = {f"d{n}#0": f"text number {n}" for n in range(9)}
    assert_searched(before, embedder, texts)
    assert_searched(after, embedder, texts | {"d9#0": "text number 9"})
    held = open_generation(home / "corpora" / "tiny", 2).components.vectors
    assert file_of(home, 2).stat().st_size - 4 * held.shape[0] * held.shape[1] == 128  # the header alone besides


def test_a_file_system_without_links_has_copies(store, home: Path, embedder, monkeypatch) -> None:
    def no_links(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    store([document(n) for n in range(9)])
    monkeypatch.setattr("os.link", no_links)
    corpus = store([document(9)])
    assert file_of(home, 1).stat().st_ino != file_of(home, 2).stat().st_ino
    assert_searched(corpus, embedder, {f"d{n}#0": f"text number {n}" for n in range(10)})


def test_dead_rows_are_left_behind_before_they_are_many(store, home: Path, embedder) -> None:
    corpus = store([document(n) for n in range(10)])
    for version in range(1, 9):
        corpus = store([document(0, f"version {version}"), document(1, f"also {version}")])
        held = open_generation(home / "corpora" / "tiny", version + 1).components.vectors
        assert held.shape[0] == 10
        assert len(getattr(held, "file", held)) <= 14  # at most a quarter of them dead
    assert_searched(corpus, embedder, {"d0#0": "version 8", "d1#0": "also 8", "d5#0": "text number 5"})
