"""Settings of fine-tuning, with defaults of the two papers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from backtrail.tools.errors import SettingsError

Method = Literal["lora", "full"]


class FinetuneSettings(BaseModel):
    """Settings of fine-tuning. Defaults: LoRA of the VQA planning agent (Table 6), else "ours"."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    method: Method = Field(default="lora", description="LoRA adapter, or all weights.")
    rank: int = Field(default=32, ge=1, le=1024, description="LoRA rank; 8 was too small (5.3).")
    alpha: float = Field(default=128, gt=0, description="LoRA alpha.")
    quantized: Literal["no", "nf4", "int8"] = Field(
        default="no", description="QLoRA: base weights in 4 or 8 bits, by bitsandbytes (ours)."
    )
    dropout: float = Field(default=0.0, ge=0, lt=1, description="LoRA dropout (ours).")
    layers: Literal["language", "all"] = Field(
        default="language",
        description="Linear layers with LoRA: of the language model, or of the vision tower too (ours).",
    )
    learning_rate: float = Field(default=1e-4, gt=0, le=1, description="Peak learning rate.")
    schedule: Literal["cosine", "linear", "constant_with_warmup"] = Field(
        default="cosine", description="Schedule of the learning rate after warm-up (ours)."
    )
    warmup: float = Field(default=0.05, ge=0, lt=1, description="Share of steps for warm-up (ours).")
    weight_decay: float = Field(default=0.0, ge=0, le=1, description="Weight decay of AdamW (ours).")
    gradient_norm: float = Field(default=1.0, gt=0, description="Maximum gradient norm (ours).")
    epochs: float = Field(default=3, gt=0, description="Passes over the data.")
    batch: int = Field(default=1, ge=1, le=4096, description="Rows per forward pass and device.")
    accumulation: int = Field(default=16, ge=1, le=65536, description="Forward passes per step.")
    evaluate_every: int = Field(default=500, ge=1, description="Steps between evaluations, and between checkpoints.")
    kept_checkpoints: int = Field(default=2, ge=1, le=100, description="Number of checkpoints to keep (ours).")
    keep: Literal["last", "best"] = Field(
        default="last", description="Weights of the planner: the last ones, or the best evaluated ones (ours)."
    )
    patience: int = Field(
        default=0,
        ge=0,
        description="Evaluations without a lower loss before training ends with the best weights; 0: never (ours).",
    )
    merged: bool = Field(
        default=False, description="Also write the adapter merged into a checkpoint, for vLLM and llama.cpp (ours)."
    )
    report: Literal["nowhere", "tensorboard", "wandb"] = Field(
        default="nowhere", description="Tracker of the curves; Weights & Biases needs its key or WANDB_MODE=offline."
    )
    general_ratio: float = Field(
        default=0.0, ge=0, le=100, description="General instructions to mix in, per row of the data."
    )
    gradient_checkpointing: bool = Field(default=False, description="Recompute activations to save memory.")
    device: Literal["auto", "cpu", "cuda", "mps"] = Field(
        default="auto", description="Device of the training; auto prefers cuda."
    )
    dtype: Literal["auto", "float32", "bfloat16"] = Field(
        default="auto",
        description="Data type of the weights: auto is as stored for LoRA, and float32 for full training, which on a "
        "GPU computes in bfloat16 if possible (ours).",
    )
    workers: int = Field(default=0, ge=0, le=64, description="Additional processes that prepare rows (ours).")
    seed: int = Field(default=42, ge=0, le=2**31, description="Seed of the order of rows and of new weights (ours).")

    @model_validator(mode="after")
    def _only_adapters_over_quantized(self) -> Self:
        if self.quantized != "no" and self.method == "full":
            raise ValueError("quantized weights cannot be trained themselves; use method=lora over them")
        return self

    @property
    def keeps_best(self) -> bool:
        """Whether the best evaluated weights become the planner."""
        return self.keep == "best" or self.patience > 0


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "lora": {},
    "qlora": {"quantized": "nf4", "gradient_checkpointing": True},
    "full": {"method": "full", "learning_rate": 2e-5, "gradient_checkpointing": True},
    "cogplanner": {
        "method": "full",
        "learning_rate": 2e-6,
        "schedule": "cosine",
        "warmup": 0.1,
        "epochs": 2,
        "batch": 1,
        "accumulation": 32,
        "general_ratio": 1.0,
        "gradient_checkpointing": True,
    },
}
"""lora and full: VQA planning agent (Table 6); cogplanner: 6.1.3, batch 32, one general instruction per row; qlora:
ours."""


def finetune_settings(preset: str, assignments: Iterable[str] = ()) -> FinetuneSettings:
    """Return a preset with changes of the form ``key=value``.

    Raises:
        SettingsError: no such preset or setting, or a value out of bounds.
    """
    if preset not in PRESETS:
        raise SettingsError(f"There is no preset {preset!r}. Existing: {', '.join(PRESETS)}.")
    values: dict[str, Any] = dict(PRESETS[preset])
    for assignment in assignments:
        key, equals, value = (part.strip() for part in assignment.partition("="))
        if not equals or key not in FinetuneSettings.model_fields:
            known = ", ".join(FinetuneSettings.model_fields)
            raise SettingsError(f"{assignment!r} is not key=value with a known key. Keys: {known}.")
        values[key] = value
    try:
        return FinetuneSettings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise SettingsError(f"{name}={first['input']!r} cannot be used: {first['msg']}.") from error
