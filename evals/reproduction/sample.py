"""Made-up samples of benchmarks: small releases in the official layouts, included in the package.

Their scores say nothing about a method. They show that a table runs end to end on a machine without the data.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from backtrail.evals.errors import TaskDataMissing
from backtrail.evals.formats.bundle_writer import DOCUMENTS
from backtrail.evals.formats.table import FORMATS, convert
from backtrail.evals.reproduction.comparable import SAMPLE
from backtrail.evals.task import Task, shipped_file
from backtrail.ingest.enrich import Enricher
from backtrail.ingest.pipeline import ingest
from backtrail.tools.corpus.listing import list_corpora
from backtrail.tools.deciders.offline import OfflineDecider
from backtrail.tools.home import cache_folder

WORLD = "multimodalqa"
_OF_CRISES: tuple[str, ...] = ("crisismmd1", "crisismmd2", "crisismmd2merged")
SPLITS: dict[str, str] = {
    "multimodalqa_given": "dev.given",
    "webqa": "val",
    "webqa_given": "val.given",
    "m3sciqa": "val",
    **dict.fromkeys((*_OF_CRISES, "scienceqa", "visual7w"), "test"),
}
LAYOUTS: dict[str, str] = {
    "multimodalqa_given": "multimodalqa",
    "webqa_given": "webqa",
    **dict.fromkeys(_OF_CRISES, "crisismmd"),
}


def sampled(task: Task) -> Task:
    """Return the task over its sample, ingested at first use with a knowledge graph by rules.

    A sample of a benchmark without a corpus searches that of ``WORLD``, which is about the same place.

    Raises:
        TaskDataMissing: this task has no sample.
    """
    bundle, fresh = _bundle(task.name)
    searched, corpus = bundle, f"{SAMPLE}-{task.name}"
    if (bundle / DOCUMENTS).is_dir():
        searched = bundle / DOCUMENTS
    elif not (bundle / "components.jsonl").read_bytes():
        searched, fresh = _bundle(WORLD)
        corpus = f"{SAMPLE}-{WORLD}"
    if fresh or corpus not in list_corpora():
        ingest([searched], corpus, enricher=Enricher(), extractor=OfflineDecider())  # does not depend on Tesseract
    return replace(task, corpus=corpus, questions=lambda: bundle / "questions.jsonl")


def _bundle(name: str) -> tuple[Path, bool]:
    """Return the sample of a task as a bundle, made once per state of its release, and whether it was made now."""
    release = shipped_file("examples", "releases", LAYOUTS.get(name, name))()
    if not release.is_dir():
        raise TaskDataMissing(name, release, "There is no made-up sample of this benchmark.")
    bundle = cache_folder() / "samples" / f"{name}-{_hash(release)}"
    fresh = not bundle.is_dir()
    if fresh:
        bundle.parent.mkdir(parents=True, exist_ok=True)
        layout = name if name in FORMATS else LAYOUTS.get(name, name)
        convert(layout, release, bundle, SPLITS.get(name, "dev"))
    return bundle, fresh


def _hash(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{file.relative_to(folder)}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:12]
