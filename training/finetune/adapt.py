"""Make a loaded checkpoint trainable, by a LoRA adapter or in full, and save the result."""

from __future__ import annotations

import os
import re
import shutil
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from backtrail.tools.local.checkpoint import read_checkpoint, read_json
from backtrail.tools.local.load import LoadedModel, load_checkpoint
from backtrail.tools.local.options import LocalOptions
from backtrail.training.errors import FinetuneError
from backtrail.training.finetune.folder import MERGED, PLANNER
from backtrail.training.finetune.settings import FinetuneSettings


def trainable(loaded: LoadedModel, settings: FinetuneSettings) -> Any:
    """Return the model with its trainable weights enabled.

    Raises:
        FinetuneError: it has no layers for LoRA.
    """
    if settings.method == "full":
        return loaded.model.train().requires_grad_(True)
    from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training

    config = LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,  # type: ignore[arg-type]
        lora_dropout=settings.dropout,
        target_modules=_layers(loaded.model, settings.layers),
        task_type="CAUSAL_LM",
    )
    model = loaded.model
    with quiet_peft():
        if settings.quantized != "no":  # unquantized layers compute in float32 (the QLoRA paper, section 2)
            model = prepare_model_for_kbit_training(model, use_gradient_checkpointing=False)
        return get_peft_model(model, config)


def save(
    trained: Any, gathered: Mapping[str, Any] | None, loaded: LoadedModel, settings: FinetuneSettings, folder: Path
) -> None:
    """Save into the folder as a planner that ``local:`` loads, and merged if ``settings.merged``.

    Args:
        gathered: trained weights, where they are sharded over processes; None takes those of the model.
    """
    stored = _stored_dtype(loaded) if settings.dtype == "auto" else None
    if settings.method == "full":
        state = trained.state_dict() if gathered is None else gathered
        if stored is not None:
            state = {name: one.to(stored) if one.is_floating_point() else one for name, one in state.items()}
        _save_whole(trained, loaded, folder / PLANNER, state)
        return
    with quiet_peft(), _at_once(folder / PLANNER) as beside:
        trained.save_pretrained(str(beside), state_dict=gathered)
    if settings.merged:
        merged = load_checkpoint(read_checkpoint(folder / PLANNER), LocalOptions(device="cpu"))
        _save_whole(merged.model if stored is None else merged.model.to(stored), loaded, folder / MERGED)


def _save_whole(model: Any, loaded: LoadedModel, folder: Path, state: Mapping[str, Any] | None = None) -> None:
    """Save a complete checkpoint."""
    with _at_once(folder) as beside:
        model.save_pretrained(str(beside), state_dict=state)
        loaded.processor.save_pretrained(str(beside))
        _companions(loaded.checkpoint.base, beside)


def _companions(base: Path, folder: Path) -> None:
    """Copy the configuration files of the base that other software needs.

    Newer transformers writes some of them under other names (``preprocessor_config.json`` became part of
    ``processor_config.json``), which older vLLM and llama.cpp do not find.
    """
    for file in base.iterdir():
        kept = file.suffix in (".json", ".txt", ".model", ".jinja") and not file.name.endswith(".index.json")
        plain = file.name == "generation_config.json"  # loading for the planner simplified the model's own
        if kept and file.is_file() and (plain or not (folder / file.name).exists()):
            shutil.copyfile(file, folder / file.name)


@contextmanager
def _at_once(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder that replaces ``folder`` at the end, atomically."""
    beside = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(beside, ignore_errors=True)
    yield beside
    shutil.rmtree(folder, ignore_errors=True)
    os.replace(beside, folder)


@contextmanager
def quiet_peft() -> Iterator[None]:
    """Silence a FutureWarning of peft about a property that transformers will drop."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        yield


def _layers(model: Any, where: str) -> str:
    """Return a pattern of the linear layers that get an adapter."""
    if where == "all":
        return "all-linear"
    decoder = model.get_decoder()
    prefix = next((name for name, module in model.named_modules() if module is decoder), None)
    kinds = sorted(
        {name.rpartition(".")[2] for name, one in decoder.named_modules() if isinstance(one, torch.nn.Linear)}
    )
    if prefix is None or not kinds:
        raise FinetuneError(
            f"No linear layers of a language model were found in {type(model).__name__}. Use --set layers=all or "
            "--preset full."
        )
    start = re.escape(f"{prefix}.") if prefix else ""
    return rf"{start}(?:.*\.)?(?:{'|'.join(map(re.escape, kinds))})"


def _stored_dtype(loaded: LoadedModel) -> Any:
    """Return the dtype in the checkpoint's configuration; None where it names none."""
    config = read_json(loaded.checkpoint.base / "config.json")
    return getattr(torch, str(config.get("dtype") or config.get("torch_dtype") or ""), None)
