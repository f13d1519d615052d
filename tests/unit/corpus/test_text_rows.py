"""Ids on disk are found like those of a list, whatever they are, also where their hashes are equal."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.tools.arrays import text_rows as stored
from backtrail.tools.arrays.text_rows import open_text_rows, text_rows
from backtrail.tools.arrays.write_text_rows import TextRowsWriter, write_text_rows

texts = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=6), unique=True, max_size=12)


@given(before=texts, new=texts, stays=st.lists(st.booleans(), min_size=12, max_size=12), alike=st.booleans())
def test_what_stays_and_what_is_new_is_found(
    before: list[str], new: list[str], stays: list[bool], alike: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
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
        assert found.codes.tolist() == text_rows(wanted).codes.tolist()


def test_files_that_do_not_fit_are_told(tmp_path: Path) -> None:
    write_text_rows(tmp_path, "ids", [["a", "b"]])
    (tmp_path / "ids.utf8").write_bytes(b"a")
    with pytest.raises(ValueError, match="do not fit"):
        open_text_rows(tmp_path, "ids")
