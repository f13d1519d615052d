"""MMCoQA: conversations over texts, tables and images (Li et al., ACL 2022).

Made from the official release by ``backtrail bundle mmcoqa``. The run gets the earlier turns as messages and rewrites
the question with them. One row:

    {"id": "C_0_1", "question": "what did he win?", "image": null, "answers": ["…"], "gold": [["d57e…"]], "hops": 1,
     "history": [{"question": "who played Phil Connors?", "answer": "Bill Murray"}],
     "tags": {"answer_list": ["…"], "type": "text", "standalone": "what did Bill Murray win?", "turn": 1}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.answers import exact_match, token_f1
from backtrail.evals.scorers.growth import growth_scorers
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, recall_at
from backtrail.evals.scorers.spending import calls, cost, hops, seconds, tokens
from backtrail.evals.task import Task, data_file

MMCOQA = Task(
    name="mmcoqa",
    corpus="mmcoqa",
    questions=data_file("mmcoqa", "questions.jsonl"),
    scorers=(
        exact_match(), token_f1(), hit_at(10), recall_at(10), mrr_at(10),
        abstained(), hops(), *growth_scorers(), calls(), tokens(), cost(), seconds(),
    ),
    by=("type", "turn"),
    description="MMCoQA: follow-up questions whose meaning depends on the conversation.",
    setup=(
        "Unpack the official release, then: backtrail bundle mmcoqa RELEASE $BACKTRAIL_DATA/mmcoqa "
        "&& backtrail ingest $BACKTRAIL_DATA/mmcoqa --corpus mmcoqa --no-ocr"
    ),
)  # fmt: skip
