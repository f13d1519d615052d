"""Inspect a checkpoint's folder before its weights are loaded.

Only safetensors and GGUF files are read (pickles run code), and no code of the folder is ever run.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backtrail.tools.embedders.torch_local import import_local
from backtrail.tools.local.errors import CheckpointBroken, CheckpointMissing, CheckpointUnsupported
from backtrail.tools.local.gguf import architecture_in, gguf_in
from backtrail.tools.untrusted_values import read_json as read_foreign_json

ADAPTER_CONFIG = "adapter_config.json"
_ADAPTER_WEIGHTS = "adapter_model.safetensors"
_INDEX = "model.safetensors.index.json"
_PROCESSOR_FILES = ("preprocessor_config.json", "processor_config.json")
_TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "tokenizer.model", "vocab.json", "spiece.model")


@dataclass(frozen=True)
class Checkpoint:
    """A folder that can be loaded.

    Args:
        folder: the named folder; that of the adapter, if there is one.
        base: the folder of the model's configuration and weights; without an adapter the same.
        words: the folder of tokenizer, processor and chat template.
        model_type: the architecture's name in transformers.
        sees: whether it accepts pictures.
        gguf: the llama.cpp file in ``base`` with weights, configuration and tokenizer; "" if they are separate files.
    """

    folder: Path
    base: Path
    words: Path
    model_type: str
    sees: bool
    gguf: str = ""

    @property
    def adapter(self) -> Path | None:
        """The folder of the LoRA adapter, if there is one."""
        return self.folder if self.folder != self.base else None


def read_checkpoint(folder: Path) -> Checkpoint:
    """Inspect a folder or a GGUF file: architecture, adapter, files. Loads no weights.

    Raises:
        DependencyMissing: transformers is not installed.
        CheckpointMissing, CheckpointUnsupported, CheckpointBroken: it cannot be loaded.
    """
    folder = folder.expanduser().absolute()
    if (file := gguf_in(folder)) is not None:
        return Checkpoint(file.parent, file.parent, file.parent, architecture_in(file), sees=False, gguf=file.name)
    if not folder.is_dir():
        raise CheckpointMissing(f"The checkpoint folder {str(folder)!r} does not exist. Name one as local:/path/to/it.")
    base = _base_of_adapter(folder) if (folder / ADAPTER_CONFIG).is_file() else folder
    config = read_json(base / "config.json")
    model_type, sees = _architecture(base, config)
    _check_weights(base)
    needed = [_TOKENIZER_FILES, *([_PROCESSOR_FILES] if sees else [])]
    words = next((place for place in (folder, base) if _has_all(place, needed)), None)
    if words is None:
        missing = " or ".join(next(names for names in needed if not _has_all(base, [names])))
        raise CheckpointMissing(f"The checkpoint folder {str(base)!r} lacks {missing}. Copy the whole checkpoint.")
    return Checkpoint(folder, base, words, model_type, sees)


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object from a file.

    Raises:
        CheckpointMissing: the file does not exist.
        CheckpointBroken: it is not a JSON object.
    """
    try:
        value = read_foreign_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CheckpointMissing(
            f"{str(path.parent)!r} is not a checkpoint folder: it has no {path.name}. Name the folder that has one."
        ) from None
    except (ValueError, OSError) as error:
        raise CheckpointBroken(f"{str(path)!r} cannot be read as JSON ({error}). Copy the checkpoint again.") from error
    if not isinstance(value, dict):
        raise CheckpointBroken(f"{str(path)!r} is a {type(value).__name__}, not an object. Copy the checkpoint again.")
    return value


def _base_of_adapter(folder: Path) -> Path:
    config = read_json(folder / ADAPTER_CONFIG)
    if not (folder / _ADAPTER_WEIGHTS).is_file():
        raise CheckpointMissing(f"The adapter folder {str(folder)!r} lacks {_ADAPTER_WEIGHTS}.")
    named = str(config.get("base_model_name_or_path") or "")
    base = folder / Path(named).expanduser()  # an absolute path replaces the folder
    if not named or not base.is_dir():
        raise CheckpointMissing(
            f"The adapter in {str(folder)!r} was made for {named!r}, which is not a folder here, and nothing is "
            f"downloaded. Put the path of the base checkpoint into base_model_name_or_path of its {ADAPTER_CONFIG}."
        )
    return base.resolve()


def _architecture(base: Path, config: dict[str, Any]) -> tuple[str, bool]:
    """Return the model type, and whether it accepts pictures."""
    model_type = str(config.get("model_type") or "")
    mappings = import_local("transformers.models.auto.modeling_auto")
    if model_type in mappings.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES:
        return model_type, True
    if model_type in mappings.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES:
        return model_type, False
    if config.get("auto_map"):
        raise CheckpointUnsupported(
            f"The checkpoint {str(base)!r} ({model_type or 'no model_type'}) needs its own code, which is never "
            "run. Use a version of it that transformers supports, or serve it and name it as "
            "openai-compatible:NAME@URL."
        )
    version = import_local("transformers").__version__
    raise CheckpointUnsupported(
        f"The checkpoint {str(base)!r} has the architecture {model_type!r}, which transformers {version} does not "
        "support as a vision-language or language model that writes text. Use a Qwen-VL, LLaVA or BLIP-2 class "
        "checkpoint, or a newer transformers."
    )


def _check_weights(base: Path) -> None:
    if (base / _INDEX).is_file():
        shards = read_json(base / _INDEX).get("weight_map")
        names = sorted(set(map(str, shards.values()))) if isinstance(shards, dict) else []
        absent = [name for name in names if not (base / Path(name).name).is_file()]
        if absent or not names:
            missing = ", ".join(absent[:5]) or "the list of its files"
            raise CheckpointMissing(f"The checkpoint {str(base)!r} lacks {missing}. Copy the whole checkpoint.")
        return
    if any(base.glob("model*.safetensors")):
        return
    if any(base.glob("*.bin")) or any(base.glob("*.pt")):
        raise CheckpointUnsupported(
            f"The checkpoint {str(base)!r} has pickled weights only, which could run code. Convert them to "
            "safetensors: load it where you trust it and call save_pretrained."
        )
    raise CheckpointMissing(
        f"The checkpoint folder {str(base)!r} has no model*.safetensors. Copy the whole checkpoint."
    )


def _has_all(folder: Path, groups: list[tuple[str, ...]]) -> bool:
    """Whether the folder has at least one file of each group."""
    return all(any((folder / name).is_file() for name in group) for group in groups)
