"""HybridQA: a table and the pages that its cells link to (Chen et al., Findings of EMNLP 2020; MIT).

Made from the official release by ``backtrail bundle hybridqa``. One row:

    {"id": "00153f694413a536", "question": "…", "image": null, "answers": ["Geneva"],
     "gold": [["table:Jerry_Lewis_0"], ["text:/wiki/Geneva"]], "hops": 2, "tags": {"answer_in": "passage"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained, correct_abstention
from backtrail.evals.scorers.answers import exact_match, token_f1
from backtrail.evals.scorers.growth import growth_scorers
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, recall_at
from backtrail.evals.scorers.spending import calls, cost, hops, seconds, tokens
from backtrail.evals.task import Task, data_file

HYBRIDQA = Task(
    name="hybridqa",
    corpus="hybridqa",
    questions=data_file("hybridqa", "questions.jsonl"),
    scorers=(
        exact_match(), token_f1(), hit_at(10), recall_at(10), mrr_at(10), abstained(), correct_abstention(), hops(),
        *growth_scorers(), calls(), tokens(), cost(), seconds(),
    ),
    by=("answer_in",),
    description="HybridQA: a Wikipedia table and the pages its cells link to.",
    setup=(
        "Clone wenhuchen/HybridQA and wenhuchen/WikiTables-WithLinks beside it, then: backtrail bundle "
        "hybridqa HybridQA $BACKTRAIL_DATA/hybridqa && backtrail ingest $BACKTRAIL_DATA/hybridqa --corpus "
        "hybridqa"
    ),
)  # fmt: skip
