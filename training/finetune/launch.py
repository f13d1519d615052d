"""Start a training in several processes by accelerate's launcher, with a shipped or own configuration."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from backtrail.tools.errors import DependencyMissing
from backtrail.training.errors import FinetuneError
from backtrail.training.finetune import processes

_FOLDER = Path(__file__).parent / "accelerate"
SHIPPED: tuple[str, ...] = ("ddp", "fsdp", "zero2", "zero3")
_DEEPSPEED = ("zero2", "zero3")


def is_launched() -> bool:
    """Return whether this is already one of several processes."""
    return processes.count() > 1


def configuration(named: str) -> Path:
    """Return the file of a shipped configuration, or the named file in accelerate's format.

    Raises:
        FinetuneError: there is neither.
        DependencyMissing: it needs DeepSpeed, which is not installed.
    """
    if named in _DEEPSPEED:
        try:
            importlib.import_module("deepspeed")
        except ModuleNotFoundError as error:
            raise DependencyMissing(error.name or "deepspeed", "deepspeed") from error
    file = _FOLDER / f"{named}.yaml" if named in SHIPPED else Path(named)
    if not file.is_file():
        raise FinetuneError(
            f"--accelerate {named!r} is neither {', '.join(SHIPPED)} nor a file. `accelerate config` writes one."
        )
    return file


def launch(named: str, count: int | None, arguments: Sequence[str]) -> NoReturn:
    """Replace this process by accelerate's launcher, which runs `backtrail` in several processes.

    Signals to this process end them all, and its exit status is theirs.

    Args:
        count: number of processes; None takes that of an own configuration, or one per GPU.

    Raises:
        FinetuneError: no such configuration, or the number of processes is needed and not given.
        DependencyMissing: a package is not installed.
    """
    file = configuration(named)
    if count is None and named in SHIPPED:
        count = _gpus()
        if count < 2:
            raise FinetuneError(f"This machine has {count} GPUs, too few for one process each. Add --processes N.")
    launcher = [sys.executable, "-m", "accelerate.commands.launch", "--config_file", str(file)]
    if count is not None:
        launcher += ["--num_processes", str(count)]
    # port 0 takes a free port, so that two trainings on one machine do not collide
    launcher += ["--main_process_port", "0", "--mixed_precision", "no", "--dynamo_backend", "no"]
    sys.stdout.flush()
    os.execv(sys.executable, [*launcher, "-m", "backtrail.cli.app", *arguments])


def _gpus() -> int:
    try:
        import torch
    except ModuleNotFoundError as error:
        raise DependencyMissing(error.name or "torch", "train") from error
    return torch.cuda.device_count()
