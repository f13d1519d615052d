"""MADQA: 800 heterogeneous PDFs, accuracy against effort (Borchmann et al., 2026; CC BY-NC 4.0).

Made from the official release by ``backtrail bundle madqa``. Officially a model can judge accuracy too. Effort
(Kuiper, wasted effort) is in the tables of every evaluation. One row:

    {"id": "…", "question": "…", "answers": ["$1.2M"], "evidence": [{"document": "report.pdf", "page": 5}], "hops": 1,
     "tags": {"wordings": [["$1.2M"]], "kind": "single", "category": "Financial", "domain": "…"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.anls import anls, anls_accuracy
from backtrail.evals.scorers.page_retrieval import citation_f1, page_scorers
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens
from backtrail.evals.task import Task, data_file

MADQA = Task(
    name="madqa",
    corpus="madqa",
    questions=data_file("madqa", "questions.jsonl"),
    scorers=(
        anls_accuracy(), anls(), *citation_f1(), *page_scorers(), abstained(),
        calls(), tokens(), cost(), seconds(),
    ),
    by=("kind", "category", "domain"),
    description="MADQA: heterogeneous PDFs; accuracy, cited pages, and effort.",
    setup=(
        "Load OxRML/MADQA (Hugging Face; CC BY-NC 4.0), write a split with to_json('dev.jsonl'), get the PDFs with "
        "examples/download_pdfs.py of github.com/OxRML/MADQA into pdfs/, then: backtrail bundle madqa RELEASE "
        "$BACKTRAIL_DATA/madqa && backtrail ingest $BACKTRAIL_DATA/madqa/documents --corpus madqa"
    ),
)  # fmt: skip
