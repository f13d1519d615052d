"""The floor plan: what stands where, and that whoever follows imports finds it."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINKS = ROOT / "src" / "backtrail"
MOST_FILES = 30
MOST_LINES = 100


def rooms() -> list[Path]:
    return sorted(link.resolve() for link in LINKS.iterdir() if link.name != "__pycache__")


def test_every_room_of_the_package_is_linked_from_the_root() -> None:
    assert all(link.is_symlink() for link in LINKS.iterdir() if link.name != "__pycache__")
    assert rooms() == sorted(ROOT / link.name for link in LINKS.iterdir() if link.name != "__pycache__")
    roots = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["root_packages"]
    assert sorted(roots) == [f"backtrail.{room.name}" for room in rooms()]


def test_every_folder_with_code_says_what_it_holds() -> None:
    folders = {file.parent for room in rooms() for file in room.rglob("*.py")}
    silent = [folder for folder in folders if not (folder / "__init__.py").read_text().strip()]
    assert not silent


def test_no_room_is_crowded() -> None:
    files = Counter(file.parent for room in rooms() for file in room.rglob("*.py") if file.name != "__init__.py")
    assert not {folder.relative_to(ROOT): count for folder, count in files.items() if count > MOST_FILES}


@pytest.mark.parametrize("file", sorted((ROOT / "graphs").glob("*.py")), ids=lambda file: file.stem)
def test_a_graph_file_fits_on_two_screens(file: Path) -> None:
    if "def build(" in file.read_text():
        assert len(file.read_text().splitlines()) <= MOST_LINES
