"""2WikiMultihopQA: chains and comparisons over Wikipedia (Ho et al., COLING 2020; Apache-2.0).

Made from the official release by ``backtrail bundle 2wiki``. One row:

    {"id": "8813f87c…", "question": "…", "image": null, "answers": ["Møn"],
     "gold": [["text:0f3…"], ["text:9bc…"]], "hops": 2, "tags": {"type": "bridge_comparison"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained, correct_abstention
from backtrail.evals.scorers.answers import exact_match, hotpot_f1
from backtrail.evals.scorers.growth import growth_scorers
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, recall_at
from backtrail.evals.scorers.spending import calls, cost, hops, seconds, tokens
from backtrail.evals.task import Task, data_file

TWO_WIKI = Task(
    name="2wiki",
    corpus="2wiki",
    questions=data_file("2wiki", "questions.jsonl"),
    scorers=(
        exact_match(), hotpot_f1(), hit_at(10), recall_at(10), mrr_at(10), abstained(), correct_abstention(), hops(),
        *growth_scorers(), calls(), tokens(), cost(), seconds(),
    ),
    by=("type",),
    description="2WikiMultihopQA: chains and comparisons over two to four paragraphs.",
    setup=(
        "Download the data as Alab-NII/2wikimultihop says, then: backtrail bundle 2wiki RELEASE "
        "$BACKTRAIL_DATA/2wiki && backtrail ingest $BACKTRAIL_DATA/2wiki --corpus 2wiki"
    ),
)  # fmt: skip
