"""GGUF files: a whole checkpoint in one file, as llama.cpp has it, its weights mostly quantised.

They are unpacked (see ``unpacked``): a model of 270 million weights takes a gigabyte then, whatever its file takes.
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
    """The file that was named, or the only one of a folder that has no checkpoint of the other kind.

    Raises:
        CheckpointMissing: a file of that kind was named that is not there.
        CheckpointUnsupported: a folder with several of them.
    """
    if place.suffix == _SUFFIX and not place.is_dir():
        if not place.is_file():
            raise CheckpointMissing(
                f"The checkpoint file {str(place)!r} does not exist. Name one as local:/path/to/it."
            )
        return place
    if not place.is_dir() or (place / "config.json").is_file():
        return None
    held = sorted(place.glob(f"*{_SUFFIX}"))
    if len(held) > 1:
        names = ", ".join(one.name for one in held[:5])
        raise CheckpointUnsupported(f"The folder {str(place)!r} holds {names}. Name the one that is meant.")
    return held[0] if held else None


def architecture_in(file: Path) -> str:
    """The model type, as transformers names it. Reads the head of the file the first time, which takes seconds.

    Raises:
        DependencyMissing: transformers or gguf is not installed.
        CheckpointBroken, CheckpointUnsupported: it cannot be loaded, and why.
    """
    with file.open("rb") as opened:
        if opened.read(len(_MAGIC)) != _MAGIC:
            raise CheckpointBroken(f"{str(file)!r} is no GGUF file. Copy it again.")
    import_local("gguf")
    transformers = import_local("transformers")
    held = unpacked_before(file)
    place, inside = (held, {}) if held else (file.parent, {"gguf_file": file.name})
    try:
        with read_once():  # its weights and words are mostly asked for next
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
            f"The GGUF file {str(file)!r} is of the architecture {config.model_type!r}, which writes no text here."
        )
    return str(config.model_type)


def config_in(file: Path) -> Any:
    """The model's configuration, with the size of an attention head that the file states.

    Of some architectures (Qwen3) transformers does not read that size and takes its default, 128: a model with heads
    of another size could not be loaded.
    """
    gguf = import_local("gguf")
    transformers = import_local("transformers")
    with read_once():
        config = transformers.AutoConfig.from_pretrained(str(file.parent), local_files_only=True, gguf_file=file.name)
        stated = {name.partition(".")[2]: field for name, field in gguf.GGUFReader(str(file)).fields.items()}
    # Where layers differ in it (key_length_swa), a configuration holds more than one size.
    if "attention.key_length" in stated and "attention.key_length_swa" not in stated and "head_dim" in config.to_dict():
        config.head_dim = int(stated["attention.key_length"].contents())
    return config
