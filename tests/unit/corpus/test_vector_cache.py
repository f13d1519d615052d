"""Vectors kept by hash: whatever is done, killed or was written by an earlier version, no hash has another's vector."""

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.tools.corpus.writing import hash_rows
from backtrail.tools.corpus.writing.vector_cache import VectorCache

TOLD = st.lists(st.integers(0, 60), min_size=1, max_size=9)
CHANGES = st.lists(st.tuples(st.sampled_from(["put", "keep", "reopen"]), TOLD), max_size=15)


class Killed(BaseException):
    """Stands for the end of the process."""


def key(number: int) -> bytes:
    """A hash. Each four share the bits that they are found by."""
    return ((number // 4 + 1) * 0x9E3779B1 % 2**32).to_bytes(4) + number.to_bytes(12)


def vectors(numbers: list[int]) -> np.ndarray:
    return np.array([[number, number / 2] for number in numbers], np.float32).reshape(-1, 2)


def opened(folder: Path) -> VectorCache:
    return VectorCache(folder, "f", 2)


def put(cache: VectorCache, numbers: list[int]) -> None:
    cache.put([key(one) for one in numbers], vectors(numbers))


def assert_holds(cache: VectorCache, numbers: set[int]) -> None:
    held = sorted(numbers)
    assert cache.known([key(number) for number in range(70)]) == {key(number) for number in held}
    assert sorted(cache.hashes()) == sorted(map(key, held))
    assert np.array_equal(cache.get([key(number) for number in held]), vectors(held))


@pytest.fixture(autouse=True)
def small_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hash_rows, "_KEPT", 8)
    monkeypatch.setattr(os, "fsync", lambda _: None)  # no power fails here


@settings(max_examples=30, deadline=None)
@given(CHANGES)
def test_any_changes_leave_what_a_dictionary_would_hold(changes: list[tuple[str, list[int]]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder, expected = Path(place), set[int]()
        cache, other = opened(folder), opened(folder)
        for change, numbers in changes:
            if change == "put":
                put(cache, numbers)
                expected.update(numbers)
            elif change == "keep":
                gone = cache.keep_only([[key(one)] for one in numbers])
                assert gone == len(expected) - len(expected & set(numbers))
                expected &= set(numbers)
            else:
                cache = opened(folder)
            assert_holds(cache, expected)
            assert_holds(other, expected)
        assert cache.file.stat().st_size == 8 * len(expected)


def test_a_vector_that_is_missing_is_told_of(tmp_path: Path) -> None:
    cache = opened(tmp_path)
    put(cache, [1, 2])
    with pytest.raises(KeyError):
        cache.get([key(1), key(3)])
    with pytest.raises(ValueError, match="hashes of 16 bytes"):
        cache.known([b"short"])
    with pytest.raises(ValueError, match="1 vectors of 2 values"):
        cache.put([key(5)], vectors([5, 6]))
    assert cache.get([]).shape == (0, 2)


@pytest.mark.parametrize("step", range(7))
def test_killed_while_forgetting(step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, kept = opened(tmp_path), {1, 20, 36, 37, 38, 39}
    put(cache, list(range(40)))
    assert any(key(8)[:4] in file.read_bytes() for file in tmp_path.glob("*.codes"))
    dies_at(monkeypatch, step, "fsync", "truncate")
    with suppress(Killed):  # the last take more steps than there are
        cache.keep_only([[key(one) for one in kept]])
    monkeypatch.undo()
    cache = opened(tmp_path)
    held = [number for number in range(40) if cache.known([key(number)])]
    assert kept <= set(held)
    assert np.array_equal(cache.get([key(number) for number in held]), vectors(held))
    cache.keep_only([[key(one) for one in kept]])
    assert_holds(cache, kept)
    assert cache.file.stat().st_size == 8 * len(kept)
    assert not any(key(8)[:4] in file.read_bytes() for file in tmp_path.iterdir())


def dies_at(monkeypatch: pytest.MonkeyPatch, step: int, *names: str) -> None:
    """Have the process end before the step-th use of functions of the system."""
    left = iter(range(step))

    def run(*given: Any, real: Any) -> Any:
        if next(left, None) is None:
            raise Killed
        return real(*given)

    for name in names:
        monkeypatch.setattr(os, name, partial(run, real=getattr(os, name)))


def test_what_a_killed_writer_left_is_written_over(tmp_path: Path) -> None:
    cache = opened(tmp_path)
    put(cache, [1, 2, 3])
    hashes = cache.file.with_suffix(".hashes")
    for file in (cache.file, hashes):
        file.write_bytes(file.read_bytes() + b"half")
    put(opened(tmp_path), [4])
    assert_holds(opened(tmp_path), {1, 2, 3, 4})
    os.truncate(cache.file, 20)  # as a disk that lost its power may
    cache = opened(tmp_path)
    assert_holds(cache, {1, 2})
    put(cache, [3, 9])
    assert_holds(opened(tmp_path), {1, 2, 3, 9})


def test_two_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    def work(first: int) -> None:
        cache = opened(tmp_path)
        for number in range(first, first + 40):
            put(cache, [number, number + 1])

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, (0, 20)))
    assert_holds(opened(tmp_path), set(range(61)))
    runs = list(tmp_path.glob("*.codes"))
    assert runs
    for run in runs:
        run.unlink()
    assert_holds(opened(tmp_path), set(range(61)))  # runs that are lost are made again


def test_other_embedders_vectors_are_removed(tmp_path: Path) -> None:
    put(VectorCache(tmp_path, "other", 2), [1])
    (tmp_path / "vectors-0123456789abcdef.sqlite").touch()
    cache = opened(tmp_path)
    put(cache, [1])
    cache.remove_others()
    assert {file.name.split(".")[0] for file in tmp_path.iterdir()} == {cache.file.stem}
    assert_holds(cache, {1})
