"""Trainer of transformers with the planner's loss and measures. Imports torch: import it lazily."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from transformers.trainer import Trainer
from transformers.trainer_callback import (
    EarlyStoppingCallback,
    PrinterCallback,
    TrainerCallback,
    TrainerControl,
    TrainerState,
)
from transformers.trainer_utils import EvalPrediction
from transformers.training_args import TrainingArguments

from backtrail.tools.local.load import LoadedModel
from backtrail.training.finetune import processes
from backtrail.training.finetune.arguments import training_arguments
from backtrail.training.finetune.encode import NOT_COUNTED, Encoded, collate, encode
from backtrail.training.finetune.evaluations import Evaluations
from backtrail.training.finetune.folder import CHECKPOINTS, CURVES, TOO_LONG, note_too_long
from backtrail.training.finetune.measures import measures
from backtrail.training.finetune.rows import Sourced
from backtrail.training.finetune.settings import FinetuneSettings


class Rows(torch.utils.data.Dataset[Encoded]):
    """Rows, encoded on access, as the pictures of a whole set do not fit into memory.

    Rows that exceed the model's context are recorded in a file.
    """

    def __init__(self, loaded: LoadedModel, rows: Sequence[Sourced], too_long: Path) -> None:
        self._loaded = loaded
        self.rows = rows
        self._too_long = too_long

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Encoded:
        encoded = encode(self._loaded, self.rows[place])
        if encoded.too_long:
            note_too_long(self._too_long, self.rows[place].row.id or f"row {place + 1}", encoded.too_long)
        return encoded


class PlannerTrainer(Trainer):
    """Trainer with the mean loss over all reply tokens of a step; other logits are not computed."""

    loss_is_scaled_for_ga = True

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.model_accepts_loss_kwargs = True  # compute_loss then gets the token count of all accumulated batches
        trained: Any = self.model
        inner = trained.get_base_model() if hasattr(trained, "get_base_model") else trained
        self._dtype = inner.dtype
        self._keeps = "logits_to_keep" in inspect.signature(inner.forward).parameters

    def compute_loss(
        self,
        model: Any,
        inputs: dict[str, Any],
        return_outputs: bool = False,
        num_items_in_batch: Any = None,
    ) -> Any:
        """Cross-entropy of the reply; with outputs, the scores of the letters [rows, letters]."""
        labels, choices = inputs.pop("labels"), inputs.pop("choices")
        targets = labels[:, _first(labels) :]
        kept = targets.shape[1] + 1  # a token is predicted at the position before it
        cast = {name: value.to(self._dtype) if value.is_floating_point() else value for name, value in inputs.items()}
        if self._keeps:
            cast["logits_to_keep"] = kept
        logits = model(**cast, use_cache=False).logits[:, -kept:-1].float()
        total = torch.nn.functional.cross_entropy(
            logits.flatten(0, 1), targets.flatten(), ignore_index=NOT_COUNTED, reduction="sum"
        )
        if num_items_in_batch is None:
            loss = total / (targets != NOT_COUNTED).sum().clamp(min=1)
        else:  # the count is over all processes, whose gradients are averaged afterwards
            loss = total / num_items_in_batch.clamp(min=1) * self.accelerator.num_processes
        if not return_outputs:
            return loss
        scores = logits[:, -1].gather(1, choices.clamp(min=0)).masked_fill(choices < 0, -torch.inf)
        return loss, {"loss": loss, "logits": scores}

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        """Create the folder first: with sharded weights the trainer looks for it before creating it.

        Processes would then disagree on the best checkpoint.
        """
        (Path(str(self.args.output_dir)) / f"checkpoint-{self.state.global_step}").mkdir(parents=True, exist_ok=True)
        super()._save_checkpoint(model, trial)


def trainer_of(
    model: Any,
    loaded: LoadedModel,
    settings: FinetuneSettings,
    folder: Path,
    train: Sequence[Sourced],
    validation: Sequence[Sourced],
    evaluations: Evaluations,
) -> PlannerTrainer:
    """Return the trainer of a model on rows, which saves checkpoints to resume from in the folder."""
    callbacks: list[TrainerCallback] = [ProgressCallback(evaluations.step, evaluations.add)]
    if validation and settings.patience:
        callbacks.append(EarlyStoppingCallback(settings.patience))
    if settings.report == "tensorboard" and processes.is_first():
        callbacks.append(_tensorboard(folder / CURVES))
    too_long = folder / TOO_LONG
    arguments = training_arguments(settings, loaded, folder / CHECKPOINTS, evaluates=bool(validation))
    if arguments.use_cpu and processes.division():
        processes.divide_on_cpu()
    trainer = PlannerTrainer(
        model=model,
        args=arguments,
        data_collator=lambda rows: collate(rows, loaded.tokenizer.pad_token_id),
        train_dataset=Rows(loaded, train, too_long),
        eval_dataset=Rows(loaded, validation, too_long) if validation else None,
        compute_metrics=measured(validation) if validation else None,
        callbacks=callbacks,
    )
    trainer.remove_callback(PrinterCallback)  # it prints to stdout, where results go
    return trainer


def _tensorboard(folder: Path) -> TrainerCallback:
    from torch.utils.tensorboard import SummaryWriter  # pyright: ignore[reportPrivateImportUsage]
    from transformers.integrations.integration_utils import TensorBoardCallback

    return TensorBoardCallback(SummaryWriter(log_dir=str(folder)))


def _first(labels: torch.Tensor) -> int:
    """Return where the longest reply of a batch begins; the last position where all rows are left out."""
    places = (labels != NOT_COUNTED).any(dim=0).nonzero()
    return int(places[0]) if len(places) else labels.shape[1] - 1


def measured(rows: Sequence[Sourced]) -> Callable[[EvalPrediction], dict[str, Any]]:
    """Return a function that computes accuracy and confusion over the rows with a letter as reply."""

    def compute(prediction: EvalPrediction) -> dict[str, Any]:
        scores: Any = prediction.predictions
        return measures([sourced.row for sourced in rows], [list(map(float, line)) for line in scores])

    return compute


class ProgressCallback(TrainerCallback):
    """Callback that reports each step and each evaluation."""

    def __init__(self, step: Callable[[int, int], None], evaluation: Callable[[dict[str, Any]], None]) -> None:
        self._step = step
        self._evaluation = evaluation

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        """Report the first step, or the one to resume from."""
        self._step(state.global_step, state.max_steps)

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:
        """Report a step."""
        self._step(state.global_step, state.max_steps)

    def on_evaluate(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:
        """Report an evaluation: the last entry of the history."""
        self._evaluation(evaluation_of(state.log_history[-1]))


def evaluation_of(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of the trainer's history under our names."""
    names = {"eval_loss": "loss", "eval_accuracy": "accuracy", "eval_confusion": "confusion"}
    found = {"step": entry["step"], "epoch": round(float(entry.get("epoch") or 0.0), 3)}
    return {**found, **{short: entry[name] for name, short in names.items() if name in entry}}
