"""MMLongBench-Doc: long PDFs; a fifth is unanswerable (Ma et al., NeurIPS 2024; CC BY-NC 4.0).

Made from the official release by ``backtrail bundle mmlongbench``. One row:

    {"id": "0005", "question": "…", "answers": ["18.29%"], "evidence": [{"document": "x.pdf", "page": 3}], "hops": 1,
     "tags": {"official": "18.29%", "format": "Float", "pages": "one", "sources": ["Chart"], "type": "Brochure"}}
"""

from __future__ import annotations

from dataclasses import replace

from backtrail.evals.scorers.abstention import abstained, correct_abstention
from backtrail.evals.scorers.mmlongbench import mmlongbench_accuracy, mmlongbench_f1
from backtrail.evals.scorers.page_retrieval import citation_f1, page_scorers
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens
from backtrail.evals.task import Task, data_file

MMLONGBENCH = Task(
    name="mmlongbench",
    corpus="mmlongbench",
    questions=data_file("mmlongbench", "questions.jsonl"),
    scorers=(
        mmlongbench_accuracy(), mmlongbench_f1(), *page_scorers(), *citation_f1(), abstained(), correct_abstention(),
        calls(), tokens(), cost(), seconds(),
    ),
    by=("pages", "sources", "type"),
    description="MMLongBench-Doc: long PDFs with charts and tables; some questions have no answer.",
    setup=(
        "Clone github.com/mayubo2333/MMLongBench-Doc (CC BY-NC 4.0: research only), then: backtrail bundle mmlongbench "
        "RELEASE $BACKTRAIL_DATA/mmlongbench && backtrail ingest $BACKTRAIL_DATA/mmlongbench/documents --corpus "
        "mmlongbench"
    ),
)  # fmt: skip

# A task of its own, so that its results lie apart from those within documents.
MMLONGBENCH_ALL = replace(
    MMLONGBENCH,
    name="mmlongbench_all",
    questions=data_file("mmlongbench_all", "questions.jsonl"),
    description="MMLongBench-Doc; each question searches all documents.",
    setup=f"{MMLONGBENCH.setup} && backtrail bundle mmlongbench RELEASE $BACKTRAIL_DATA/mmlongbench_all --split all",
)
