"""The processes of a training: one, or several that ``torchrun`` or ``accelerate launch`` started, a device each.

The first one checks, writes and tells; the others compute. All of them read the same rows and hold the same weights.
"""

from __future__ import annotations

import os


def count() -> int:
    """How many processes train together."""
    return int(os.environ.get("WORLD_SIZE") or 1)


def is_first() -> bool:
    """Whether this process is the one that writes."""
    return int(os.environ.get("RANK") or 0) == 0


def device(wanted: str) -> str:
    """The device of this process: with several and GPUs, each takes the one of its place on the machine."""
    import torch

    if count() > 1 and wanted in ("auto", "cuda") and torch.cuda.is_available():
        return f"cuda:{int(os.environ.get('LOCAL_RANK') or 0)}"
    return wanted


def wait() -> None:
    """Wait until every process has come here."""
    if count() > 1:
        from accelerate import PartialState

        PartialState().wait_for_everyone()


def join(wanted: str) -> None:
    """Meet the others, before anything is computed, on the CPU if that is asked for."""
    if count() > 1:
        from accelerate import PartialState

        PartialState(cpu=wanted == "cpu")
