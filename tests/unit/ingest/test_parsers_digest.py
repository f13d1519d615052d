"""Parsers that changed are told from those before without a number that somebody has to raise."""

from pathlib import Path
from types import ModuleType

import pytest

from backtrail.ingest.parse_cache import parser_digest as known


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    module = ModuleType("parsers_of_test")
    module.__path__ = [str(tmp_path)]
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "parse.py").write_text("WIDE = 1\n")
    monkeypatch.setattr(known, "_ROOMS", (module,))
    return tmp_path


def test_another_source_or_library_gives_another_digest(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digests = [known.parsers.__wrapped__(), known.parsers.__wrapped__()]
    (room / "below" / "parse.py").write_text("WIDE = 2\n")
    digests.append(known.parsers.__wrapped__())
    (room / "below" / "parse.py").rename(room / "parse.py")
    digests.append(known.parsers.__wrapped__())
    monkeypatch.setattr(known, "version", lambda library: "99" if library == "lxml" else "1")
    digests.append(known.parsers.__wrapped__())
    assert digests[0] == digests[1]
    assert len(set(digests)) == 4
