"""Forms and tools of clients: a method's own settings, with choices."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from backtrail.graphs.methods import METHODS
from backtrail.graphs.serving import forms
from backtrail.state.settings import Settings
from backtrail.tools.access import choices
from backtrail.tools.access.choices import Choices, look_up_choices
from backtrail.tools.access.policy.file import policy_file

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("method", METHODS)
def test_a_form_holds_every_section_that_its_nodes_read(method: str) -> None:
    """A section that a method's own nodes name, and that its form has not, could not be set on a server."""
    graph = importlib.import_module(f"backtrail.graphs.{method}").graph
    shown = set((graph.get_context_jsonschema() or {})["properties"])
    own = METHODS[method].settings
    assert {"corpus", "reader", "k", "budget", "offline"} <= shown
    assert (own in shown) if own else True
    rooms = [room for room in (ROOT / "nodes").iterdir() if room.is_dir() and room.name == (own or method)]
    code = "".join(file.read_text() for room in rooms for file in room.rglob("*.py"))
    for section in {one.settings for one in METHODS.values()} | {"web"}:
        if section and f"settings.{section}." in code:
            assert section in shown, section


def test_what_may_be_chosen_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "_held", Choices(("handbook",), ("openai:gpt-5-mini",)))
    properties = forms.form_of(METHODS["fif"], Settings.model_json_schema())["properties"]
    assert properties["corpus"]["enum"] == ["handbook"]
    assert properties["reader"]["enum"] == ["offline", "openai:gpt-5-mini"]
    assert properties["corpus"]["description"]


def test_choices_are_what_the_host_names_and_no_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "_held", Choices())
    policy_file().parent.mkdir(parents=True, exist_ok=True)
    for models, offered in (("'offline', 'openai:m'", ("offline", "openai:m")), ("'openai:*'", ())):
        policy_file().write_text(f"[everyone]\nmodels = [{models}]")
        look_up_choices()
        assert choices.choices().models == offered
