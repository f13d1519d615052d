"""The floor plan: what stands where, whoever follows imports finds it, and no engine is imported for nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINKS = ROOT / "src" / "backtrail"
MOST_LINES = 110


def rooms() -> list[Path]:
    return sorted(link.resolve() for link in LINKS.iterdir() if link.is_symlink())


def test_every_room_of_the_package_is_linked_from_the_root() -> None:
    others = {place.name for place in LINKS.iterdir() if not place.is_symlink()}
    assert others - {"__pycache__"} == {"__init__.py", "py.typed"}
    assert rooms() == sorted(ROOT / link.name for link in LINKS.iterdir() if link.is_symlink())


def test_every_folder_with_code_says_what_it_holds() -> None:
    folders = {file.parent for room in rooms() for file in room.rglob("*.py")}
    silent = [folder for folder in folders if not (folder / "__init__.py").read_text().strip()]
    assert not silent


@pytest.mark.parametrize("file", sorted((ROOT / "graphs").glob("*.py")), ids=lambda file: file.stem)
def test_a_graph_file_fits_on_two_screens(file: Path) -> None:
    if "def build(" in file.read_text():
        assert len(file.read_text().splitlines()) <= MOST_LINES


ENGINES = (
    "backtrail.tools.local.", "backtrail.tools.deciders.batch.", "backtrail.tools.vector_stores.lance",
    "backtrail.tools.deciders.openai_chat", "backtrail.tools.access.aegra", "backtrail.training.",
)  # fmt: skip
"""Rooms and modules that are imported only when they are used."""
PACKAGES = (
    "lance", "pyarrow", "ray", "torch", "transformers", "peft", "accelerate", "llguidance", "gguf", "chromadb",
    "openai", "langchain_openai", "langchain_anthropic", "langchain_google_genai", "langchain_community",
)  # fmt: skip
IMPORT_CORE = """
import importlib, pkgutil, sys
engines, packages = sys.argv[1].split(","), sys.argv[2].split(",")
for room in ("state", "language", "rules", "prompts", "nodes", "graphs", "tools", "ingest", "evals"):
    room = importlib.import_module(f"backtrail.{room}")
    for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        if not found.name.startswith(tuple(engines)):
            importlib.import_module(found.name)
print(*(name for name in sys.modules if name in packages or name.startswith(tuple(engines))))
"""


def test_importing_the_core_loads_no_optional_engine() -> None:
    command = [sys.executable, "-c", IMPORT_CORE, ",".join(ENGINES), ",".join(PACKAGES)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == []
