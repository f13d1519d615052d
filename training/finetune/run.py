"""Fine-tune a checkpoint to a planner: resume, train with evaluations, save."""

from __future__ import annotations

import importlib
import json
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backtrail.tools.errors import DependencyMissing
from backtrail.training.annotate.export import TRAIN, VALIDATION
from backtrail.training.errors import FinetuneError, RowsError
from backtrail.training.finetune import processes
from backtrail.training.finetune.callbacks import Unwatched, Watcher
from backtrail.training.finetune.evaluations import Evaluations
from backtrail.training.finetune.folder import (
    PLANNER,
    RESULT,
    last_checkpoint,
    read_too_long,
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
    """One training.

    Args:
        checkpoint: folder of an image-text-to-text model.
        rows: file or export folder to train on (``train.jsonl`` in it).
        validation: file to evaluate on; None takes ``validation.jsonl`` beside the rows, if it is not empty.
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
    """Result of a training.

    Args:
        began: step from which this run resumed.
        measures: measures of the last evaluation.
        left_out: token counts of rows that exceed the model's context, by id.
    """

    planner: Path
    steps: int
    began: int
    measures: dict[str, Any]
    left_out: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class _Data:
    train: list[Sourced]
    validation: list[Sourced]
    digest: str


def finetune(job: Job, watcher: Watcher | None = None) -> Finetuned:
    """Train, or resume an earlier run; a finished training is not repeated. Takes minutes to days.

    Under ``torchrun`` or ``accelerate launch`` each process calls this; the first one writes and reports.

    Raises:
        DependencyMissing: a package of the extra ``train``, or of the chosen report, is not installed.
        RowsError: the data cannot be used.
        FinetuneError: the folder holds another training, or the checkpoint cannot be trained.
        LocalModelError: the checkpoint cannot be loaded.
    """
    require_packages(job.settings)
    if job.settings.quantized != "no" and processes.stage() == 3:
        raise FinetuneError("ZeRO 3 cannot shard quantized weights. Use --accelerate ddp, zero2 or fsdp with them.")
    data = _data(job)
    processes.join(job.settings.device)
    with _folder(job, data) as folder:
        processes.wait()  # until the first one has checked and cleared the folder
        if (folder / RESULT).is_file() and (folder / PLANNER).is_dir():
            done = json.loads((folder / RESULT).read_text(encoding="utf-8"))
            return Finetuned(folder / PLANNER, done["steps"], done["steps"], done["measures"], read_too_long(folder))
        return _train(job, data, watcher if watcher and processes.is_first() else Unwatched())


def check(job: Job) -> None:
    """Raise the errors of ``finetune`` about packages and rows, before processes are started."""
    require_packages(job.settings)
    _data(job)


def _folder(job: Job, data: _Data) -> AbstractContextManager[Path]:
    if processes.is_first():
        return training_folder(job.folder, _run_of(job, data), fresh=job.fresh)
    return nullcontext(job.folder)


def require_packages(settings: FinetuneSettings) -> None:
    """Raise DependencyMissing for the first needed package that is not installed."""
    needed: dict[str, str] = dict.fromkeys(PACKAGES, "train")
    if settings.report != "nowhere":
        needed[settings.report] = "curves"
    if settings.quantized != "no":
        needed["bitsandbytes"] = "qlora"
    for name, extra in needed.items():
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            raise DependencyMissing(error.name or name, extra) from error


def _train(job: Job, data: _Data, watcher: Watcher) -> Finetuned:
    from transformers.trainer_utils import set_seed

    from backtrail.training.finetune.adapt import quiet_peft, save, trainable
    from backtrail.training.finetune.gather_weights import gathered
    from backtrail.training.finetune.trainer import evaluation_of, trainer_of

    evaluations = Evaluations(job.folder, watcher)
    loaded = _loaded(job)
    _check_rows(loaded, data)
    set_seed(job.settings.seed)
    model = trainable(loaded, job.settings)
    processes.wait()  # until all processes are ready: the first one removes incomplete checkpoints
    checkpoint = last_checkpoint(job.folder)
    if checkpoint is not None:
        evaluations.go_on()
    trainer = trainer_of(model, loaded, job.settings, job.folder, data.train, data.validation, evaluations)
    with quiet_peft():
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
        steps = trainer.state.global_step
        last = evaluations.last
        if data.validation and (last.get("step") != steps or job.settings.keeps_best):
            trainer.evaluate()
            last = evaluation_of(trainer.state.log_history[-1])
    weights = gathered(trainer)  # in all processes, as each may have a shard
    processes.end_division()
    if processes.is_first():
        save(trainer.model, weights, loaded, job.settings, job.folder)
        write_json(job.folder / RESULT, {"steps": steps, "rows": len(data.train), "measures": last})
    processes.wait()
    began = int(checkpoint.name.rpartition("-")[2]) if checkpoint else 0
    return Finetuned(job.folder / PLANNER, steps, began, last, read_too_long(job.folder))


def _check_rows(loaded: LoadedModel, data: _Data) -> None:
    """Fail early when the model cannot take the rows, or when all of them are too long."""
    from backtrail.training.finetune.encode import encode

    for rows in (data.train, data.validation):
        if rows and all(encode(loaded, one).too_long for one in rows):
            raise FinetuneError(f"All {len(rows)} rows are longer than the model takes ({loaded.longest:,} tokens).")


def _loaded(job: Job) -> LoadedModel:
    """Load the checkpoint on its device, in the dtype of the training."""
    from backtrail.tools.local.checkpoint import read_checkpoint
    from backtrail.tools.local.load import load_checkpoint
    from backtrail.tools.local.options import LocalOptions

    settings = job.settings
    checkpoint = read_checkpoint(job.checkpoint)
    if checkpoint.adapter is not None:
        raise FinetuneError(
            f"{str(job.checkpoint)!r} is an adapter. Name its base checkpoint: {str(checkpoint.base)!r}."
        )
    dtype = "float32" if settings.dtype == "auto" and settings.method == "full" else settings.dtype
    device = processes.device(settings.device)
    options = LocalOptions(device=device, dtype=dtype, quantized=settings.quantized)
    if divided := processes.division():  # a device holds only its shard, which it gets from the CPU
        options = replace(options, device="cpu")
    loaded = load_checkpoint(checkpoint, options)
    if divided:
        loaded = replace(loaded, device=device)
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
            raise RowsError(file, None, "general_ratio is above 0: name a file of general instructions with --general")
        rows = mixed(rows, read_rows(job.general), job.settings.general_ratio, job.settings.seed)
    return _Data(rows, read_rows(validation) if validation else [], digest(files))


def _run_of(job: Job, data: _Data) -> dict[str, Any]:
    """Return the options that must be the same to resume a training."""
    free = {"workers"}
    settings = {name: value for name, value in job.settings.model_dump().items() if name not in free}
    run = {"checkpoint": str(job.checkpoint.resolve()), "data": data.digest, "settings": settings}
    if processes.count() > 1:  # a checkpoint has a part for each process
        run |= {"processes": processes.count(), "division": processes.division_name()}
    return run
