"""A tiny random vision-language checkpoint learns 64 pictures by LoRA, and plans for the graph afterwards."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from fixtures.annotated import annotated, question_file
from fixtures.local_models import Checkpoints
from fixtures.scripted_searches import ScriptedSearches
from fixtures.tiny_planner import COLOURS, drawn, save_planner_base
from langchain_core.messages import convert_to_openai_messages

from backtrail.evals.questions import read_questions
from backtrail.graphs.vqa_planner import build
from backtrail.state.settings import Settings
from backtrail.state.vqa_planner.decisions import CHOOSE_PATH, ChoosePathInputs
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.tools.errors import DependencyMissing, SettingsError
from backtrail.tools.home import home
from backtrail.tools.local.engine import close_engines
from backtrail.tools.local.errors import CheckpointUnsupported
from backtrail.tools.local.quantized import quantization
from backtrail.tools.toolbox import Toolbox
from backtrail.training.annotate.classes import LETTERS, PathClass
from backtrail.training.annotate.export import export
from backtrail.training.errors import FinetuneError
from backtrail.training.finetune.rows import Row, Sourced, read_rows
from backtrail.training.finetune.run import Finetuned, Job, finetune
from backtrail.training.finetune.settings import finetune_settings
from backtrail.training.finetune.watcher import Unwatched
from backtrail.training.planner_prompt import PICTURE_LABEL, planner_prompt

torch = pytest.importorskip("torch")
for package in ("transformers", "peft", "accelerate"):
    pytest.importorskip(package)
EventAccumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator").EventAccumulator

QUESTION = "What is drawn here?"
PICTURES = 64
CLASSES: dict[str, PathClass] = dict(zip(COLOURS, ("c1", "c2", "c3", "c4"), strict=True))
SETTINGS = ["epochs=7", "evaluate_every=14", "layers=all"]
TINY = ["learning_rate=0.005", "batch=16", "accumulation=1", "device=cpu"]


@dataclass(frozen=True)
class Made:
    base: Path
    rows: Path

    def job(self, folder: Path, *settings: str, preset: str = "lora") -> Job:
        chosen = finetune_settings(preset, [*TINY, *settings])
        return Job(self.base, self.rows, folder, chosen, validation=self.rows / "train.jsonl")

    def small(self, folder: Path, *settings: str) -> Job:
        """On some of the pictures only."""
        return replace(self.job(folder, "rank=4", *settings), rows=self.few, validation=self.few)

    @property
    def few(self) -> Path:
        return self.rows / "few.jsonl"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """A checkpoint, and the exported annotations of the pictures: a class for each colour."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("made")
    questions = [{"id": f"q{n}", "question": QUESTION, "image": f"{n}.png", "answers": ["x"]} for n in range(PICTURES)]
    pictures = [drawn(n) for n in range(PICTURES)]
    held = {f"{n}.png": content for n, (content, _) in enumerate(pictures)}
    file = question_file(folder / "set", questions, held)
    labels: list[PathClass | None] = [CLASSES[colour] for _, colour in pictures]
    annotations = annotated(folder / "annotations", file, read_questions(file), labels)
    export([annotations], folder / "rows", counts=dict.fromkeys(LETTERS, 16), seed=1, validation=0)
    lines = (folder / "rows" / "train.jsonl").read_text().splitlines(keepends=True)
    (folder / "rows" / "few.jsonl").write_text("".join(lines[:16]))
    messages = convert_to_openai_messages(planner_prompt(QUESTION).messages, text_format="block")
    texts = [part["text"] for message in messages for part in message["content"] if part["type"] == "text"]
    yield Made(save_planner_base(folder / "base", texts), folder / "rows")
    close_engines()
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def trained(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Finetuned:
    folder = tmp_path_factory.mktemp("trained")
    return finetune(made.job(folder, *SETTINGS))


def stored(content: bytes) -> str:
    name = hashlib.sha256(content).hexdigest()
    BlobStore(home()).put(name, content)
    return name


def load_file(file: Path) -> dict[str, Any]:
    from safetensors.torch import load_file as load

    return load(file)


def weights(planner: Path) -> dict[str, Any]:
    return load_file(planner / "adapter_model.safetensors")


def test_it_learns_the_pictures(trained: Finetuned) -> None:
    assert trained.steps == 28
    assert trained.measures["accuracy"] > 0.9
    confusion = trained.measures["confusion"]
    assert {right: sum(chosen.values()) for right, chosen in confusion.items()} == dict.fromkeys("ABCD", 16)
    told = json.loads((trained.planner.parent / "evaluations.json").read_text())
    assert [one["step"] for one in told] == [14, 28]
    assert told[1]["loss"] < told[0]["loss"]


async def test_the_graph_plans_with_what_was_saved(trained: Finetuned) -> None:
    settings = Settings(planner=f"local:{trained.planner}")
    graph = build(Toolbox(open_searches=lambda _: ScriptedSearches())).compile()
    right = 0
    for number in range(PICTURES):
        content, colour = drawn(number)
        values = await graph.ainvoke({"question": QUESTION, "image": stored(content)}, context=settings)
        path = values["path"]
        assert sum(path["probabilities"].values()) == pytest.approx(1, abs=1e-3)  # kept rounded
        assert path["planned"] == path["option"] == max(path["probabilities"], key=path["probabilities"].__getitem__)
        right += path["option"] == LETTERS[CLASSES[colour]]
    assert right > 0.9 * PICTURES


async def test_what_is_trained_is_what_is_asked(made: Made) -> None:
    """The probabilities over an encoded row are those that the decider reads at run time."""
    from backtrail.tools.local.checkpoint import read_checkpoint
    from backtrail.tools.local.load import load_checkpoint
    from backtrail.tools.local.options import LocalOptions
    from backtrail.training.finetune.encode import collate, encode

    sourced = read_rows(made.rows / "train.jsonl")[0]
    loaded = load_checkpoint(read_checkpoint(made.base), LocalOptions(device="cpu"))
    encoded = encode(loaded, sourced)
    batch = collate([encoded], loaded.tokenizer.pad_token_id)
    assert (batch.pop("labels") != -100).sum() == 1
    assert batch.pop("choices").tolist() == [encoded.choices]
    assert loaded.tokenizer.convert_ids_to_tokens(encoded.choices) == ["A", "B", "C", "D"]
    with torch.inference_mode():
        logits = loaded.model(**batch).logits[0, -2]
    expected = torch.softmax(logits[encoded.choices], dim=-1).tolist()
    picture = next(part for part in sourced.row.messages[1].content if part.type == "image").path  # type: ignore[union-attr]
    shown = PictureAttachment((made.rows / picture).read_bytes(), "image/png", PICTURE_LABEL)
    decider = open_decider(f"local:{made.base}", temperature=0)
    decided = await decider.decide(CHOOSE_PATH, ChoosePathInputs(question=QUESTION, has_picture=True), [shown])
    assert list(decided.output.probabilities.values()) == pytest.approx(expected, abs=1e-4)


class Stopped(Exception):
    """The process ends here."""


class StopsAt(Unwatched):
    def __init__(self, step: int) -> None:
        self.at = step
        self.seen: list[int] = []

    def step(self, done: int, steps: int) -> None:
        self.seen.append(done)
        if done == self.at:
            raise Stopped


def test_a_training_that_was_stopped_goes_on_to_the_same_end(made: Made, tmp_path: Path) -> None:
    settings = ("epochs=2", "evaluate_every=3", "batch=2", "accumulation=2")
    whole = finetune(made.small(tmp_path / "whole", *settings))
    with pytest.raises(Stopped):
        finetune(made.small(tmp_path / "cut", *settings), StopsAt(5))
    torn = tmp_path / "cut" / "checkpoints" / "checkpoint-4"
    torn.mkdir()
    (torn / "optimizer.pt").write_bytes(b"torn")
    rest = StopsAt(-1)
    resumed = finetune(made.small(tmp_path / "cut", *settings), rest)
    assert (whole.began, whole.steps) == (0, 8)
    assert (resumed.began, resumed.steps) == (3, 8)
    assert rest.seen == [3, 4, 5, 6, 7, 8]
    before, after = weights(whole.planner), weights(resumed.planner)
    assert before.keys() == after.keys()
    assert all(torch.allclose(before[name], after[name], atol=1e-5) for name in before)
    told = json.loads((tmp_path / "cut" / "evaluations.json").read_text())
    assert [one["step"] for one in told] == [3, 6, 8]


def test_a_finished_training_is_not_repeated_and_another_does_not_overwrite_it(made: Made, trained: Finetuned) -> None:
    folder = trained.planner.parent
    before = (trained.planner / "adapter_model.safetensors").stat().st_mtime_ns
    again = finetune(made.job(folder, *SETTINGS), StopsAt(1))
    assert (again.planner, again.steps, again.measures) == (trained.planner, 28, trained.measures)
    assert (trained.planner / "adapter_model.safetensors").stat().st_mtime_ns == before
    with pytest.raises(FinetuneError, match=r"settings was.*--fresh"):
        finetune(made.job(folder, *SETTINGS, "epochs=8"))


@pytest.mark.parametrize("preset", [pytest.param("full", marks=pytest.mark.long), "cogplanner"])
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


def test_replies_in_words_count_whole_and_share_a_batch(made: Made, tmp_path: Path) -> None:
    from backtrail.tools.local.checkpoint import read_checkpoint
    from backtrail.tools.local.load import load_checkpoint
    from backtrail.tools.local.options import LocalOptions
    from backtrail.training.finetune.encode import collate, encode

    loaded = load_checkpoint(read_checkpoint(made.base), LocalOptions(device="cpu"))
    said = [{"role": "user", "content": "Name a colour."}, {"role": "assistant", "content": "Blue </s> say."}]
    worded = Sourced(row=Row.model_validate({"messages": said}), folder=tmp_path)
    rows = [encode(loaded, worded), encode(loaded, read_rows(made.rows / "train.jsonl")[0])]
    assert loaded.tokenizer.decode(rows[0].reply[:-1]) == "Blue < /s> say."  # no end is smuggled in
    assert rows[0].reply[-1] == loaded.tokenizer.eos_token_id
    batch = collate(rows, loaded.tokenizer.pad_token_id)
    assert [int((line != -100).sum()) for line in batch["labels"]] == [len(rows[0].reply), 1]
    assert batch["labels"][:, -1].tolist() == [rows[0].reply[-1], rows[1].reply[0]]
    assert batch["choices"].tolist()[0] == [-1] * 4
    labels = batch.pop("labels")
    del batch["choices"]
    with torch.inference_mode():
        together = loaded.model(**batch, use_cache=False).logits[0, -1 - len(rows[0].reply) : -1]
        ids = torch.tensor([[*rows[0].inputs["input_ids"][0].tolist(), *rows[0].reply]])
        alone = loaded.model(ids, use_cache=False).logits[0, -1 - len(rows[0].reply) : -1]
    assert torch.allclose(together, alone, atol=1e-3)
    assert labels.shape == batch["input_ids"].shape == batch["attention_mask"].shape


def test_rows_and_checkpoints_that_do_not_fit(made: Made, trained: Finetuned, tmp_path: Path) -> None:
    rows = tmp_path / "train.jsonl"
    (tmp_path / "broken.png").write_bytes(b"no picture")
    reply = {"role": "assistant", "content": "A"}
    broken = {"role": "user", "content": [{"type": "image", "path": "broken.png"}]}
    long = {"role": "user", "content": "é" * 40_000}
    for out, base, asked, said in (
        ("a", trained.planner, long, "is an adapter"),
        ("b", made.base, broken, r"'r1' cannot be trained on.*broken\.png"),
        ("c", made.base, long, r"All 1 rows are longer than the model takes \(16,384 tokens\)"),
    ):
        rows.write_text(json.dumps({"id": "r1", "messages": [asked, reply]}))
        with pytest.raises(FinetuneError, match=said):
            finetune(Job(base, rows, tmp_path / out, finetune_settings("lora", TINY)))


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
    """What the command tells that trains in two processes of the CPU, each with half of the batch."""
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
    """The same planner as of one process that has all weights: also after it was stopped, of the best, and merged."""
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
    with pytest.raises(FinetuneError, match="division was"):  # one process cannot go on with a part for each of two
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
    """The checkpoint with layers of sizes that bitsandbytes packs on a CPU."""
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.from_pretrained(base)
    config.hidden_size, config.intermediate_size, config.head_dim = 64, 64, 16
    AutoModelForCausalLM.from_config(config).save_pretrained(base)
    return base


def test_what_weights_in_four_bits_need(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bitsandbytes", None)
    with pytest.raises(DependencyMissing, match=r"'bitsandbytes'.*\[qlora\]"):
        finetune(made.small(tmp_path / "out", "quantized=nf4"))
    with pytest.raises(SettingsError, match="quantized weights cannot be trained themselves"):
        finetune_settings("full", ["quantized=int8"])
    with pytest.raises(CheckpointUnsupported, match="bitsandbytes cannot compute with quantized=nf4 on 'mps'"):
        quantization("nf4", "mps")
