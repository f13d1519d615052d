"""A tiny random vision-language checkpoint learns 64 pictures by LoRA, and plans for the graph afterwards."""

import hashlib
import json
from pathlib import Path

import pytest
from fixtures.finetuning import CLASSES, PICTURES, QUESTION, TINY, Made, made_checkpoint, weights
from fixtures.scripted_searches import ScriptedSearches
from fixtures.tiny_planner import drawn

from backtrail.graphs.vqa_planner import build
from backtrail.state.settings import Settings
from backtrail.state.vqa_planner.decisions import CHOOSE_PATH, ChoosePathInputs
from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.tools.home import home
from backtrail.tools.toolbox import Toolbox
from backtrail.training.annotate.classes import LETTERS
from backtrail.training.errors import FinetuneError
from backtrail.training.finetune.callbacks import Unwatched
from backtrail.training.finetune.rows import read_rows
from backtrail.training.finetune.run import Finetuned, Job, finetune
from backtrail.training.finetune.settings import finetune_settings
from backtrail.training.planner_prompt import PICTURE_LABEL

SETTINGS = ["epochs=7", "evaluate_every=14", "layers=all"]
made = made_checkpoint


@pytest.fixture(scope="module")
def trained(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Finetuned:
    folder = tmp_path_factory.mktemp("trained")
    return finetune(made.job(folder, *SETTINGS))


def stored(content: bytes) -> str:
    name = hashlib.sha256(content).hexdigest()
    BlobStore(home()).put(name, content)
    return name


def test_it_learns_the_pictures(trained: Finetuned) -> None:
    assert trained.steps == 28
    assert trained.measures["accuracy"] > 0.9
    confusion = trained.measures["confusion"]
    assert {right: sum(chosen.values()) for right, chosen in confusion.items()} == dict.fromkeys("ABCD", 16)
    evaluations = json.loads((trained.planner.parent / "evaluations.json").read_text())
    assert [one["step"] for one in evaluations] == [14, 28]
    assert evaluations[1]["loss"] < evaluations[0]["loss"]


async def test_the_graph_plans_with_what_was_saved(trained: Finetuned) -> None:
    settings = Settings(planner=f"local:{trained.planner}")
    graph = build(Toolbox(open_searches=lambda _: ScriptedSearches())).compile()
    right, numbers = 0, range(0, PICTURES, 5)  # some of every colour
    for number in numbers:
        content, colour = drawn(number)
        values = await graph.ainvoke({"question": QUESTION, "image": stored(content)}, context=settings)
        path = values["path"]
        assert sum(path["probabilities"].values()) == pytest.approx(1, abs=1e-3)  # kept rounded
        assert path["planned"] == path["option"] == max(path["probabilities"], key=path["probabilities"].__getitem__)
        right += path["option"] == LETTERS[CLASSES[colour]]
    assert right > 0.9 * len(numbers)


async def test_what_is_trained_is_what_is_asked(made: Made) -> None:
    """The probabilities over an encoded row are those that the decider reads at run time."""
    import torch

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
    import torch

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
    evaluations = json.loads((tmp_path / "cut" / "evaluations.json").read_text())
    assert [one["step"] for one in evaluations] == [3, 6, 8]


def test_a_finished_training_is_not_repeated_and_another_does_not_overwrite_it(made: Made, trained: Finetuned) -> None:
    folder = trained.planner.parent
    before = (trained.planner / "adapter_model.safetensors").stat().st_mtime_ns
    again = finetune(made.job(folder, *SETTINGS), StopsAt(1))
    assert (again.planner, again.steps, again.measures) == (trained.planner, 28, trained.measures)
    assert (trained.planner / "adapter_model.safetensors").stat().st_mtime_ns == before
    with pytest.raises(FinetuneError, match=r"settings was.*--fresh"):
        finetune(made.job(folder, *SETTINGS, "epochs=8"))


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
