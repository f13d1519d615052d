"""Real, untidy documents: two documentation sites, a folder of office files, saved web pages.

Unmodified files (with their own licences, so they are not in this repository), 60 questions, five of them
unanswerable. Gold is evidence, not component ids, so that it stays valid when parsers change. One row:

    {"id": "ds-01", "corpus": "docs-site",
     "question": "Out of the feature gates in etcd 3.6, is there any that's already switched on without me doing
                  anything?",
     "answers": ["TxnModeWriteWithSharedBuffer"],
     "evidence": [{"document": "etcd/content/en/docs/v3.6/feature-gates/index.md",
                   "quote": "TxnModeWriteWithSharedBuffer | true | Beta"}],
     "kind": "table", "hops": 1}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained, correct_abstention
from backtrail.evals.scorers.answers import token_f1
from backtrail.evals.scorers.correctness import right, wrong
from backtrail.evals.scorers.growth import growth_scorers
from backtrail.evals.scorers.quotes import quotes_hold, quotes_only
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, recall_at
from backtrail.evals.scorers.spending import calls, cost, hops, seconds, tokens
from backtrail.evals.task import Suite, Task, data_file

_CONTENTS = {
    "docs-site": "Markdown of two documentation sites",
    "office": "PDFs, office files, scans, mails",
    "web": "saved web pages",
}


def _task(part: str, contents: str) -> Task:
    return Task(
        name=f"wild-{part}",
        corpus=f"wild-{part}",
        questions=data_file("wild", "questions.jsonl"),
        scorers=(
            hit_at(1), hit_at(10), recall_at(10), mrr_at(10), right(), wrong(), quotes_only(), quotes_hold(),
            abstained(), correct_abstention(),
            token_f1(), hops(), *growth_scorers(), calls(), tokens(), cost(), seconds(),
        ),
        by=("corpus", "kind", "hops"),
        description=f"Real files: {contents}.",
        setup=(
            "Set BACKTRAIL_DATA to the folder that holds wild/, then make the corpus with: "
            f"backtrail ingest $BACKTRAIL_DATA/wild/{part} --corpus wild-{part}"
        ),
        part=part,
        short_answers=False,
    )  # fmt: skip


WILD = Suite("wild", tuple(_task(*item) for item in _CONTENTS.items()), "Real, untidy documents of three kinds.")
