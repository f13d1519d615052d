"""Parsers that changed are told from those before without a number that somebody has to raise."""

import ast
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

from backtrail.ingest.parse_cache import parser_digest as known

CHECKOUT = Path(__file__).parents[3]
NO_PARSERS = ("ingest/parse_cache/", "ingest/picture_words.py", "ingest/prepare_document.py", "ingest/report.py")
"""What parsers are noted, asked for pages and stored by; OCR has a fingerprint of its own."""
NOT_READ_WITH = {"errors", "home", "frontier_store", "protocol"}
"""Tools that say what goes wrong, which folder is passed over, or what a thing looks like."""


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


def test_every_library_for_parsing_is_known() -> None:
    after = (CHECKOUT / "pyproject.toml").read_text().partition("# parsing\n")[2].partition("# search of the web")[0]
    listed = tomllib.loads(f"found = [\n{after}\n]")["found"]
    assert {Requirement(one).name.lower() for one in listed} == set(known.LIBRARIES)


def test_every_tool_that_parsers_use_is_known() -> None:
    seen, waiting, tools = set[str](), ["ingest/parsing/file.py", "ingest/bundles/parse.py"], set[str]()
    while waiting:
        file = waiting.pop()
        if file in seen or file.startswith(NO_PARSERS):
            continue
        seen.add(file)
        for name in _imported(file):
            (tools.add if name.startswith("tools/") else waiting.append)(name)
    assert len(seen) > 150
    used = {name for name in tools if Path(name).stem not in NOT_READ_WITH}
    assert used == {Path(str(tool.__file__)).resolve().relative_to(CHECKOUT).as_posix() for tool in known.TOOLS}


def _imported(file: str) -> set[str]:
    """Files of the checkout that one imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse((CHECKOUT / file).read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("backtrail."):
            top = str(node.module).removeprefix("backtrail.").replace(".", "/")
            names = (f"{top}.py", *(f"{top}/{one.name}.py" for one in node.names))
            found.update(name for name in names if (CHECKOUT / name).is_file())
    return found
