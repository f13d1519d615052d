"""Training of planners: whole and merged checkpoints, too long rows, four-bit weights, two processes."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fixtures.finetuning import PICTURES, QUESTION, TINY, Made, load_file, made_checkpoint, weights
from fixtures.local_models import Checkpoints
from fixtures.tiny_planner import drawn

from backtrail.state.vqa_planner.decisions import CHOOSE_PATH, ChoosePathInputs
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.training.errors import FinetuneError
from backtrail.training.finetune.run import Job, finetune
from backtrail.training.finetune.settings import finetune_settings
from backtrail.training.planner_prompt import PICTURE_LABEL

torch = pytest.importorskip("torch")
for package in ("transformers", "peft", "accelerate"):
    pytest.importorskip(package)
EventAccumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator").EventAccumulator
made = made_checkpoint


@pytest.mark.long
@pytest.mark.parametrize("preset", ["full", "cogplanner"])
async def test_whole_checkpoints_with_instructions_mixed_in(preset: str, made: Made, tmp_path: Path) -> None:
    told = {"messages": [{"role": "user", "content": "Name a colour."}, {"role": "assistant", "content": "Blue, say."}]}
    (tmp_path / "general.jsonl").write_text("\n".join([json.dumps(told)] * PICTURES))
    job = made.job(tmp_path / "out", "epochs=1", "gradient_checkpointing=true", "keep=best", preset=preset)
    found = finetune(replace(job, general=tmp_path / "general.jsonl"))
    assert found.steps == math.ceil(PICTURES * (2 if preset == "cogplanner" else 1) / 16)
    decider = open_decider(f"local:{found.planner}", temperature=0)
    shown = PictureAttachment(drawn(0)[0], "image/png", PICTURE_LABEL)
    decided = await decider.decide(CHOOSE_PATH, ChoosePathInputs(question=QUESTION, has_picture=True), [shown])
    assert sum(decided.output.probabilities.values()) == pytest.approx(1)


@pytest.mark.long
def test_rows_that_are_too_long_are_left_out_and_named(made: Made, tmp_path: Path) -> None:
    said = {"role": "assistant", "content": "Blue."}
    long = {"id": "r1", "messages": [{"role": "user", "content": "é" * 40_000}, said]}
    short = {"id": "r2", "messages": [{"role": "user", "content": "Name a colour."}, said]}
    learned = []
    for name, rows in (("with", [short, long]), ("without", [short])):
        file = tmp_path / f"{name}.jsonl"
        file.write_text("\n".join(map(json.dumps, rows)))
        job = Job(made.base, file, tmp_path / name, finetune_settings("lora", [*TINY, "epochs=2", "rank=4"]))
        learned.append(finetune(replace(job, validation=file)))
    assert list(learned[0].left_out) == ["r1"]
    assert learned[0].left_out["r1"] > 16_384
    assert learned[1].left_out == {}
    assert learned[0].measures["loss"] == pytest.approx(learned[1].measures["loss"], rel=1e-4)
    before, after = (weights(one.planner) for one in learned)
    assert all(torch.allclose(before[name], after[name], atol=1e-5) for name in before)


@pytest.mark.long
async def test_the_merged_checkpoint_decides_as_the_adapter_does(made: Made, tmp_path: Path) -> None:
    found = finetune(made.small(tmp_path / "out", "epochs=1", "merged=true"))
    shown = PictureAttachment(drawn(0)[0], "image/png", PICTURE_LABEL)
    asked = ChoosePathInputs(question=QUESTION, has_picture=True)
    decided = [
        await open_decider(f"local:{folder}", temperature=0).decide(CHOOSE_PATH, asked, [shown])
        for folder in (found.planner, found.planner.with_name("merged"))
    ]
    either, merged = (one.output.probabilities for one in decided)
    assert list(merged.values()) == pytest.approx(list(either.values()), abs=1e-4)
    beside = {one.name for one in found.planner.with_name("merged").iterdir()}
    assert beside >= {"config.json", "tokenizer.json", "chat_template.jinja", "preprocessor_config.json"}


@pytest.mark.long
def test_a_loss_that_falls_no_more_ends_the_training_and_its_curve_is_drawn(made: Made, tmp_path: Path) -> None:
    settings = ["epochs=50", "evaluate_every=1", "patience=2", "learning_rate=1", "report=tensorboard"]
    found = finetune(made.small(tmp_path / "out", *settings))
    losses = [one["loss"] for one in json.loads((tmp_path / "out" / "evaluations.json").read_text())]
    best = losses.index(min(losses))
    assert found.steps == best + 3  # two more, then it ends
    assert found.measures["loss"] == pytest.approx(losses[best], rel=1e-4)  # and the best weights are kept
    curves = EventAccumulator(str(tmp_path / "out" / "curves"))
    curves.Reload()
    assert [one.step for one in curves.Scalars("eval/loss")] == list(range(1, found.steps + 1))


def in_two_processes(made: Made, folder: Path, accelerate: str, settings: list[str]) -> dict[str, Any]:
    """Train by the command in two processes of the CPU, each with half of the batch; return its result."""
    told = [part for one in (*TINY, *settings, "batch=4") for part in ("--set", one)]
    train = [sys.executable, "-m", "backtrail.cli.app", "finetune", str(made.base), str(made.few), "--out", str(folder)]
    rows = ["--validation", str(made.few), "--json", "--processes", "2", "--accelerate", accelerate]
    ran = subprocess.run(
        [*train, *rows, *told],
        capture_output=True, text=True, timeout=300, check=False, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    lines = [line for line in ran.stdout.splitlines() if line.startswith("{")]  # DeepSpeed speaks there too
    assert len(lines) == 1, "more than the first process told"
    return json.loads(lines[0])


@pytest.mark.long
@pytest.mark.parametrize("accelerate", ["ddp", "fsdp", "zero3"])
def test_two_processes_learn_what_one_learns(accelerate: str, made: Made, tmp_path: Path) -> None:
    """Two processes give the same planner as one: also after a stop, with the best weights, and merged."""
    if accelerate == "zero3":
        pytest.importorskip("deepspeed")
    settings = ["epochs=1", "evaluate_every=1", "accumulation=1", "rank=4", "keep=best", "merged=true"]
    settings += ["gradient_checkpointing=true"]
    alone = finetune(made.small(tmp_path / "alone", *settings, "batch=8"))
    two = tmp_path / "two"
    told = in_two_processes(made, two, accelerate, settings)
    assert (told["steps"], told["began"]) == (alone.steps, 0) == (2, 0)
    assert told["loss"] == pytest.approx(alone.measures["loss"], rel=1e-3)
    assert_same_planner(alone.planner.parent, two)
    assert_same_planner(alone.planner.parent, two, "merged", "model.safetensors")
    if accelerate == "ddp":
        return

    assert json.loads((two / "run.json").read_text())["division"] == accelerate
    with pytest.raises(FinetuneError, match="division was"):  # one process cannot resume from the parts of two
        finetune(made.small(two, *settings, "batch=4"))
    for name in ("planner", "merged", "checkpoints/checkpoint-2"):
        shutil.rmtree(two / name)
    (two / "result.json").unlink()
    told = in_two_processes(made, two, accelerate, settings)
    assert (told["steps"], told["began"]) == (2, 1)
    assert_same_planner(alone.planner.parent, two)


def assert_same_planner(one: Path, other: Path, part: str = "planner", file: str = "adapter_model.safetensors") -> None:
    before, after = load_file(one / part / file), load_file(other / part / file)
    assert before.keys() == after.keys()
    assert all(torch.allclose(before[name], after[name], atol=1e-4) for name in before)


@pytest.mark.long
def test_an_adapter_over_weights_in_four_bits(tmp_path: Path) -> None:
    pytest.importorskip("bitsandbytes")
    base = in_steps_of_32(Checkpoints(tmp_path)["text"])
    row = {"letters": ["A", "B"], "messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "B"}]}
    (tmp_path / "rows.jsonl").write_text("\n".join([json.dumps(row)] * 8))
    chosen = finetune_settings("qlora", [*TINY, "epochs=4", "batch=4", "merged=true"])
    rows = tmp_path / "rows.jsonl"
    found = finetune(Job(base, rows, tmp_path / "out", chosen, validation=rows))
    assert found.measures["accuracy"] == 1.0
    whole, merged = ({*load_file(folder / "model.safetensors")} for folder in (base, tmp_path / "out" / "merged"))
    assert merged == whole  # weights of the dtype that they had, and nothing of the four bits
    adapted = finetune(Job(base, rows, tmp_path / "none", finetune_settings("lora", [*TINY, "epochs=1"])))
    assert weights(adapted.planner).keys() == weights(found.planner).keys()


def in_steps_of_32(base: Path) -> Path:
    """Return the checkpoint with layers of sizes that bitsandbytes packs on a CPU."""
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.from_pretrained(base)
    config.hidden_size, config.intermediate_size, config.head_dim = 64, 64, 16
    AutoModelForCausalLM.from_config(config).save_pretrained(base)
    return base
