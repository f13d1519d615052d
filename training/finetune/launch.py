"""Start a training in several processes by accelerate's launcher, with a shipped configuration or one of one's own."""

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
    """Whether this is already one of several processes."""
    return processes.count() > 1


def configuration(named: str) -> Path:
    """The file of a shipped configuration, or of accelerate's own form.

    Raises:
        FinetuneError: neither is called so.
        DependencyMissing: it divides by DeepSpeed, which is not installed.
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
    """Become accelerate's launcher, which runs `backtrail` with these arguments in several processes.

    Whoever ends this process so ends them all, and its exit status is theirs.

    Args:
        count: of processes; None takes what a file of one's own says, or a process for each GPU.

    Raises:
        FinetuneError: no such configuration, or a number of processes is needed and not given.
        DependencyMissing: a package is not installed.
    """
    file = configuration(named)
    if count is None and named in SHIPPED:
        count = _gpus()
        if count < 2:
            raise FinetuneError(f"This machine has {count} GPUs to divide a training among. Say --processes N.")
    launcher = [sys.executable, "-m", "accelerate.commands.launch", "--config_file", str(file)]
    if count is not None:
        launcher += ["--num_processes", str(count)]
    # another port each time: two trainings on one machine must not meet
    launcher += ["--main_process_port", "0", "--mixed_precision", "no", "--dynamo_backend", "no"]
    sys.stdout.flush()
    os.execv(sys.executable, [*launcher, "-m", "backtrail.cli.app", *arguments])


def _gpus() -> int:
    try:
        import torch
    except ModuleNotFoundError as error:
        raise DependencyMissing(error.name or "torch", "train") from error
    return torch.cuda.device_count()
