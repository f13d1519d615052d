"""Manifest of a reproduction: everything that its figures depend on, to repeat it."""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import json
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from backtrail.evals.allowance import Allowance
from backtrail.evals.bootstrap import RESAMPLES, SEED
from backtrail.evals.errors import EvalError, ManifestError
from backtrail.evals.identity import behaviour
from backtrail.evals.paired import FLIPS
from backtrail.evals.published.table import Table, table_of
from backtrail.evals.questions import Question
from backtrail.evals.reproduction.plan import Choice, Plan, PlannedRun, TaskOf
from backtrail.evals.runner import Evaluation, Job
from backtrail.evals.scorers.judged import judged_scorers
from backtrail.evals.tasks.table import find_task
from backtrail.graphs.methods import find_method
from backtrail.prompts.own_prompts import own_prompts
from backtrail.state.settings import Settings
from backtrail.tools.settings.keys import ROLES
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.vector_stores.kinds import DISTRIBUTIONS

FORMAT = 1
_LIBRARIES = ("langgraph", "langchain-core", "pydantic", "numpy", "bm25s", *DISTRIBUTIONS)


def manifest(
    plan: Plan, evaluated: Mapping[tuple[str, ...], Evaluation], choice: Choice, *, sample: bool
) -> dict[str, Any]:
    """Return the manifest of the finished runs.

    ``models`` of a run are the names in the settings: the version behind a hosted name is not known. ``sample`` records
    whether the corpora were made-up samples.
    """
    return {
        "format": FORMAT,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": choice.command,
        "package": importlib.metadata.version("backtrail"),
        "commit": _commit(),
        "code": behaviour(),
        "python": platform.python_version(),
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "prompts": prompt_hashes(),
        "seeds": {"sample": choice.seed, "bootstrap": SEED, "resamples": RESAMPLES, "sign flips": FLIPS},
        "sample": sample,
        "table": plan.table.model_dump(mode="json"),
        "runs": [_run(run, evaluated[run.key]) for run in plan.runs if run.key in evaluated],
    }


def _run(run: PlannedRun, done: Evaluation) -> dict[str, Any]:
    settings = run.job.settings.model_dump(mode="json")
    identity = json.loads((done.folder / "run.json").read_text())
    return {
        "row": run.row.name,
        "variant": run.variant,
        "benchmark": run.benchmark,
        "task": run.job.task.name,
        "method": run.job.method,
        "settings": settings,
        "models": {role: settings[role] for role in ROLES if role in settings},
        "corpus": {"name": run.job.settings.corpus, "version": identity["corpus_version"]},
        "questions": {
            "ids": [question.id for question in run.job.questions],
            "asked": len(done.pairs),
            "sha256": asked_hash(run.job.questions),
        },
        "results": str(done.folder),
    }


def asked_hash(questions: Any) -> str:
    """Return a hash of the questions, their answers and their gold."""
    listed: list[Question] = list(questions)
    text = "\n".join(f"{question.id} {question.fingerprint} {question.answers} {question.gold}" for question in listed)
    return hashlib.sha256(text.encode()).hexdigest()


def prompt_hashes() -> dict[str, str]:
    """Return the sha256 of each prompt by its path in ``prompts/``; the user's own prompts replace ours."""
    root = Path(importlib.import_module("backtrail.prompts").__path__[0]).resolve()
    own = own_prompts()
    files = {str(file.relative_to(root)): own.get(file.stem, file) for file in sorted(root.rglob("*.md"))}
    return {name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in files.items()}


def read_manifest(file: Path) -> dict[str, Any]:
    """Read a manifest.

    Raises:
        ManifestError: it cannot be read, or is of another format.
    """
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ManifestError(f"{file} cannot be read ({error}).") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT or not isinstance(content.get("runs"), list):
        raise ManifestError(f"{file} is no manifest of a reproduction (format {FORMAT}).")
    return content


def plan_from(
    content: Mapping[str, Any], choice: Choice, task_of: TaskOf, allowance: Allowance | None = None
) -> tuple[Plan, list[str]]:
    """Return the plan of a manifest, and what changed since: code, prompts, questions.

    Raises:
        ManifestError: a question, row or setting of the manifest no longer exists.
    """
    changed = _changed(content)
    try:
        table = table_of(content["table"])
        runs = tuple(_planned(entry, table, choice, task_of, changed, allowance) for entry in content["runs"])
    except (KeyError, TypeError, ValueError) as error:
        raise ManifestError(f"The manifest can no longer be run: {error}.") from error
    return Plan(table, runs, ()), list(dict.fromkeys(changed))


def _planned(
    entry: Mapping[str, Any], table: Table, choice: Choice, task_of: TaskOf, changed: list[str],
    allowance: Allowance | None,
) -> PlannedRun:  # fmt: skip
    row = next((row for row in table.rows if row.name == entry["row"]), None)
    if row is None:
        raise ManifestError(f"The manifest has no row {entry['row']!r} in its table.")
    task = task_of(find_task(entry["task"]))
    if table.judgings:
        task = replace(task, scorers=(*task.scorers, *judged_scorers()))
    try:
        existing = {question.id: question for question in task.read()}
    except EvalError as error:
        raise ManifestError(f"The questions of {task.name!r} cannot be read. {error}") from error
    ids = entry["questions"]["ids"]
    if lost := [id_ for id_ in ids if id_ not in existing]:
        raise ManifestError(f"{task.name} no longer has the question {lost[0]!r} ({len(lost)} in all).")
    questions = [existing[id_] for id_ in ids]
    if asked_hash(questions) != entry["questions"]["sha256"]:
        changed.append(f"questions of {task.name}")
    job = Job(
        task, entry["method"], Settings.model_validate(entry["settings"]), questions, choice.concurrency,
        retry_failed=choice.retry_failed, judgings=table.judgings, command=choice.command, allowance=allowance,
    )  # fmt: skip
    return PlannedRun(row, entry["variant"], entry["benchmark"], job)


def _changed(content: Mapping[str, Any]) -> list[str]:
    code = [] if content.get("code") == behaviour() else [f"code {content.get('code')} is now {behaviour()}"]
    before, now = content.get("prompts", {}), prompt_hashes()
    differing = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    return code + ([f"prompts {', '.join(differing)}"] if differing else [])


def corpora_changed(content: Mapping[str, Any], plan: Plan, toolbox: Toolbox) -> list[str]:
    """Return the corpora whose version differs from the manifest's.

    Raises:
        BacktrailError: a corpus cannot be opened.
    """
    changed: list[str] = []
    for entry, run in zip(content["runs"], plan.runs, strict=True):
        was = str(entry["corpus"]["version"])
        if find_method(run.job.method).needs_corpus(run.job.settings):
            now = toolbox.corpus(run.job.settings).version
            changed += [f"corpus {run.job.settings.corpus} {was} is now {now}"] if now != was else []
    return list(dict.fromkeys(changed))


def _commit() -> str:
    """Return the commit of the checkout, with "+" if it has changes; "" for an installed package."""
    head, changes = _git("rev-parse", "HEAD"), _git("status", "--porcelain", "--untracked-files=no")
    return head + ("+" if changes else "")


def _git(*words: str) -> str:
    folder = Path(__file__).resolve().parent
    try:
        done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
