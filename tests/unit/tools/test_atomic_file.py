"""Files that are replaced: whole, or as they were."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from backtrail.tools.atomic_file import replacing, write_atomically


def test_a_file_is_replaced_and_may_be_read_by_whom_the_user_lets(tmp_path: Path) -> None:
    file = tmp_path / "new" / "report.md"
    before = os.umask(0o027)
    try:
        write_atomically(file, "grün\n")
        write_atomically(file, b"blau\n", durable=True)
    finally:
        os.umask(before)
    assert file.read_text(encoding="utf-8") == "blau\n"
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(file.parent.iterdir()) == [file]


def test_after_an_error_the_file_is_as_it_was_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    file = tmp_path / f"{'long' * 60}.json"
    write_atomically(file, "whole")
    with pytest.raises(ValueError, match="as they came"), replacing(file) as written:
        written.writelines(_failing())
    assert file.read_text(encoding="utf-8") == "whole"
    assert list(tmp_path.iterdir()) == [file]


def _failing() -> Iterator[bytes]:
    yield b"ha"
    raise ValueError("as they came")


def test_two_that_write_side_by_side_do_not_meet(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    with replacing(file) as first, replacing(file) as second:
        first.write(b"first")
        second.write(b"second")
    assert file.read_bytes() == b"first"  # it ended last
    assert list(tmp_path.iterdir()) == [file]
