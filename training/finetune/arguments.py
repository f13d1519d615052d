"""Convert our settings to the trainer's arguments."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
from transformers.training_args import TrainingArguments

from backtrail.tools.local.load import LoadedModel
from backtrail.training.finetune import processes
from backtrail.training.finetune.settings import FinetuneSettings


def training_arguments(
    settings: FinetuneSettings, loaded: LoadedModel, folder: Path, *, evaluates: bool
) -> TrainingArguments:
    """Return the arguments: one device per process, a checkpoint with each evaluation."""
    best: dict[str, Any] = {"load_best_model_at_end": True, "metric_for_best_model": "eval_loss"}
    recomputes = settings.gradient_checkpointing
    if recomputes and processes.division() == "fsdp":
        # Read when the trainer starts; its own checkpointing would gather layers twice.
        os.environ["FSDP_ACTIVATION_CHECKPOINTING"] = "true"
        recomputes = False
    arguments = TrainingArguments(
        output_dir=str(folder),
        num_train_epochs=settings.epochs,
        per_device_train_batch_size=settings.batch,
        per_device_eval_batch_size=settings.batch,
        gradient_accumulation_steps=settings.accumulation,
        learning_rate=settings.learning_rate,
        lr_scheduler_type=settings.schedule,
        warmup_steps=settings.warmup,  # below 1 it is a share of the steps
        weight_decay=settings.weight_decay,
        max_grad_norm=settings.gradient_norm,
        eval_strategy="steps" if evaluates else "no",
        eval_steps=settings.evaluate_every if evaluates else None,
        save_strategy="steps",
        save_steps=settings.evaluate_every,
        save_total_limit=settings.kept_checkpoints,
        logging_strategy="steps",
        logging_steps=max(1, settings.evaluate_every // 10),
        activation_checkpointing=recomputes,
        activation_checkpointing_kwargs={"use_reentrant": False} if recomputes else None,
        bf16=_computes_in_bfloat16(loaded),
        use_cpu=loaded.device == "cpu",
        seed=settings.seed,
        dataloader_num_workers=settings.workers,
        dataloader_pin_memory=loaded.device == "cuda",
        remove_unused_columns=False,
        label_names=["labels"],
        report_to="wandb" if settings.report == "wandb" else "none",  # TensorBoard has a callback with its own folder
        run_name=folder.parent.name,
        restore_callback_states_from_checkpoint=True,  # the count of early stopping
        disable_tqdm=True,
        # a process may have a batch without pictures, which does not use the vision tower
        ddp_find_unused_parameters=settings.method == "full" or settings.layers == "all",
        **(best if evaluates and settings.keeps_best else {}),
    )
    if arguments.n_gpu > 1:
        arguments._n_gpu = 1  # else the trainer spreads each batch over all of them
    return arguments


def _computes_in_bfloat16(loaded: LoadedModel) -> bool:
    """Return whether to set bf16: for float32 weights, and for bfloat16 ones only under DeepSpeed."""
    on_gpu = loaded.device.startswith("cuda")
    kinds = (torch.float32, torch.bfloat16) if processes.division() == "deepspeed" else (torch.float32,)
    return on_gpu and loaded.model.dtype in kinds and torch.cuda.is_bf16_supported()
