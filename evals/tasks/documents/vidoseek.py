"""ViDoSeek: questions with one answer in slides and reports (Wang et al., 2025; Apache-2.0).

Made from the official release by ``backtrail bundle vidoseek``. Officially a model grades answers from 1 to 5 and
passes from 4 on: ``--judge grade``. One row:

    {"id": "04d8…_2", "question": "…", "answers": ["195-205 Centigrade"],
     "evidence": [{"document": "x.pdf", "page": 10}], "hops": 1, "tags": {"source": "Text", "type": "Multi-Hop"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.answers import token_f1
from backtrail.evals.scorers.page_retrieval import citation_f1, page_scorers
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens
from backtrail.evals.task import Task, data_file

VIDOSEEK = Task(
    name="vidoseek",
    corpus="vidoseek",
    questions=data_file("vidoseek", "questions.jsonl"),
    scorers=(
        *page_scorers(), *citation_f1(), token_f1(), abstained(),
        calls(), tokens(), cost(), seconds(),
    ),
    by=("source", "type"),
    description="ViDoSeek: slides and reports; every question has one answer and its pages.",
    setup=(
        "Download autumncc/ViDoSeek (Hugging Face; Apache-2.0) and unpack its PDFs into pdf/, then: backtrail bundle "
        "vidoseek RELEASE $BACKTRAIL_DATA/vidoseek && backtrail ingest $BACKTRAIL_DATA/vidoseek/documents --corpus "
        "vidoseek"
    ),
)  # fmt: skip
