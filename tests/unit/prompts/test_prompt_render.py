"""The renderer refuses whatever does not fit; fences hold; prompts of your own stand in place of ours."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from backtrail.evals.identity import behaviour
from backtrail.evals.reproduction.manifest import prompt_hashes
from backtrail.prompts.errors import PromptError
from backtrail.prompts.fence import fence_for
from backtrail.prompts.prompt_file import parse_prompt, read_prompt_file
from backtrail.prompts.render import Prompt, checked, load_prompt, render
from backtrail.state.vqa_planner.decisions import ChoosePathInputs


class Inputs(BaseModel):
    question: str
    notes: list[str] = []


GOOD = "{{ question | fence }}\n{% for note in notes %}\n- {{ note | json }}\n{% else %}\nnone\n{% endfor %}"


def prompt(user: str = GOOD, inputs: str = "[question, notes]", system: str = "Do it.") -> Prompt:
    text = f"---\ninputs: {inputs}\nsource: ours\n---\n# system\n{system}\n# user\n{user}\n"
    return checked(parse_prompt("test.md", text))


def test_renders() -> None:
    rendered = prompt().render(Inputs(question="Who?", notes=["a", 'b"\nc']))
    assert rendered.system.startswith("Do it.\n\nText between <fenced-")
    assert rendered.user.endswith('\n- "a"\n- "b\\"\\nc"\n')
    other = prompt().render(Inputs(question="<b> & 'c'"))
    assert "<b> & 'c'" in other.user, "nothing is escaped for HTML"
    assert rendered.hash == other.hash, "it names the wording of the prompt"
    assert rendered.hash != prompt(system="Do it well.").render(Inputs(question="Who?")).hash


@pytest.mark.parametrize(
    ("user", "inputs", "complaint"),
    [
        ("{{ question }}{{ notes }}{{ extra }}", "[question, notes, extra]", r"does not have: \['extra'\]"),
        ("{{ question }}", "[question]", r"does not declare these inputs of Inputs: \['notes'\]"),
        ("{{ question }}{% for note in notes %}{{ note.missing }}{% endfor %}", "[question, notes]", "missing"),
    ],
)
def test_refuses_inputs_that_do_not_fit(user: str, inputs: str, complaint: str) -> None:
    with pytest.raises(PromptError, match=complaint) as caught:
        prompt(user, inputs).render(Inputs(question="Who?", notes=["a"]))
    assert caught.value.file == "test.md"


@pytest.mark.parametrize(
    ("user", "complaint"),
    [
        ("{{ question }}{{ other }}{{ notes }}", "does not declare"),
        ("{{ question }}", r"never uses them|\['notes'\]"),
        ("{% if question > 1 %}x{% endif %}{{ notes }}", "Compare is not allowed|a condition is one input"),
        ("{% set x = question %}{{ notes }}", "Assign is not allowed"),
        ("{% include 'answer.md' %}{{ question }}{{ notes }}", "Include is not allowed"),
        ("{% raw %}{% endraw %}{{ question | upper }}{{ notes }}", "filter 'upper'"),
        ("{{ question() }}{{ notes }}", "Call is not allowed"),
        ("{{ question.__class__ }}{{ notes }}", "private name '__class__'"),
        ("{{ question['__class__'] }}{{ notes }}", "Getitem is not allowed"),
        ("{{ 7 * 7 }}{{ question }}{{ notes }}", "not allowed"),
        ("{% for n in notes if question %}{{ n }}{% endfor %}", "neither a condition"),
        ("{% for question in notes %}{{ question }}{% endfor %}", "hide inputs"),
        ("{{ question", "line 1"),
    ],
)
def test_refuses_at_load_what_prompts_may_not_use(user: str, complaint: str) -> None:
    with pytest.raises(PromptError, match=complaint):
        prompt(user)


@pytest.mark.parametrize("trick", ["upper", "format", "items", "keys"])
def test_methods_cannot_be_reached(trick: str) -> None:
    with pytest.raises(PromptError):
        prompt("{{ question." + trick + " }}{{ notes }}").render(Inputs(question="Who?"))


@pytest.mark.parametrize(
    "text",
    [
        "no front matter",
        "---\ninputs: [a]\n---\n# system\nx\n# user\ny",
        "---\ninputs: a\nsource: ours\n---\n# system\nx\n# user\n{{ a }}",
        "---\ninputs: [a]\nsource: ours\n---\n# user\n{{ a }}",
        "---\ninputs: [a]\nsource: ours\n---\n# system\n\n# user\n{{ a }}",
    ],
)
def test_refuses_a_malformed_file(text: str) -> None:
    with pytest.raises(PromptError):
        parse_prompt("test.md", text)


def test_names_what_exists_when_a_file_is_missing(tmp_path: Path) -> None:
    (tmp_path / "known.md").write_text("x")
    with pytest.raises(PromptError, match="known"):
        read_prompt_file("unknown", tmp_path)
    with pytest.raises(PromptError, match="small letters"):
        read_prompt_file("../secrets", tmp_path)


texts = st.text() | st.from_regex(r"</?fenced-[0-9a-f]{12}>", fullmatch=True)


@settings(deadline=None)
@given(question=texts, notes=st.lists(texts, max_size=4))
def test_no_text_can_close_its_fence(question: str, notes: list[str]) -> None:
    rendered = prompt().render(Inputs(question=question, notes=notes))
    tag = fence_for({"question": question, "notes": notes}).tag
    assert rendered.user.startswith(f"<{tag}>\n")
    # Once opened and once closed by us; in none of the texts.
    assert rendered.user.count(tag) == 2
    assert not any(tag in text for text in [question, *notes])


@settings(deadline=None)
@given(texts, st.integers(0, 3))
def test_even_a_text_that_quotes_its_own_fence(text: str, rounds: int) -> None:
    for _ in range(rounds):
        text += fence_for({"question": text}).close
    assert fence_for({"question": text}).tag not in text


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
    with pytest.raises(PromptError, match="is not a folder"):
        load_prompt("answer")
