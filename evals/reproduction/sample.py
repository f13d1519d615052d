"""Made-up samples of benchmarks: small releases in the official layouts that come with the package.

Nothing measured on them says anything of a method. They show that a table runs from one end to the other, on a machine
that has none of the data.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from backtrail.evals.errors import TaskDataMissing
from backtrail.evals.formats.bundle_writer import DOCUMENTS
from backtrail.evals.formats.table import convert
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
    "webqa": "val",
    "m3sciqa": "val",
    **dict.fromkeys((*_OF_CRISES, "scienceqa", "visual7w"), "test"),
}
LAYOUTS: dict[str, str] = dict.fromkeys(_OF_CRISES, "crisismmd")


def sampled(task: Task) -> Task:
    """The task over its sample, which is converted and ingested the first time, with a knowledge graph read by rules.

    A sample without a corpus, as its benchmark has none, searches that of ``WORLD``, which is about the same place.

    Raises:
        TaskDataMissing: there is no sample of this task.
    """
    bundle, fresh = _bundle(task.name)
    searched, corpus = bundle, f"{SAMPLE}-{task.name}"
    if (bundle / DOCUMENTS).is_dir():
        searched = bundle / DOCUMENTS
    elif not (bundle / "components.jsonl").read_bytes():
        searched, fresh = _bundle(WORLD)
        corpus = f"{SAMPLE}-{WORLD}"
    if fresh or corpus not in list_corpora():
        ingest([searched], corpus, enricher=Enricher(), extractor=OfflineDecider())  # the same without Tesseract
    return replace(task, corpus=corpus, questions=lambda: bundle / "questions.jsonl")


def _bundle(name: str) -> tuple[Path, bool]:
    """The sample of a task as a bundle, and whether it was made only now: once for each state of its release."""
    release = shipped_file("examples", "releases", LAYOUTS.get(name, name))()
    if not release.is_dir():
        raise TaskDataMissing(name, release, "There is no made-up sample of this benchmark.")
    bundle = cache_folder() / "samples" / f"{name}-{_hash(release)}"
    fresh = not bundle.is_dir()
    if fresh:
        bundle.parent.mkdir(parents=True, exist_ok=True)
        convert(name, release, bundle, SPLITS.get(name, "dev"))
    return bundle, fresh


def _hash(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{file.relative_to(folder)}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:12]
