"""MultimodalQA: questions over texts, tables and images of Wikipedia (Talmor et al., ICLR 2021; MIT).

Made from the official release by ``backtrail bundle multimodalqa``. One row:

    {"id": "5454…", "question": "who owns the rights to little shop of horrors?", "image": null,
     "answers": ["…"], "gold": [["46ae…"], ["d57e…"]], "hops": 2,
     "tags": {"answer_list": ["…"], "type": "Compose(TableQ,ImageListQ)", "modalities": "multi", "sources": 2}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.answers import exact_match, token_f1
from backtrail.evals.scorers.growth import growth_scorers
from backtrail.evals.scorers.list_answers import list_exact_match, list_f1
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, recall_at
from backtrail.evals.scorers.spending import calls, cost, hops, seconds, tokens
from backtrail.evals.task import Task, data_file

MULTIMODALQA = Task(
    name="multimodalqa",
    corpus="multimodalqa",
    questions=data_file("multimodalqa", "questions.jsonl"),
    scorers=(
        list_exact_match(), list_f1(), exact_match(), token_f1(), hit_at(10), recall_at(10), mrr_at(10),
        abstained(), hops(), *growth_scorers(), calls(), tokens(), cost(), seconds(),
    ),
    by=("modalities", "type", "sources"),
    description="MultimodalQA: one or more modalities; answers may be lists.",
    setup=(
        "Unpack the official release, then: backtrail bundle multimodalqa RELEASE $BACKTRAIL_DATA/multimodalqa "
        "&& backtrail ingest $BACKTRAIL_DATA/multimodalqa --corpus multimodalqa --no-ocr"
    ),
)  # fmt: skip
