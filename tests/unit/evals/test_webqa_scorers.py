"""QA-Acc by category and QA-FL by a checkpoint, as WebQA scores open answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fixtures.outcomes import asked, replied

from backtrail.evals.scorers import fluency
from backtrail.evals.scorers.webqa import qa_acc
from backtrail.tools.errors import SettingsError
from backtrail.tools.local.likelihood import SequenceLikelihood


def test_published_keywords_go_before_the_answers() -> None:
    outcome = replied("The roof is red")
    assert qa_acc()(asked(answers=("a blue roof",), tags={"category": "color", "keywords": "red"}), outcome) == 1.0
    assert qa_acc()(asked(answers=("a blue roof", "a red one"), tags={"category": "color"}), outcome) == 1.0
    assert qa_acc()(asked(answers=("red",), tags={"category": "color"}), replied("red", abstained=True)) == 0.0
    assert qa_acc()(asked(), outcome) is None


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BART of a few kilobytes with random weights."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from fixtures.tiny_checkpoints import tokenizer

    folder = tmp_path_factory.mktemp("bart")
    torch.manual_seed(3)
    config = transformers.BartConfig(
        vocab_size=10, d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=12,
        pad_token_id=0, bos_token_id=2, eos_token_id=3, decoder_start_token_id=3, forced_eos_token_id=3,
        init_std=0.5,
    )  # fmt: skip
    transformers.BartForConditionalGeneration(config).save_pretrained(folder)
    tokenizer(folder).save_pretrained(folder)
    return folder


def score(answer: str, *gold: str, **fields: Any) -> float | None:
    return fluency.qa_fl()(asked(answers=gold), replied(answer, **fields))


def test_without_a_checkpoint_fluency_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(fluency.CHECKPOINT, raising=False)
    assert score("red", "red") is None


def test_the_gold_answer_is_fully_fluent_and_others_are_held_against_it(checkpoint: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv(fluency.CHECKPOINT, str(checkpoint))
    assert score("a red square", "a red square") == pytest.approx(1.0)
    assert score("A red square!!", "A red square") == pytest.approx(1.0), "punctuation is not read"
    model, texts = SequenceLikelihood(checkpoint), ["blue one", "two two two a", "square"]
    own, *given = model.mean_likelihoods(["a red square"] * 4, ["a red square", *texts])
    told = [score(answer, "a red square") or 0.0 for answer in texts]
    assert told == pytest.approx([min(1.0, one / own) for one in given])
    assert 0.0 < min(told) < 1.0, "the words of the answer matter"
    of_two = [score("blue one", gold) or 0.0 for gold in ("a red square", "two")]
    assert score("blue one", "a red square", "two") == pytest.approx(max(of_two))
    assert score("red " * 500, "a red square") is not None, "cut to what the checkpoint reads"


def test_a_folder_without_a_checkpoint_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setenv(fluency.CHECKPOINT, str(tmp_path))
    with pytest.raises(SettingsError, match="has no checkpoint"):
        score("red", "red")
