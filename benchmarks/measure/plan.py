"""Plan of the measurement: tasks with their corpora, methods, and scorers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.abstention import abstained, correct_abstention
from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.correctness import right, wrong
from backtrail.evals.scorers.quotes import quotes_hold
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, recall_at
from backtrail.evals.task import Task, data_file, shipped_file
from backtrail.evals.tasks.table import TASKS
from measure.scorers import answered_at, evidence_quoted, failed, model_asked, right_at

RANKING = (hit_at(10), recall_at(10), mrr_at(10), failed())
ANSWERS = (
    right(), wrong(), abstained(), correct_abstention(), quotes_hold(), evidence_quoted(),
    answered_at("high"), *(right_at(level) for level in ("high", "medium", "low")), model_asked(),
)  # fmt: skip
WORSE_WHEN_HIGHER = frozenset({"Wrong", "Failed", "Model asked"})
NEITHER = frozenset({"Abstained", "Answered at high"})
"""Measures of which a higher value is neither better nor worse."""


@dataclass(frozen=True)
class Part:
    """A task, with its first ``limit`` questions.

    Args:
        folder: folder of the documents of its corpus.
        ranked: methods whose rankings are scored.
        answered: methods whose answers are scored too.
        ingest: options of the ingest.
    """

    task: Task
    folder: Callable[[], Path]
    ranked: tuple[str, ...]
    answered: tuple[str, ...] = ("fif",)
    limit: int | None = None
    ingest: tuple[str, ...] = ("--no-ocr",)

    def scorers(self, method: str) -> tuple[Scorer, ...]:
        """Return the scorers of a method: of its ranking, and of its answers if they are scored."""
        if method not in self.answered:
            return RANKING
        exact = (exact_match(),) if self.task.short_answers else ()
        return (*RANKING, *exact, *ANSWERS)


_BASELINES = ("bm25", "dense", "hybrid")
_WALKS = ("lilac", "ircot", "mmapg")

PARTS = (
    Part(
        TASKS["examples"],
        shipped_file("examples", "corpus"),
        ranked=("fif", *_BASELINES, *_WALKS, "hm_rag"),
        answered=("fif", "bm25", *_WALKS, "hm_rag"),
        ingest=("--ocr", "--knowledge-graph"),
    ),
    *(
        Part(
            TASKS[f"wild-{part}"],
            data_file("wild", part),
            ranked=("fif", *_BASELINES, *_WALKS),
            answered=("fif", "bm25"),
            ingest=("--ocr",),
        )
        for part in ("docs-site", "office", "web")
    ),
    Part(TASKS["ottqa"], data_file("ottqa"), ranked=("fif", *_BASELINES, "lilac"), limit=250),
    Part(TASKS["musique"], data_file("musique"), ranked=("fif", "dense"), limit=100),
    Part(TASKS["hotpotqa"], data_file("hotpotqa"), ranked=("fif", "dense"), limit=100),
)
