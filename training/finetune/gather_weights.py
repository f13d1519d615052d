"""Gather trained weights from all processes on the first one."""

from __future__ import annotations

from typing import Any

from transformers.trainer import Trainer

from backtrail.training.finetune import processes


def gathered(trainer: Trainer) -> dict[str, Any] | None:
    """Return the weights by name, on the CPU; None where the model of the first process has them all.

    Under DeepSpeed frozen weights below an adapter are left out. Empty in all processes but the first.
    """
    kind = processes.division()
    if kind == "fsdp":
        state = trainer.accelerator.get_state_dict(trainer.model)
        _unwrap(trainer.model)
        return {_plain(name): weight for name, weight in state.items()}
    if kind == "deepspeed":
        return _of_deepspeed(trainer)
    return None


def _of_deepspeed(trainer: Trainer) -> dict[str, Any] | None:
    if trainer.accelerator.deepspeed_config["zero_optimization"]["stage"] < 3:
        return None
    from deepspeed.runtime.zero import GatheredParameters  # pyright: ignore[reportMissingImports]

    model: Any = trainer.model
    only_trained = hasattr(model, "get_base_model")
    state: dict[str, Any] = {}
    for name, weight in model.named_parameters():
        if only_trained and not weight.requires_grad:
            continue
        with GatheredParameters([weight]):
            if processes.is_first():
                state[name] = weight.detach().cpu().clone()
    kept = model.state_dict()  # for the persistent buffers, which are not sharded
    return state | {name: kept[name].cpu() for name, _ in model.named_buffers() if name in kept}


def _unwrap(model: Any) -> None:
    """Remove the wrappers of activation checkpointing: peft saves only weights whose names are in the model."""
    from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import CheckpointWrapper

    for name, module in list(model.named_modules()):
        if isinstance(module, CheckpointWrapper):
            model.set_submodule(name, module._checkpoint_wrapped_module)


def _plain(name: str) -> str:
    return name.replace("_checkpoint_wrapped_module.", "")
