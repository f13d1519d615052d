"""Distractor setting of a benchmark: each question searches its own contexts, gold ones and distractors."""

from __future__ import annotations

from dataclasses import replace

from backtrail.evals.task import Task, data_file


def within_contexts(task: Task, split: str) -> Task:
    """Return the task ``NAME_given``, whose questions name their documents, with a corpus of its own.

    Args:
        split: split of the release that ``backtrail bundle`` converts.
    """
    name = f"{task.name}_given"
    return replace(
        task,
        name=name,
        corpus=name,
        questions=data_file(name, "questions.jsonl"),
        description=f"{task.description.rstrip('.')}; each question within its own contexts.",
        setup=(
            f"Unpack the official release, then: backtrail bundle {task.name} RELEASE $BACKTRAIL_DATA/{name} "
            f"--split {split}.given && backtrail ingest $BACKTRAIL_DATA/{name} --corpus {name} --no-ocr"
        ),
    )
