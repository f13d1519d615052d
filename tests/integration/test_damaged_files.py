"""A damaged file of the home is one sentence with its name and what to do, and an exit status of its own."""

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from fixtures.command_line import run
from typer.testing import Result

from backtrail.tools.access.records import database as records
from backtrail.tools.errors import StoredFileDamaged
from backtrail.tools.home import home as home_folder

PAGE = 4096
ASK = ("ask", "When was the bridge 3 opened?", "--corpus", "bridges")
OF_A_CORPUS = [
    ("corpus", "list"), ("corpus", "check", "bridges"), ("corpus", "reindex", "bridges"),
    ("ingest", "PAGES", "--corpus", "bridges"), ASK,
]  # fmt: skip
OF_RUNS = [("trace",), ("trace", "THREAD"), ("resume", "THREAD"), ("fork", "THREAD", "--at", "1"), ASK]


def _random(file: Path) -> None:
    file.write_bytes(random.Random(7).randbytes(20_000))


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _broken_pages(file: Path) -> None:
    """The header and the tables' names are whole: only statements that read further meet it."""
    content = file.read_bytes()
    assert len(content) > 20 * PAGE
    file.write_bytes(content[:PAGE] + random.Random(7).randbytes(len(content) - PAGE))


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _foreign_log(file: Path) -> None:
    other = file.with_name("other.sqlite")
    connection = sqlite3.connect(other)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE foreign_rows (held TEXT)")
    connection.commit()
    shutil.copy(f"{other}-wal", f"{file}-wal")
    connection.close()


DAMAGES: dict[str, Callable[[Path], None]] = {
    "random": _random, "empty": _empty, "pages": _broken_pages, "folder": _folder, "log": _foreign_log,
}  # fmt: skip


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pages, and a home with their corpus and a run."""
    folder = tmp_path_factory.mktemp("stored")
    (folder / "pages").mkdir()
    for number in range(12):
        text = f"<title>Bridge {number}</title><p>The bridge {number} was opened in {1900 + number}.</p>"
        (folder / "pages" / f"{number}.html").write_text(text + "<p>It is a long bridge.</p>" * 40)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        assert run("ingest", str(folder / "pages"), "--corpus", "bridges").exit_code == 0
        assert run(*ASK).exit_code == 0
        (held,) = json.loads(run("trace", "--json").stdout)["threads"]
        (folder / "thread").write_text(held["thread_id"])
    return folder


@pytest.fixture
def home(stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(stored / "home", tmp_path / "home")
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def is_told(result: Result, file: Path) -> None:
    line = result.stderr.strip().splitlines()[-1]
    assert result.exit_code == 3, (result.exit_code, result.output)
    assert f"{file} is damaged: " in line
    assert "Restore it from a backup, or " in line


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_corpus_is_named_and_can_be_deleted_and_ingested_anew(home: Path, stored: Path, damage: str) -> None:
    file = home / "corpora" / "bridges" / "corpus.sqlite"
    DAMAGES[damage](file)
    for command in OF_A_CORPUS:
        is_told(run(*(one.replace("PAGES", str(stored / "pages")) for one in command)), file)
    assert str(file) in run("doctor").stdout.replace("\n", "")
    assert run("corpus", "delete", "bridges", "--yes").exit_code == 0
    assert run("ingest", str(stored / "pages"), "--corpus", "bridges").exit_code == 0
    assert "1903" in run(*ASK).stdout


@pytest.mark.parametrize("damage", [one for one in DAMAGES if one != "empty"])
def test_damaged_checkpoints_are_named_and_can_be_moved_away(home: Path, stored: Path, damage: str) -> None:
    thread = (stored / "thread").read_text()
    file = home / "checkpoints.sqlite"
    DAMAGES[damage](file)
    for command in OF_RUNS:
        is_told(run(*(one.replace("THREAD", thread) for one in command)), file)
    file.rename(home / "damaged")
    shutil.copytree(home / "corpora" / "bridges", home / "corpora" / "sound")
    _random(home / "corpora" / "bridges" / "corpus.sqlite")  # which costs the other corpus nothing
    assert "sound" in run("corpus", "list").stdout
    assert "1903" in run(*ASK[:3], "sound").stdout
    missing = run(*ASK[:3], "absent")
    assert (missing.exit_code, "No corpus 'absent'. Existing: bridges, sound." in missing.stderr) == (2, True)


def spend() -> None:
    """Use the server's records, and leave them as a process that ends."""
    with records.database().connect() as connection:
        connection.exec_driver_sql("SELECT * FROM backtrail_spending")
    records._sqlite(home_folder() / records.FILE).dispose()
    records._sqlite.cache_clear()


@pytest.mark.parametrize("damage", ["random", "folder", "log"])
def test_damaged_records_of_a_server_are_named_as_well(home: Path, damage: str) -> None:
    spend()
    DAMAGES[damage](home / records.FILE)
    with pytest.raises(StoredFileDamaged, match=r"is damaged: .*(Restore|Delete|Remove)") as raised:
        spend()
    assert raised.value.file == home / records.FILE
