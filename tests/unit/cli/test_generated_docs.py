"""Pages that are made from the code say what the code says."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from backtrail.cli.draw import drawing
from backtrail.cli.draw import page as drawn
from backtrail.cli.methods_page import methods_page
from backtrail.cli.reference import reference
from backtrail.graphs.methods import METHODS, find_method
from backtrail.server.langgraph_json import served
from backtrail.tools.errors import SettingsError

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("page", "made", "command"),
    [
        ("docs/cli.md", reference, "backtrail.cli.reference"),
        ("docs/methods/README.md", methods_page, "backtrail.cli.methods_page"),
    ],
)
def test_a_page_is_what_is_made_of_the_code(page: str, made: Callable[[], str], command: str, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert (ROOT / page).read_text(encoding="utf-8") == made(), f"Run: python -m {command} {page}"


def test_langgraph_json_serves_every_method() -> None:
    config = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    assert config == served(config), "Run: python -m backtrail.server.langgraph_json langgraph.json"


@pytest.mark.parametrize("method", METHODS)
def test_the_drawing_is_the_machine(method: str) -> None:
    written = drawn(ROOT / "docs" / "architecture", method).read_text(encoding="utf-8")
    assert written == drawing(method), "Run: python -m backtrail.cli.draw docs/architecture"


def test_the_readme_names_no_method_that_does_not_exist() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").partition("ethods\n")[2].splitlines()
    rows = [line.split(" | ")[0] for line in lines if line.startswith("| `")]
    assert {name for row in rows for name in re.findall("`([a-z0-9_]+)`", row)} == set(METHODS)


def test_an_unknown_method_lists_those_that_exist() -> None:
    with pytest.raises(
        SettingsError, match=r"no method 'magic'\. These exist: fif, cogplanner, vqa_planner, hm_rag, mmapg, dense"
    ):
        find_method("magic")
