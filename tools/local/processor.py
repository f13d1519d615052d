"""Load the processor of a checkpoint: tokenizer, picture preparation and chat template, without video.

The processors of some classes (Qwen-VL) also prepare video and therefore require torchvision. Here the
same class is used without its video part.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from backtrail.tools.embedders.torch_local import import_local
from backtrail.tools.local.errors import CheckpointBroken

_LOCAL: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}


def load_processor(folder: Path, model_type: str) -> Any:
    """Load the processor of a vision-language checkpoint, with padding on the left for generation.

    Args:
        folder: folder of tokenizer and processor files.
        model_type: the architecture; determines the processor's class if the folder does not.

    Raises:
        DependencyMissing: transformers is not installed.
        CheckpointBroken: the files cannot be read.
    """
    processor = _loaded(_without_video(model_type), folder)
    if not hasattr(processor, "image_processor"):
        raise CheckpointBroken(f"The checkpoint {str(folder)!r} has no image processor. Copy the whole checkpoint.")
    _ready(processor.tokenizer)
    return processor


def load_tokenizer(folder: Path, gguf: str = "") -> Any:
    """Load the tokenizer of a text-only checkpoint, with padding on the left for generation.

    Args:
        folder: folder of its files.
        gguf: the GGUF file in the folder that contains it; "" if it has its own files.

    Raises:
        DependencyMissing: transformers is not installed.
        CheckpointBroken: the files cannot be read.
    """
    inside = {"gguf_file": gguf} if gguf else {}
    return _ready(_loaded(import_local("transformers").AutoTokenizer, folder, inside))


def _loaded(source: Any, folder: Path, inside: Mapping[str, str] = MappingProxyType({})) -> Any:
    try:
        return source.from_pretrained(str(folder), **_LOCAL, **inside)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointBroken(
            f"Tokenizer and processor of {str(folder)!r} cannot be read: {str(error).rstrip('.')}. "
            "Copy the checkpoint again."
        ) from error


def _ready(tokenizer: Any) -> Any:
    tokenizer.padding_side = "left"
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token
    return tokenizer


def _without_video(model_type: str) -> Any:
    """Return the class that loads an architecture's processor, without its video part."""
    auto = import_local("transformers.models.auto.processing_auto")
    name = auto.PROCESSOR_MAPPING_NAMES.get(model_type)
    whole = auto.processor_class_from_name(name) if name else None
    if whole is None:
        return auto.AutoProcessor
    parts = [part for part in whole.get_attributes() if "video" not in part]
    if parts == whole.get_attributes():
        return auto.AutoProcessor
    # Keep the class name: it is written into saved files.
    return type(whole.__name__, (whole,), {"get_attributes": classmethod(lambda cls: list(parts))})
