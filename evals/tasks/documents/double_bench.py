"""Double-Bench: four kinds of documents in six languages, single- and multi-hop (Shen et al., 2025).

Made from the official release by ``backtrail bundle double_bench``. The official evaluation is not public; pages are
scored as in ViDoSeek, answers are graded by a model: ``--judge grade``. One row:

    {"id": "single/0962", "question": "…", "answers": ["…"], "hops": 1,
     "evidence": [{"document": "docs/English/0786/3.jpg", "picture": "docs/English/0786/3.jpg"}],
     "tags": {"hops": "one", "language": "en", "document": "PDF", "source": "table", "type": "…"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.answers import token_f1
from backtrail.evals.scorers.page_retrieval import citation_f1, page_scorers
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens
from backtrail.evals.task import Task, data_file

DOUBLE_BENCH = Task(
    name="double_bench",
    corpus="double_bench",
    questions=data_file("double_bench", "questions.jsonl"),
    scorers=(
        *page_scorers(), *citation_f1(), token_f1(), abstained(),
        calls(), tokens(), cost(), seconds(),
    ),
    by=("hops", "language", "document", "source"),
    description="Double-Bench: documents of four kinds in six languages.",
    setup=(
        "Download Episoode/Double-Bench (Hugging Face; see its card for the licence of the documents), then: backtrail "
        "bundle double_bench RELEASE $BACKTRAIL_DATA/double_bench && backtrail ingest "
        "$BACKTRAIL_DATA/double_bench/documents --corpus double_bench"
    ),
)  # fmt: skip
