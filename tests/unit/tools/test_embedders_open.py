"""Embedders by name, and the small parts they share."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from backtrail.tools.embedders import minilm, openai_compatible
from backtrail.tools.embedders.errors import EmbedderUnknown
from backtrail.tools.embedders.open import open_embedder
from backtrail.tools.embedders.weights_hash import MEMORY, file_sha256, files_sha256


@pytest.mark.parametrize(
    ("name", "precision", "folder"),
    [
        ("offline", "int8", None),
        ("minilm:int8:/some/where", "int8", Path("/some/where")),
    ],
)
def test_names_of_minilm(monkeypatch: Any, tmp_path: Path, name: str, precision: str, folder: Path | None) -> None:
    opened: list[dict[str, object]] = []
    monkeypatch.setattr(minilm, "MiniLM", lambda **options: opened.append(options))
    open_embedder(name, cache_folder=tmp_path)
    assert opened == [{"cache_folder": tmp_path, "folder": folder, "precision": precision}]


def test_openai_takes_arguments_before_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from the environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://environment:1/v1")
    opened = open_embedder("openai:some:tag", cache_folder=tmp_path)
    assert opened.fingerprint == "openai:environment:1:some:tag:native"
    opened = open_embedder("openai:m", cache_folder=tmp_path, base_url="http://argument:2/v1", dimensions=5)
    assert isinstance(opened, openai_compatible.OpenAICompatible)
    assert opened.fingerprint == "openai:argument:2:m:5"


@pytest.mark.parametrize("name", ["", "bert", "minilm:fp16", "folder:", "openai:", "offline:fp32", "cross-modal:/x"])
def test_unknown_names_list_what_exists(tmp_path: Path, name: str) -> None:
    with pytest.raises(EmbedderUnknown, match=r"minilm:fp32.*folder:PATH.*openai:MODEL"):
        open_embedder(name, cache_folder=tmp_path)


def test_hashes_are_remembered_and_follow_the_content(tmp_path: Path) -> None:
    weights, cache = tmp_path / "model.safetensors", tmp_path / "cache"
    weights.write_bytes(b"abc")
    first = file_sha256(weights, cache_folder=cache)
    assert first == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    memory = json.loads((cache / MEMORY).read_text())
    memory[str(weights)]["sha256"] = "remembered"
    (cache / MEMORY).write_text(json.dumps(memory))
    assert file_sha256(weights, cache_folder=cache) == "remembered"
    weights.write_bytes(b"abcd")
    changed = file_sha256(weights, cache_folder=cache)
    assert changed not in (first, "remembered")
    assert files_sha256([weights, weights], cache_folder=cache) != changed


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"%s": 3}'])
def test_a_damaged_memory_of_hashes_only_costs_time(tmp_path: Path, content: bytes) -> None:
    weights = tmp_path / "w"
    weights.write_bytes(b"abc")
    (tmp_path / MEMORY).write_bytes(content.replace(b"%s", str(weights).encode()))
    assert file_sha256(weights, cache_folder=tmp_path).startswith("ba7816bf")


EMBED_NOTHING = """
from onnx import TensorProto, helper

from backtrail.tools.embedders.onnx_session import open_session

shape = [("of", TensorProto.FLOAT, [1]), ("to", TensorProto.FLOAT, [1])]
given, made = (helper.make_tensor_value_info(*one) for one in shape)
graph = helper.make_graph([helper.make_node("Identity", ["of"], ["to"])], "same", [given], [made])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
assert open_session(model.SerializeToString(), threads=1).get_outputs()[0].name == "to"
"""


def test_a_session_writes_no_telemetry_into_the_home(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    environment = kept | {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", EMBED_NOTHING], check=True, env=environment)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
