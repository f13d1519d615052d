"""What a folder must be to be loaded, and what is said of one that is not."""

import json
from pathlib import Path

import pytest
from fixtures.optional_packages import skip_without

from backtrail.tools.errors import ModelRejected
from backtrail.tools.local.checkpoint import read_checkpoint
from backtrail.tools.local.errors import CheckpointBroken, CheckpointMissing, CheckpointUnsupported

skip_without("transformers")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "model"
    made.mkdir()
    (made / "config.json").write_text(json.dumps({"model_type": "qwen3_vl"}))
    for name in ("model.safetensors", "tokenizer.json", "preprocessor_config.json"):
        (made / name).write_text("{}")
    return made


def test_architecture_and_eyes_are_read(folder: Path) -> None:
    checkpoint = read_checkpoint(folder)
    assert (checkpoint.model_type, checkpoint.sees, checkpoint.adapter) == ("qwen3_vl", True, None)
    assert checkpoint.base == checkpoint.words == folder
    (folder / "config.json").write_text(json.dumps({"model_type": "qwen3"}))
    (folder / "preprocessor_config.json").unlink()
    assert read_checkpoint(folder).sees is False, "a model of text needs no files about pictures"


@pytest.mark.parametrize(
    ("lacking", "said"),
    [
        ("config.json", "not a checkpoint folder: it has no config.json"),
        ("model.safetensors", r"has no model\*\.safetensors"),
        ("tokenizer.json", "lacks .*tokenizer.json"),
        ("preprocessor_config.json", "lacks .*preprocessor_config.json"),
    ],
)
def test_a_missing_file_is_named(folder: Path, lacking: str, said: str) -> None:
    (folder / lacking).unlink()
    with pytest.raises(CheckpointMissing, match=said) as caught:
        read_checkpoint(folder)
    assert isinstance(caught.value, ModelRejected)  # the run stops and can be resumed with another model
    with pytest.raises(CheckpointMissing, match="does not exist"):
        read_checkpoint(folder / "nowhere")


def test_what_is_damaged_pickled_or_of_an_unknown_architecture_is_not_loaded(folder: Path) -> None:
    (folder / "modeling_own.py").write_text("raise SystemExit('was run')")
    unknown = {"model_type": "own_thing", "auto_map": {"AutoModel": "modeling_own.Own"}}
    for config, error, said in (
        ("{", CheckpointBroken, r"config\.json"),
        ("[]", CheckpointBroken, r"config\.json"),
        (json.dumps(unknown), CheckpointUnsupported, "never run"),
        (json.dumps({"model_type": "clip"}), CheckpointUnsupported, r"'clip', which transformers \d"),
    ):
        (folder / "config.json").write_text(config)
        with pytest.raises(error, match=said):
            read_checkpoint(folder)
    (folder / "config.json").write_text(json.dumps({"model_type": "qwen3_vl"}))
    shards = {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": shards}))
    (folder / shards["a"]).write_text("")
    with pytest.raises(CheckpointMissing, match=r"lacks model-00002-of-00002\.safetensors\."):
        read_checkpoint(folder)
    for file in (index, folder / shards["a"]):
        file.unlink()
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(CheckpointUnsupported, match="safetensors"):
        read_checkpoint(folder)


def adapter(folder: Path, base: str) -> Path:
    made = folder.parent / "adapter"
    made.mkdir()
    (made / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": base}))
    (made / "adapter_model.safetensors").write_text("")
    return made


@pytest.mark.parametrize("named", ["../model", "absolute"])
def test_an_adapter_names_its_base(folder: Path, named: str) -> None:
    made = adapter(folder, str(folder) if named == "absolute" else named)
    checkpoint = read_checkpoint(made)
    assert (checkpoint.adapter, checkpoint.base, checkpoint.words) == (made, folder, folder)
    (made / "tokenizer.json").write_text("{}")
    (made / "preprocessor_config.json").write_text("{}")
    assert read_checkpoint(made).words == made  # what it was trained with
    for elsewhere in ("Qwen/Qwen2.5-VL-7B-Instruct", ""):  # nothing is downloaded
        (made / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": elsewhere}))
        with pytest.raises(CheckpointMissing, match="base_model_name_or_path"):
            read_checkpoint(made)
    (made / "adapter_model.safetensors").unlink()
    with pytest.raises(CheckpointMissing, match=r"lacks adapter_model\.safetensors"):
        read_checkpoint(made)
