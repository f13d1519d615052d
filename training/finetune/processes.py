"""Processes of a training: one, or several from a launcher, with a device each.

The first one checks, writes and reports. All of them read the same rows. Weights are replicated or sharded, by the
environment variables of accelerate's launcher.
"""

from __future__ import annotations

import os
from typing import Literal

Division = Literal["", "fsdp", "deepspeed"]


def count() -> int:
    """Return the number of processes."""
    return int(os.environ.get("WORLD_SIZE") or 1)


def is_first() -> bool:
    """Return whether this process is the one that writes."""
    return int(os.environ.get("RANK") or 0) == 0


def division() -> Division:
    """Return what shards weights, gradients or optimizer states over the processes; "" where each has all."""
    if count() > 1 and _is_set("ACCELERATE_USE_FSDP"):
        return "fsdp"
    return "deepspeed" if count() > 1 and _is_set("ACCELERATE_USE_DEEPSPEED") else ""


def division_name() -> str:
    """Return the name of the division: none, fsdp, zero2, zero3, or deepspeed with an own configuration."""
    return f"zero{stage()}" if stage() else division() or "none"


def stage() -> int:
    """Return DeepSpeed's ZeRO stage; 0 with an own configuration or without DeepSpeed."""
    return int(os.environ.get("ACCELERATE_DEEPSPEED_ZERO_STAGE") or 0) if division() == "deepspeed" else 0


def device(wanted: str) -> str:
    """Return the device of this process; each of several processes takes the GPU of its local rank."""
    import torch

    if count() > 1 and wanted in ("auto", "cuda") and torch.cuda.is_available():
        return f"cuda:{int(os.environ.get('LOCAL_RANK') or 0)}"
    return "cpu" if wanted == "auto" and not torch.cuda.is_available() else wanted


def wait() -> None:
    """Wait until every process has reached this point."""
    if count() > 1:
        from accelerate import PartialState

        PartialState().wait_for_everyone()


def join(wanted: str) -> None:
    """Join the process group, before any computation: on the CPU if requested or without a GPU."""
    if count() == 1:
        return
    from accelerate import PartialState

    on_cpu = device(wanted) == "cpu"
    if on_cpu and division() == "deepspeed":
        os.environ["DS_ACCELERATOR"] = "cpu"
    PartialState(cpu=on_cpu)


def divide_on_cpu() -> None:
    """Make accelerate shard a model over CPU processes too, which it supports only for GPUs: for trials.

    Call it after creating the trainer's arguments and before creating the trainer.
    """
    from accelerate import PartialState
    from accelerate.utils import DistributedType

    kind = DistributedType.MULTI_GPU if division() == "fsdp" else DistributedType.DEEPSPEED
    PartialState._shared_state["distributed_type"] = kind  # pyright: ignore[reportPrivateUsage]


def end_division() -> None:
    """Stop sharding models loaded from here on: for merging, it would wait for all processes."""
    if division() == "deepspeed":
        from transformers.integrations.deepspeed import unset_hf_deepspeed_config

        unset_hf_deepspeed_config()


def _is_set(variable: str) -> bool:
    return os.environ.get(variable, "").lower() in ("1", "true", "yes")
