"""Fine-tune a checkpoint to a planner: from the last checkpoint on, evaluated at intervals, saved at the end."""

from __future__ import annotations

import importlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from backtrail.tools.errors import DependencyMissing
from backtrail.training.annotate.export import TRAIN, VALIDATION
from backtrail.training.errors import FinetuneError, RowsError
from backtrail.training.finetune.folder import (
    CHECKPOINTS,
    PLANNER,
    RESULT,
    last_checkpoint,
    training_folder,
    write_json,
)
from backtrail.training.finetune.rows import Sourced, digest, mixed, read_rows
from backtrail.training.finetune.settings import FinetuneSettings

if TYPE_CHECKING:
    from backtrail.tools.local.load import LoadedModel

PACKAGES = ("torch", "transformers", "accelerate", "peft")


@dataclass(frozen=True)
class Job:
    """What is trained on what, and where to.

    Args:
        checkpoint: folder of an image-text-to-text model.
        rows: file or export folder to train on (``train.jsonl`` in it).
        validation: file to evaluate on; None takes ``validation.jsonl`` beside the rows where it holds any.
        general: file of general instructions, for a ``general_ratio`` above 0.
    """

    checkpoint: Path
    rows: Path
    folder: Path
    settings: FinetuneSettings = field(default_factory=FinetuneSettings)
    validation: Path | None = None
    general: Path | None = None
    fresh: bool = False


@dataclass(frozen=True)
class Finetuned:
    """What came of it. ``began`` is the step that this run went on from; ``measures`` those of the last evaluation."""

    planner: Path
    steps: int
    began: int
    measures: dict[str, Any]


class Watcher(Protocol):
    """Who is told how a training goes."""

    def step(self, done: int, steps: int) -> None:
        """A step is done."""
        ...

    def evaluated(self, measures: dict[str, Any]) -> None:
        """An evaluation: step, epoch, loss, and accuracy and confusion of letters."""
        ...


class Unwatched:
    """Tells nobody."""

    def step(self, done: int, steps: int) -> None:
        """Nothing."""

    def evaluated(self, measures: dict[str, Any]) -> None:
        """Nothing."""


@dataclass(frozen=True)
class _Data:
    train: list[Sourced]
    validation: list[Sourced]
    digest: str


def finetune(job: Job, watcher: Watcher | None = None) -> Finetuned:
    """Train, or go on where an earlier run stopped; a finished training is not repeated. Takes minutes to days.

    Raises:
        DependencyMissing: a package of the extra ``train`` is not installed.
        RowsError: the data cannot be used.
        FinetuneError: the folder holds another training, or the checkpoint cannot be trained.
        LocalModelError: the checkpoint cannot be loaded.
    """
    require_packages()
    if int(os.environ.get("WORLD_SIZE") or 1) > 1:
        raise FinetuneError(
            "This trains in one process on one device. For several, give the exported rows to a trainer of your own."
        )
    data = _data(job)
    with training_folder(job.folder, _run_of(job, data), fresh=job.fresh) as folder:
        if (folder / RESULT).is_file() and (folder / PLANNER).is_dir():
            held = json.loads((folder / RESULT).read_text(encoding="utf-8"))
            return Finetuned(folder / PLANNER, held["steps"], held["steps"], held["measures"])
        return _train(job, data, watcher or Unwatched())


def require_packages() -> None:
    """Raises DependencyMissing for the first package that training needs and that is not installed."""
    for name in PACKAGES:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            raise DependencyMissing(error.name or name, "train") from error


def _train(job: Job, data: _Data, watcher: Watcher) -> Finetuned:
    from transformers.trainer_callback import PrinterCallback
    from transformers.trainer_utils import set_seed

    from backtrail.training.finetune.adapt import quiet_peft, save, trainable
    from backtrail.training.finetune.arguments import training_arguments
    from backtrail.training.finetune.encode import collate, encode
    from backtrail.training.finetune.trainer import PlannerTrainer, Rows, Told, evaluation_of, measured

    settings, evaluations = job.settings, []

    def evaluated(measures: dict[str, Any]) -> None:
        kept = [one for one in evaluations if one["step"] < measures["step"]]
        evaluations[:] = [*kept, measures]
        write_json(job.folder / "evaluations.json", evaluations)
        watcher.evaluated(measures)

    loaded = _loaded(job)
    for rows in (data.train, data.validation):  # a model that cannot take the rows shows at the first of them
        if rows:
            encode(loaded, rows[0])
    set_seed(settings.seed)
    model = trainable(loaded, settings)
    checkpoint = last_checkpoint(job.folder)
    if checkpoint is not None and (job.folder / "evaluations.json").is_file():
        evaluations += json.loads((job.folder / "evaluations.json").read_text(encoding="utf-8"))
    trainer = PlannerTrainer(
        model=model,
        args=training_arguments(settings, loaded, job.folder / CHECKPOINTS, evaluates=bool(data.validation)),
        data_collator=lambda rows: collate(rows, loaded.tokenizer.pad_token_id),
        train_dataset=Rows(loaded, data.train),
        eval_dataset=Rows(loaded, data.validation) if data.validation else None,
        compute_metrics=measured(data.validation) if data.validation else None,
        callbacks=[Told(watcher.step, evaluated)],
    )
    trainer.remove_callback(PrinterCallback)  # it prints to where results go
    with quiet_peft():
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
        steps = trainer.state.global_step
        last = evaluations[-1] if evaluations else {}
        if data.validation and (last.get("step") != steps or settings.keep == "best"):
            trainer.evaluate()
            last = evaluation_of(trainer.state.log_history[-1])
    save(trainer.model, loaded, settings, job.folder / PLANNER)
    write_json(job.folder / RESULT, {"steps": steps, "rows": len(data.train), "measures": last})
    began = int(checkpoint.name.rpartition("-")[2]) if checkpoint else 0
    return Finetuned(job.folder / PLANNER, steps, began, last)


def _loaded(job: Job) -> LoadedModel:
    """The checkpoint on its device, in the dtype that it is trained in."""
    from backtrail.tools.local.checkpoint import read_checkpoint
    from backtrail.tools.local.load import load_checkpoint
    from backtrail.tools.local.options import LocalOptions

    settings = job.settings
    checkpoint = read_checkpoint(job.checkpoint)
    if checkpoint.adapter is not None:
        raise FinetuneError(
            f"{str(job.checkpoint)!r} is an adapter. Name the checkpoint it was made for: {str(checkpoint.base)!r}."
        )
    dtype = "float32" if settings.dtype == "auto" and settings.method == "full" else settings.dtype
    loaded = load_checkpoint(checkpoint, LocalOptions(device=settings.device, dtype=dtype))
    if loaded.only_captions:
        raise FinetuneError(f"{str(job.checkpoint)!r} has no chat template: it describes pictures and cannot plan.")
    return loaded


def _data(job: Job) -> _Data:
    file = job.rows / TRAIN if job.rows.is_dir() else job.rows
    beside = file.with_name(VALIDATION)
    validation = job.validation or (beside if beside != file and beside.is_file() and beside.stat().st_size else None)
    files = [file, *([validation] if validation else []), *([job.general] if job.general else [])]
    rows = read_rows(file)
    if job.settings.general_ratio > 0:
        if job.general is None:
            raise RowsError(file, None, "is to be mixed with general instructions: name their file with --general")
        rows = mixed(rows, read_rows(job.general), job.settings.general_ratio, job.settings.seed)
    return _Data(rows, read_rows(validation) if validation else [], digest(files))


def _run_of(job: Job, data: _Data) -> dict[str, Any]:
    """What must be the same for a training to go on."""
    free = {"workers"}
    settings = {name: value for name, value in job.settings.model_dump().items() if name not in free}
    return {"checkpoint": str(job.checkpoint.resolve()), "data": data.digest, "settings": settings}
