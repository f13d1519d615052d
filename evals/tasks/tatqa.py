"""TAT-QA: arithmetic over tables and text of financial reports (Zhu et al., ACL 2021; CC BY 4.0).

Made from the official release by ``backtrail bundle tatqa``. One row:

    {"id": "eb78…", "question": "What is the change in Other in 2019 from 2018?", "image": null,
     "answers": ["-12.6 million"], "gold": [["report:3ffd…#table"], ["report:3ffd…#2"]], "hops": 2,
     "tags": {"answer_list": ["-12.6"], "scale": "million", "type": "arithmetic", "answer_from": "table-text",
              "table_rows": 3, "source_rows": [[1]]}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.cited_rows import computed, exact_sources, wrong_answer
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, recall_at
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens
from backtrail.evals.scorers.tatqa import tatqa_em, tatqa_em_without_scale, tatqa_f1, tatqa_match
from backtrail.evals.task import Task, data_file

TATQA = Task(
    name="tatqa",
    corpus="tatqa",
    questions=data_file("tatqa", "questions.jsonl"),
    scorers=(
        tatqa_em(), tatqa_f1(), tatqa_em_without_scale(), wrong_answer(tatqa_match), abstained(),
        exact_sources(tatqa_match), computed(), hit_at(10), recall_at(10), mrr_at(10), calls(), tokens(), cost(),
        seconds(),
    ),
    by=("type", "answer_from"),
    description="TAT-QA: arithmetic, counts and spans over tables and text of financial reports.",
    setup=(
        "Clone github.com/NExTplusplus/TAT-QA, then: backtrail bundle tatqa RELEASE $BACKTRAIL_DATA/tatqa && "
        "backtrail ingest $BACKTRAIL_DATA/tatqa --corpus tatqa"
    ),
)  # fmt: skip
