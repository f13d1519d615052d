"""M3SciQA: from a figure of one paper to a paper it cites (Li et al., EMNLP Findings 2024).

Made from the official release by ``backtrail bundle m3sciqa``. Officially a model ranks the papers that the first one
cites, here all papers are searched; officially a model judges answers wrong, half right or right, ``--judge grade``
has five grades. One row:

    {"id": "val/0001", "question": "…", "image": "pictures/000000.png", "answers": ["…"], "gold": [["2309.14362#0"]],
     "hops": 2, "tags": {"documents": ["2309.14362"], "modality": "table", "figure": "Data Extraction", "paper": "…"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.answers import token_f1
from backtrail.evals.scorers.page_retrieval import document_scorers
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, recall_at
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens
from backtrail.evals.task import Task, data_file

M3SCIQA = Task(
    name="m3sciqa",
    corpus="m3sciqa",
    questions=data_file("m3sciqa", "questions.jsonl"),
    scorers=(
        *document_scorers(3), token_f1(), hit_at(10), recall_at(10), mrr_at(10), abstained(),
        calls(), tokens(), cost(), seconds(),
    ),
    by=("modality", "figure", "paper"),
    description="M3SciQA: a figure of one paper leads to a paper it cites.",
    setup=(
        "Clone github.com/yale-nlp/M3SciQA (papers of arXiv, under their own licences), then: backtrail bundle m3sciqa "
        "RELEASE $BACKTRAIL_DATA/m3sciqa --split val && backtrail ingest $BACKTRAIL_DATA/m3sciqa --corpus m3sciqa"
    ),
)  # fmt: skip
