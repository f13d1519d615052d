"""Arrays and ids on disk: what is read is what was written, and damage is refused."""

import ast
import hashlib
import mmap
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backtrail.tools.arrays import prefetch_rows
from backtrail.tools.arrays import text_rows as stored
from backtrail.tools.arrays.array_file import write_array
from backtrail.tools.arrays.mapped_array import load_array, map_array
from backtrail.tools.arrays.text_rows import codes_of, hashes_of, open_text_rows
from backtrail.tools.arrays.vector_rows import VectorRows, open_vectors, take
from backtrail.tools.arrays.write_text_rows import TextRowsWriter, write_text_rows
from backtrail.tools.corpus.unique_numbers import distinct

# --- arrays ------------------------------------------------------------------------------------------
ARRAYS = [
    np.arange(12, dtype=np.uint64).reshape(4, 3).T,
    np.arange(5, dtype=np.float32),
    np.zeros((0, 7), np.float32),
    np.array([True, False]),
    np.array(["ä", "long"]),
]


@pytest.mark.parametrize("array", ARRAYS)
def test_an_array_is_read_as_it_was_written(array, tmp_path, monkeypatch):
    np.save(tmp_path / "saved.npy", array)
    write_array(tmp_path / "ours.npy", array)
    # Two threads that build trees of Python's syntax at once fail each other, which is why none may be built.
    monkeypatch.setattr(ast, "literal_eval", None)
    for file in ("saved.npy", "ours.npy"):
        for held in (map_array(tmp_path / file), load_array(tmp_path / file)):
            assert held.dtype == array.dtype
            assert np.array_equal(held, array)


@pytest.mark.parametrize("content", [b"", b"no array at all", b"\x93NUMPY\x01\x00\x08\x00{'a': 1}"])
def test_what_is_no_array_or_ends_early_is_refused(content, tmp_path):
    file = tmp_path / "x.npy"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"x\.npy is "):
        map_array(file)
    write_array(file, np.arange(9))
    file.write_bytes(file.read_bytes()[:-8])
    with pytest.raises(ValueError, match="mmap length"):
        map_array(file)


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 3)))
def test_each_is_given_once_and_in_order(numbers):
    given_ = np.array(numbers, np.int64)
    assert distinct(given_).tolist() == sorted(set(numbers))
    assert given_.tolist() == numbers


# --- ids on disk, also where their hashes are equal ----------------------------------------------------
texts = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=6), unique=True, max_size=12)


@given(before=texts, new=texts, stays=st.lists(st.booleans(), min_size=12, max_size=12), alike=st.booleans())
def test_what_stays_and_what_is_new_is_found(before, new, stays, alike, tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    with pytest.MonkeyPatch.context() as patch:
        if alike:
            patch.setattr(stored, "blake2b", lambda *_, digest_size: hashlib.blake2s(b"", digest_size=digest_size))
        write_text_rows(folder, "before", [before[:5], before[5:]])
        stay = np.array(stays[: len(before)], np.bool_)
        held = [text for text, stays_here in zip(before, stay, strict=True) if stays_here]
        added = [text for text in new if text not in held]
        with TextRowsWriter(folder, "now", open_text_rows(folder, "before"), stay) as out:
            out.add(added)
        found = open_text_rows(folder, "now")
        wanted = held + added
        assert list(found) == wanted
        assert found[1:4] == wanted[1:4]
        asked = [*new, *before]
        assert found.find(asked) == {text: wanted.index(text) for text in asked if text in wanted}
        assert found.row_of("never there, as it is too long") is None
        rows = list(range(len(wanted)))[::-2]
        assert found.take(rows) == [wanted[row] for row in rows]
        assert found.codes.tolist() == codes_of(hashes_of(wanted)).tolist()


# --- reading ahead -----------------------------------------------------------------------------------
@pytest.fixture
def file(tmp_path: Path) -> Path:
    np.save(tmp_path / "rows.npy", np.random.default_rng(1).normal(size=(500, 300)).astype(np.float32))
    return tmp_path / "rows.npy"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.integers(0, 399), max_size=60), shared=st.booleans())
def test_the_pages_of_the_rows_are_asked_for_once(file, rows, shared):
    stored = open_vectors(file.parent, "rows")
    assert isinstance(stored, np.ndarray)
    vectors = VectorRows(stored, np.arange(100, 500)[::-1]) if shared else stored[50:]
    slots = [499 - row for row in rows] if shared else [50 + row for row in rows]
    begin = file.stat().st_size - stored.nbytes
    expected: set[int] = set()
    for slot in slots:
        first = begin + 1_200 * slot
        expected |= {first // mmap.PAGESIZE, (first + 1_199) // mmap.PAGESIZE}
    with patch.object(prefetch_rows, "LARGE", 0), patch.object(prefetch_rows, "_ask") as asked:
        found = take(vectors, np.array(rows, np.int64))
        pages = [
            page
            for first, length in (call.args[1:] for call in asked.mock_calls)
            for page in range(first // mmap.PAGESIZE, (first + length) // mmap.PAGESIZE)
        ]
    assert np.array_equal(found, np.load(file)[slots])
    assert pages == sorted(expected)
