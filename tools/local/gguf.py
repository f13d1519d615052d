"""GGUF files: a whole checkpoint in one file of llama.cpp, its weights mostly quantised.

They are unpacked (see ``gguf_cache``): a model of 270 million weights then takes a gigabyte, whatever its file's size.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from backtrail.tools.embedders.torch_local import import_local
from backtrail.tools.local.errors import CheckpointBroken, CheckpointMissing, CheckpointUnsupported
from backtrail.tools.local.gguf_cache import read_once, unpacked_before

_MAGIC = b"GGUF"
_SUFFIX = ".gguf"


def gguf_in(place: Path) -> Path | None:
    """Return the named GGUF file, or the only one of a folder without a config.json; else None.

    Raises:
        CheckpointMissing: the named file does not exist.
        CheckpointUnsupported: the folder has several.
    """
    if place.suffix == _SUFFIX and not place.is_dir():
        if not place.is_file():
            raise CheckpointMissing(
                f"The checkpoint file {str(place)!r} does not exist. Name one as local:/path/to/it."
            )
        return place
    if not place.is_dir() or (place / "config.json").is_file():
        return None
    files = sorted(place.glob(f"*{_SUFFIX}"))
    if len(files) > 1:
        names = ", ".join(one.name for one in files[:5])
        raise CheckpointUnsupported(f"The folder {str(place)!r} contains {names}. Name one of them.")
    return files[0] if files else None


def architecture_in(file: Path) -> str:
    """Return the architecture's name in transformers. Reading the file the first time takes seconds.

    Raises:
        DependencyMissing: transformers or gguf is not installed.
        CheckpointBroken, CheckpointUnsupported: it cannot be loaded.
    """
    with file.open("rb") as opened:
        if opened.read(len(_MAGIC)) != _MAGIC:
            raise CheckpointBroken(f"{str(file)!r} is not a GGUF file. Copy it again.")
    import_local("gguf")
    transformers = import_local("transformers")
    unpacked = unpacked_before(file)
    place, inside = (unpacked, {}) if unpacked else (file.parent, {"gguf_file": file.name})
    try:
        with read_once():  # weights and tokenizer are mostly loaded next
            config = transformers.AutoConfig.from_pretrained(str(place), local_files_only=True, **inside)
    except ValueError as error:  # transformers does not know the architecture
        raise CheckpointUnsupported(
            f"The GGUF file {str(file)!r} cannot be loaded here: {str(error).rstrip('.')}. Serve it with llama.cpp "
            "(llama-server) and name it: openai-compatible:NAME@http://localhost:8080/v1"
        ) from error
    except (OSError, LookupError, TypeError, AttributeError, RuntimeError, EOFError, struct.error) as error:
        raise CheckpointBroken(f"The GGUF file {str(file)!r} is damaged ({error}). Copy it again.") from error
    mappings = import_local("transformers.models.auto.modeling_auto")
    if config.model_type not in mappings.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES:
        raise CheckpointUnsupported(
            f"The GGUF file {str(file)!r} has the architecture {config.model_type!r}, which cannot write text here."
        )
    return str(config.model_type)


def config_in(file: Path) -> Any:
    """Return the model's configuration with the file's size of an attention head.

    For some architectures (Qwen3) transformers ignores that size and uses its default, 128, so that a model with heads
    of another size could not be loaded.
    """
    gguf = import_local("gguf")
    transformers = import_local("transformers")
    with read_once():
        config = transformers.AutoConfig.from_pretrained(str(file.parent), local_files_only=True, gguf_file=file.name)
        stated = {name.partition(".")[2]: field for name, field in gguf.GGUFReader(str(file)).fields.items()}
    # If layers differ (key_length_swa), the configuration has more than one size.
    if "attention.key_length" in stated and "attention.key_length_swa" not in stated and "head_dim" in config.to_dict():
        config.head_dim = int(stated["attention.key_length"].contents())
    return config
