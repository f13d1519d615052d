"""Errors of SQLite become typed ones that name the file; those of a statement stay what they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from backtrail.tools.errors import HomeUnusable, StoredFileDamaged
from backtrail.tools.sqlite_file import connect

REMEDY = "Restore it."


def _read_only(file: Path) -> None:
    with closing(connect(file, "kept", REMEDY)) as connection:
        connection.execute("PRAGMA query_only=ON")
        connection.execute("CREATE TABLE kept (name TEXT)")


def _without_folder(file: Path) -> None:
    connect(file.parent / "absent" / file.name, "kept", REMEDY)


@pytest.mark.parametrize(("use", "problem"), [(_read_only, "readonly"), (_without_folder, "unable to open")])
def test_an_inaccessible_file_is_named_with_what_to_do(
    tmp_path: Path, use: Callable[[Path], None], problem: str
) -> None:
    with pytest.raises(HomeUnusable, match=rf"kept\.sqlite cannot be opened or written .*{problem}.*BACKTRAIL_HOME"):
        use(tmp_path / "kept.sqlite")


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(connect(tmp_path / "kept.sqlite", "kept", REMEDY)) as connection:
        yield connection


def test_text_of_random_bytes_is_damage(connection: sqlite3.Connection) -> None:
    with pytest.raises(StoredFileDamaged, match=r"kept\.sqlite is damaged: .*Restore it\."):
        connection.execute("SELECT CAST(x'ff' AS TEXT)").fetchall()


def test_errors_of_a_statement_stay_errors_of_sqlite(connection: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        connection.execute("SELECT * FROM absent")
