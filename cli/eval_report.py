"""Output of `backtrail eval`: Markdown tables or one JSON object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from backtrail.evals.comparison import Comparison
    from backtrail.evals.runner import Evaluation, Job


def print_tables(found: Comparison, tags: Sequence[str], against: str | None) -> None:
    """Print all scores, differences from one method, scores by tag, and gold that no ranking could find."""
    from backtrail.evals.oracle import lost
    from backtrail.evals.report import breakdown_markdown, differences_markdown, lost_markdown, markdown

    perfect = found.oracle()
    parts = [markdown([*found.summaries(), *([perfect] if perfect else [])])]
    if against:
        parts.append(differences_markdown(against, found.differences(against)))
    parts += [breakdown_markdown(tag, rows) for tag in tags if (rows := found.by(tag))]
    parts.append(lost_markdown(lost(found.questions)))
    print("\n\n".join(part for part in parts if part))


def print_json(
    task: str, jobs: Sequence[Job], evaluated: Sequence[Evaluation], found: Comparison,
    tags: Sequence[str], against: str | None,
) -> None:  # fmt: skip
    """Print the same as one JSON object, with ``folder`` of the results or ``folders`` of several tasks."""
    from backtrail.evals.oracle import lost
    from backtrail.evals.report import as_json

    variants = {one.method: one.variant for one in evaluated}
    folders: dict[str, list[str]] = {}
    for one in evaluated:
        folders.setdefault(one.method, []).append(str(one.folder))
    apart = found.differences(against) if against else {}
    methods = [
        {
            **row,
            "variant": variants[row["method"]],
            "by": _by_tag(found, tags, row["method"]),
            "differences": {name: asdict(one) for name, one in apart.get(row["method"], {}).items()},
            **_named("folder", folders[row["method"]]),
        }
        for row in as_json(found.summaries())
    ]
    perfect = found.oracle()
    shown: dict[str, Any] = {
        "task": task,
        **_named("corpus", [job.settings.corpus for job in jobs]),
        "methods": methods,
    }
    if perfect:
        shown["oracle"] = {
            "scores": as_json([perfect])[0]["scores"],
            "by": _by_tag(found, tags, perfect.method),
            "lost": [{"id": question.id, **piece.model_dump()} for question, piece in lost(found.questions)],
        }
    if against:
        shown["against"] = against
    print(json.dumps(shown, ensure_ascii=False))


def _by_tag(found: Comparison, tags: Sequence[str], method: str) -> dict[str, dict[str, object]]:
    from backtrail.evals.report import as_json

    return {
        tag: {value: as_json([summary])[0]["scores"] for value, summary in found.by(tag) if summary.method == method}
        for tag in tags
    }


def _named(name: str, values: Sequence[str]) -> dict[str, object]:
    """Key one distinct value by its name, several by the plural."""
    distinct = list(dict.fromkeys(values))
    plural = {"corpus": "corpora"}.get(name, f"{name}s")
    return {name: distinct[0]} if len(distinct) == 1 else {plural: distinct}
