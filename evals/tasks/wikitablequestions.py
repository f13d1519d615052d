"""WikiTableQuestions: computing over tables of Wikipedia (Pasupat and Liang, ACL 2015; CC BY-SA 4.0).

Made from the official release by ``backtrail bundle wikitablequestions``. One row:

    {"id": "nt-0", "question": "…", "image": null, "answers": ["2004"], "gold": [["table:204-590"]], "hops": 1,
     "tags": {"answer_list": ["2004"], "table_rows": 10}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.cited_rows import computed, exact_sources, wrong_answer
from backtrail.evals.scorers.denotation import denotation, denotation_match
from backtrail.evals.scorers.retrieval import hit_at, mrr_at
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens
from backtrail.evals.task import Task, data_file

WIKITABLEQUESTIONS = Task(
    name="wikitablequestions",
    corpus="wikitablequestions",
    questions=data_file("wikitablequestions", "questions.jsonl"),
    scorers=(
        denotation(), wrong_answer(denotation_match), abstained(), exact_sources(denotation_match), computed(),
        hit_at(10), mrr_at(10), calls(), tokens(), cost(), seconds(),
    ),
    description="WikiTableQuestions: lookups, counts and comparisons over tables of Wikipedia.",
    setup=(
        "Clone github.com/ppasupat/WikiTableQuestions, then: backtrail bundle wikitablequestions RELEASE "
        "$BACKTRAIL_DATA/wikitablequestions --split train && backtrail ingest $BACKTRAIL_DATA/wikitablequestions "
        "--corpus wikitablequestions"
    ),
)  # fmt: skip
