"""HotpotQA: two paragraphs of Wikipedia (Yang et al., EMNLP 2018; CC BY-SA 4.0).

Made from the official release by ``backtrail bundle hotpotqa``. One row:

    {"id": "5a8b57f2…", "question": "…", "image": null, "answers": ["yes"],
     "gold": [["text:0f3…"], ["text:9bc…"]], "hops": 2, "tags": {"type": "comparison", "level": "hard"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained, correct_abstention
from backtrail.evals.scorers.answers import exact_match, hotpot_f1
from backtrail.evals.scorers.growth import growth_scorers
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, recall_at
from backtrail.evals.scorers.spending import calls, cost, hops, seconds, tokens
from backtrail.evals.task import Task, data_file

HOTPOTQA = Task(
    name="hotpotqa",
    corpus="hotpotqa",
    questions=data_file("hotpotqa", "questions.jsonl"),
    scorers=(
        exact_match(), hotpot_f1(), hit_at(10), recall_at(10), mrr_at(10), abstained(), correct_abstention(), hops(),
        *growth_scorers(), calls(), tokens(), cost(), seconds(),
    ),
    by=("type", "level"),
    description="HotpotQA: bridges and comparisons over two paragraphs.",
    setup=(
        "Download hotpot_dev_distractor_v1.json (hotpotqa.github.io), then: backtrail bundle hotpotqa RELEASE "
        "$BACKTRAIL_DATA/hotpotqa && backtrail ingest $BACKTRAIL_DATA/hotpotqa --corpus hotpotqa"
    ),
)  # fmt: skip
