"""Letters by their probabilities: in the right place, with the right tokens, with an adapter too."""

import json
import shutil
from pathlib import Path
from typing import Any, Literal

import pytest
from fixtures.local_models import CHATS_WITH_PICTURES, Checkpoints, shown
from fixtures.optional_packages import skip_without
from fixtures.tiny_vlm import picture, save_adapter, save_text_model
from langchain_core.messages import BaseMessage, HumanMessage
from pydantic import BaseModel, Field

from backtrail.prompts.render import Rendered
from backtrail.state.budget import Allowance
from backtrail.state.decision import Decision
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import BudgetExhausted, DecisionFailed, PictureAttachment
from backtrail.tools.local.chat import open_local_chat
from backtrail.tools.local.errors import CheckpointBroken
from backtrail.tools.local.letters import choose_letter, letter_tokens
from backtrail.tools.local.prompt import make_prompt, read_turns, reply_opening

skip_without("torch", "transformers")

LETTERS = ("A", "B", "C", "D")
ASKED: list[BaseMessage] = [HumanMessage("Which path? Reply with one letter.")]


class Query(BaseModel):
    question: str


class Option(BaseModel):
    option: Literal["A", "B", "C", "D"]
    probabilities: dict[str, float] = Field(default_factory=dict)


CHOOSE = Decision("choose_path", Query, Option, "planner")


@pytest.fixture(autouse=True)
def prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    rendered = Rendered("Choose a path.", "A none, B picture, C text, D both", "hash")
    monkeypatch.setattr("backtrail.tools.local.letter_decider.render", lambda name, inputs: rendered)


def placed(folder: Path) -> tuple[str, list[str]]:
    """Where the letters would be written, and their tokens as written."""
    loaded = open_local_chat(folder).engine.loaded
    turns, pictures = read_turns(ASKED, loaded)
    start = make_prompt(loaded, turns, pictures)
    start, tokens = letter_tokens(loaded, start, [reply_opening(loaded, turns, start, letter) for letter in LETTERS])
    return start.text, loaded.tokenizer.convert_ids_to_tokens(tokens)


@pytest.mark.parametrize("name", CHATS_WITH_PICTURES)
async def test_the_picture_decides_with(name: str, checkpoints: Checkpoints) -> None:
    model = open_local_chat(checkpoints[name])
    chosen = [await choose_letter(model, shown("Which path?", picture(colour)), LETTERS) for colour in ("red", "blue")]
    for choice in chosen:
        assert tuple(choice.probabilities) == LETTERS
        assert sum(choice.probabilities.values()) == pytest.approx(1)
        assert 0 < choice.total_probability < 1
        assert choice.output_tokens == 1
    assert chosen[0].probabilities != chosen[1].probabilities


async def test_they_are_the_models_own(checkpoints: Checkpoints) -> None:
    import torch

    model = open_local_chat(checkpoints["text"])
    choice = await choose_letter(model, ASKED, LETTERS)
    loaded = model.engine.loaded
    ids = loaded.tokenizer(model.request(ASKED).prompt.text, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        whole = torch.softmax(loaded.model(ids).logits[0, -1].float(), dim=-1)
    shares = whole[loaded.tokenizer.convert_tokens_to_ids(list(LETTERS))]
    assert choice.total_probability == pytest.approx(float(shares.sum()), rel=1e-4)
    assert list(choice.probabilities.values()) == pytest.approx((shares / shares.sum()).tolist(), rel=1e-4)
    assert choice.input_tokens == ids.shape[1]


def colon_template(checkpoints: Checkpoints, folder: Path, **changes: Any) -> Path:
    """A template of the LLaVA kind: ``ASSISTANT:`` opens the reply, and a space comes before it."""
    shutil.copytree(checkpoints["text"], folder)
    (folder / "chat_template.jinja").write_text(
        "{% for message in messages %}{{ message['role'].upper() }}: {{ message['content'] }} {% endfor %}"
        "{% if add_generation_prompt %}ASSISTANT:{% endif %}"
    )
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["model"].update(changes)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    return folder


def test_letters_are_the_tokens_that_the_reply_would_begin_with(checkpoints: Checkpoints, tmp_path: Path) -> None:
    save_text_model(tmp_path / "base", chat=False)
    bare, spaced = ["A", "B", "C", "D"], ["ĠA", "ĠB", "ĠC", "ĠD"]
    for folder, end, tokens in (
        (checkpoints["text"], "<s>assistant\n", bare),  # after a line break the letter stands bare
        (colon_template(checkpoints, tmp_path / "colon"), "ASSISTANT:", spaced),  # the space belongs to the letter
        (colon_template(checkpoints, tmp_path / "apart", merges=[]), "ASSISTANT: ", bare),  # a token of its own
        (tmp_path / "base", "one letter.", spaced),  # without a template the letter is the next word
    ):
        text, written = placed(folder)
        assert (text.endswith(end), written) == (True, tokens), end


async def test_a_planner_decides_with_its_probabilities_in_the_trace(checkpoints: Checkpoints) -> None:
    decider = open_decider(f"local:{checkpoints['qwen2_5_vl']}", temperature=0)
    shown = [PictureAttachment(picture(), "image/png", "question")]
    decided = await decider.decide(CHOOSE, Query(question="Who is it?"), shown)
    output = decided.output
    assert output.option == max(output.probabilities, key=output.probabilities.__getitem__)
    assert sum(output.probabilities.values()) == pytest.approx(1)
    assert decided.notes[0].startswith("probabilities of the letters: A 0.")
    assert any("together have" in note for note in decided.notes)  # it was never trained to reply with a letter
    assert decided.charge["calls"] == decided.charge["output_tokens"] == 1
    assert decided.charge["input_tokens"] > 50
    assert decided.charge["cost_usd"] == 0
    assert decided.decider == f"local:{checkpoints['qwen2_5_vl']}"


async def test_a_refused_letter_gives_way_to_the_next(checkpoints: Checkpoints) -> None:
    decider = open_decider(f"local:{checkpoints['text']}", temperature=0)
    first = (await decider.decide(CHOOSE, Query(question="?"))).output

    def check(inputs: Query, output: Option) -> list[str]:
        return [f"{output.option} needs a picture."] if output.option == first.option else []

    decided = await decider.decide(Decision("choose_path", Query, Option, "planner", check), Query(question="?"))
    second = sorted(first.probabilities, key=first.probabilities.__getitem__)[-2]
    assert decided.output.option == second
    assert f"the letter {first.option} was refused: {first.option} needs a picture." in decided.notes


async def test_no_letter_is_accepted(checkpoints: Checkpoints) -> None:
    decider = open_decider(f"local:{checkpoints['text']}", temperature=0)
    decision = Decision("choose_path", Query, Option, "planner", lambda inputs, output: ["No path is open."])
    with pytest.raises(DecisionFailed, match="No path is open") as caught:
        await decider.decide(decision, Query(question="?"))
    assert caught.value.charge["calls"] == 1


async def test_the_budget_is_asked_first(checkpoints: Checkpoints) -> None:
    decider = open_decider(f"local:{checkpoints['text']}", temperature=0)
    with pytest.raises(BudgetExhausted) as caught:
        await decider.decide(CHOOSE, Query(question="?"), allowance=Allowance(calls=0))
    assert caught.value.ceiling == "calls"


def test_an_adapter_of_another_model_or_without_some_weights(checkpoints: Checkpoints, tmp_path: Path) -> None:
    pytest.importorskip("peft")
    from safetensors.torch import load_file, save_file

    save_adapter(checkpoints["qwen3_vl"], tmp_path / "adapter")
    weights = load_file(tmp_path / "adapter" / "adapter_model.safetensors")
    save_file(dict(list(weights.items())[2:]), tmp_path / "adapter" / "adapter_model.safetensors")
    with pytest.raises(CheckpointBroken, match="missing adapter keys"):
        open_local_chat(tmp_path / "adapter")
    config = json.loads((tmp_path / "adapter" / "adapter_config.json").read_text())
    config["target_modules"] = ["no_such_part"]
    (tmp_path / "adapter" / "adapter_config.json").write_text(json.dumps(config))
    with pytest.raises(CheckpointBroken, match="base_model_name_or_path"):
        open_local_chat(tmp_path / "adapter")
