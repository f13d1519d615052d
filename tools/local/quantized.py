"""Quantise weights to 4 or 8 bits while a checkpoint is loaded, by bitsandbytes, as for QLoRA."""

from __future__ import annotations

import importlib
from typing import Any

from backtrail.tools.embedders.torch_local import import_local
from backtrail.tools.errors import DependencyMissing
from backtrail.tools.local.errors import CheckpointUnsupported

EXTRA = "qlora"
WHOLE = "no"
_DEVICES = ("cuda", "xpu", "cpu")


def quantization(kind: str, device: str) -> dict[str, Any]:
    """Return the options of ``from_pretrained`` that quantise the linear layers; {} for ``no``.

    ``nf4`` is QLoRA's 4-bit NormalFloat with its constants quantised again (Dettmers et al. 2023, sections 3.1, 3.2);
    ``int8`` is LLM.int8().

    Raises:
        DependencyMissing: bitsandbytes is not installed.
        CheckpointUnsupported: bitsandbytes does not support this device.
    """
    if kind == WHOLE:
        return {}
    if device.partition(":")[0] not in _DEVICES:
        raise CheckpointUnsupported(
            f"bitsandbytes cannot compute with quantized={kind} on {device!r}: it supports {', '.join(_DEVICES)}. "
            "Use another device, or quantized=no."
        )
    try:
        importlib.import_module("bitsandbytes")
    except ModuleNotFoundError as error:
        raise DependencyMissing(error.name or "bitsandbytes", EXTRA) from error
    torch, transformers = import_local("torch"), import_local("transformers")
    if kind == "int8":
        config = transformers.BitsAndBytesConfig(load_in_8bit=True)
    else:
        fast = device.startswith("cuda") and torch.cuda.is_bf16_supported()
        config = transformers.BitsAndBytesConfig(
            load_in_4bit=True,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_use_double_quant=True,
            bnb_4bit_compute_dtype=torch.bfloat16 if fast else torch.float32,
        )
    return {"quantization_config": config, "device_map": {"": device}}
