"""Prompts of your own stand in place of those that come along."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backtrail.evals.identity import behaviour
from backtrail.evals.reproduction.manifest import prompt_hashes
from backtrail.prompts.errors import PromptError
from backtrail.prompts.render import load_prompt, render
from backtrail.state.vqa_planner.decisions import ChoosePathInputs

OWN = """---
inputs: [question, has_picture]
source: a paper
---
# system
Say one letter.
# user
{{ question | fence }} {{ has_picture | json }}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("BACKTRAIL_PROMPTS", str(tmp_path))
    load_prompt.cache_clear()
    behaviour.cache_clear()
    yield tmp_path
    load_prompt.cache_clear()
    behaviour.cache_clear()


def test_a_prompt_of_ones_own_is_asked_with_and_the_others_stay(folder: Path) -> None:
    (folder / "vqa").mkdir()
    (folder / "vqa" / "vqa_choose_path.md").write_text(OWN)
    (folder / "README.md").write_text("Where they are from.")
    asked = render("vqa_choose_path", ChoosePathInputs(question="When?", has_picture=True))
    assert asked.system.startswith("Say one letter.")
    assert load_prompt("vqa_gold_query").file.source.startswith("ours")


def test_results_and_manifests_know_that_another_prompt_was_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, hashes = behaviour(), prompt_hashes()
    (folder / "vqa_choose_path.md").write_text(OWN)
    behaviour.cache_clear()
    assert behaviour() != before
    changed = {name for name, digest in prompt_hashes().items() if hashes.get(name) != digest}
    assert changed == {"vqa_planner/vqa_choose_path.md"}


def test_a_prompt_that_stands_for_none_or_lacks_an_input_is_refused(folder: Path, monkeypatch: Any) -> None:
    (folder / "vqa_chose_path.md").write_text(OWN)
    with pytest.raises(PromptError, match=r"vqa_chose_path\.md.*no prompt of that name"):
        load_prompt("answer")
    (folder / "vqa_chose_path.md").unlink()
    (folder / "vqa_choose_path.md").write_text(
        OWN.replace(", has_picture]", "]").replace(" {{ has_picture | json }}", "")
    )
    with pytest.raises(PromptError, match="has_picture"):
        render("vqa_choose_path", ChoosePathInputs(question="When?", has_picture=True))
    monkeypatch.setenv("BACKTRAIL_PROMPTS", str(folder / "gone"))
    load_prompt.cache_clear()
    with pytest.raises(PromptError, match="is no folder"):
        load_prompt("answer")
