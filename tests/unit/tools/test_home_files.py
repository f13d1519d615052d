"""Files of the home: whole or as they were, and errors that say which and what to do."""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from typer.testing import CliRunner

from backtrail.cli.app import app
from backtrail.tools.atomic_file import replacing, write_atomically
from backtrail.tools.errors import HomeUnusable, StoredFileDamaged
from backtrail.tools.home import cache_folder, corpora_folder, home, home_of_samples, settings_file
from backtrail.tools.home_errors import home_error
from backtrail.tools.sqlite_file import connect

REMEDY = "Restore it."


def _read_only(file: Path) -> None:
    with closing(connect(file, "kept", REMEDY)) as connection:
        connection.execute("PRAGMA query_only=ON")
        connection.execute("CREATE TABLE kept (name TEXT)")


def _without_folder(file: Path) -> None:
    connect(file.parent / "absent" / file.name, "kept", REMEDY)


@pytest.mark.parametrize(("use", "problem"), [(_read_only, "readonly"), (_without_folder, "unable to open")])
def test_an_inaccessible_file_is_named(tmp_path: Path, use: Callable[[Path], None], problem: str) -> None:
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


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "disk is full"),
        (PermissionError(errno.EACCES, "Permission denied", "HOME/corpora"), "Permission denied"),
        (sqlite3.OperationalError("database or disk is full"), "disk is full"),
        (OperationalError("insert", {}, sqlite3.OperationalError("disk quota exceeded")), "disk is full"),
    ],
)
def test_trouble_with_the_home_is_said_in_one_sentence_with_what_to_do(error: Exception, said: str) -> None:
    if isinstance(error, OSError) and error.filename:
        error.filename = error.filename.replace("HOME", str(home()))
    raised = RuntimeError("somewhere above")
    raised.__cause__ = ExceptionGroup("side by side", [error])
    trouble = home_error(raised)
    assert trouble is not None
    assert said in str(trouble)
    assert str(home()) in str(trouble)
    assert "BACKTRAIL_HOME" in str(trouble) or "Free some space" in str(trouble)


def test_a_home_that_cannot_be_made_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "file" / "home"))
    result = CliRunner().invoke(app, ["ui", "--port", "0", "--no-browser"])
    assert result.exit_code == 2
    assert "BACKTRAIL_HOME" in result.stderr


def test_other_errors_keep_their_traceback(tmp_path: Path) -> None:
    assert home_error(ValueError("no")) is None
    assert home_error(PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "elsewhere"))) is None
    assert home_error(sqlite3.OperationalError("no such table: documents")) is None


@pytest.mark.parametrize("configured", [True, False])
def test_a_home_within_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, configured: bool) -> None:
    if configured:
        monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path))
    else:
        monkeypatch.delenv("BACKTRAIL_HOME")
        monkeypatch.setattr("platformdirs.user_data_dir", lambda _: str(tmp_path))
    with home_of_samples() as apart:
        assert apart == home() == tmp_path / "samples"
        assert corpora_folder() == tmp_path / "samples" / "corpora"
        assert (cache_folder(), settings_file()) == (tmp_path / "cache", tmp_path / "settings.toml")
    assert (home(), corpora_folder()) == (tmp_path, tmp_path / "corpora")
    with pytest.raises(KeyError), home_of_samples():
        raise KeyError
    assert home() == tmp_path


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
