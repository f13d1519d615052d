"""The processes of a training: one, or several that a launcher started, a device each.

The first one checks, writes and tells; the others compute. All of them read the same rows. Weights are the same in
all of them, or divided among them: accelerate's launcher says so in the environment.
"""

from __future__ import annotations

import os
from typing import Literal

Division = Literal["", "fsdp", "deepspeed"]


def count() -> int:
    """How many processes train together."""
    return int(os.environ.get("WORLD_SIZE") or 1)


def is_first() -> bool:
    """Whether this process is the one that writes."""
    return int(os.environ.get("RANK") or 0) == 0


def division() -> Division:
    """What divides weights, gradients or optimizer states among the processes; "" where each has all."""
    if count() > 1 and _is_set("ACCELERATE_USE_FSDP"):
        return "fsdp"
    return "deepspeed" if count() > 1 and _is_set("ACCELERATE_USE_DEEPSPEED") else ""


def told() -> str:
    """The division in a word: none, fsdp, zero2, zero3, or deepspeed by a file of one's own."""
    return f"zero{stage()}" if stage() else division() or "none"


def stage() -> int:
    """DeepSpeed's ZeRO stage; 0 where its configuration is a file of its own, or something else divides."""
    return int(os.environ.get("ACCELERATE_DEEPSPEED_ZERO_STAGE") or 0) if division() == "deepspeed" else 0


def device(wanted: str) -> str:
    """The device of this process: with several and GPUs, each takes the one of its place on the machine."""
    import torch

    if count() > 1 and wanted in ("auto", "cuda") and torch.cuda.is_available():
        return f"cuda:{int(os.environ.get('LOCAL_RANK') or 0)}"
    return "cpu" if wanted == "auto" and not torch.cuda.is_available() else wanted


def wait() -> None:
    """Wait until every process has come here."""
    if count() > 1:
        from accelerate import PartialState

        PartialState().wait_for_everyone()


def join(wanted: str) -> None:
    """Meet the others, before anything is computed: over the CPU if that is asked for, or where there is no GPU."""
    if count() == 1:
        return
    from accelerate import PartialState

    on_cpu = device(wanted) == "cpu"
    if on_cpu and division() == "deepspeed":
        os.environ["DS_ACCELERATOR"] = "cpu"
    PartialState(cpu=on_cpu)


def divide_on_cpu() -> None:
    """Have accelerate divide a model among processes of a CPU too, which it knows of GPUs alone: for trials.

    To be called when the trainer's arguments are made, and before the trainer is.
    """
    from accelerate import PartialState
    from accelerate.utils import DistributedType

    kind = DistributedType.MULTI_GPU if division() == "fsdp" else DistributedType.DEEPSPEED
    PartialState._shared_state["distributed_type"] = kind  # pyright: ignore[reportPrivateUsage]


def end_division() -> None:
    """What is loaded from here on, to be merged or evaluated, is not divided: the others would be waited for."""
    if division() == "deepspeed":
        from transformers.integrations.deepspeed import unset_hf_deepspeed_config

        unset_hf_deepspeed_config()


def _is_set(variable: str) -> bool:
    return os.environ.get(variable, "").lower() in ("1", "true", "yes")
