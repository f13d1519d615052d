"""Options of local models from the environment. Read when a model is opened.

BACKTRAIL_LOCAL_DEVICE (auto, cpu, cuda, cuda:1, mps …), BACKTRAIL_LOCAL_DTYPE (auto, float32, bfloat16,
float16), BACKTRAIL_LOCAL_BATCH (requests in one generation, 8), BACKTRAIL_LOCAL_TOKENS (default maximum of
tokens in a reply, 1024), BACKTRAIL_LOCAL_PREFIX (tokens of cached prompts, 16384; 0 for none).
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from backtrail.tools.errors import SettingsError

DTYPES = ("auto", "float32", "bfloat16", "float16")
_DEVICE = re.compile(r"(?:auto|cpu|(?:cuda|mps|xpu)(?::\d+)?)\Z")


@dataclass(frozen=True)
class LocalOptions:
    """Device, dtype and bounds of local models.

    Args:
        device: torch device; "auto" means cuda if available, else the CPU.
        dtype: "auto" keeps the checkpoint's dtype (float16 becomes float32 on a CPU).
        batch: maximum of requests in one generation.
        tokens: maximum of tokens in a reply if the request gives none.
        prefix: maximum of tokens of earlier prompts whose keys and values are cached.
        quantized: weights unchanged ("no"), or in 4 ("nf4") or 8 bits ("int8"); for training.
    """

    device: str = "auto"
    dtype: str = "auto"
    batch: int = 8
    tokens: int = 1024
    prefix: int = 16384
    quantized: str = "no"


def local_options() -> LocalOptions:
    """Read the options from the environment.

    Raises:
        SettingsError: a variable has an invalid value.
    """
    device = os.environ.get("BACKTRAIL_LOCAL_DEVICE") or "auto"
    if not _DEVICE.match(device):
        raise SettingsError(f"BACKTRAIL_LOCAL_DEVICE={device!r} is not a device. Use auto, cpu, cuda, cuda:1 or mps.")
    dtype = os.environ.get("BACKTRAIL_LOCAL_DTYPE") or "auto"
    if dtype not in DTYPES:
        raise SettingsError(f"BACKTRAIL_LOCAL_DTYPE={dtype!r} is unknown. Use one of: {', '.join(DTYPES)}.")
    batch, tokens = _count("BACKTRAIL_LOCAL_BATCH", 8), _count("BACKTRAIL_LOCAL_TOKENS", 1024)
    return LocalOptions(device, dtype, batch, tokens, _count("BACKTRAIL_LOCAL_PREFIX", 16384, least=0))


def _count(variable: str, default: int, least: int = 1) -> int:
    text = os.environ.get(variable)
    if not text:
        return default
    if not text.isdecimal() or int(text) < least:
        raise SettingsError(f"{variable}={text!r} is not a whole number of at least {least}.")
    return int(text)
