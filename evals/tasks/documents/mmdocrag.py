"""MMDocRAG: answers made of quotes of texts and pictures (Dong et al., NeurIPS 2025; Apache-2.0).

Made from the official release by ``backtrail bundle mmdocrag``. One row:

    {"id": "1", "question": "…", "answers": ["…"], "gold": [["image:0f3…"], ["text:9bc…"]], "hops": 2,
     "tags": {"interleaved": "…", "type": "…", "domain": "…", "modality": ["chart"]}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.answers import token_f1
from backtrail.evals.scorers.mmdocrag import quote_scorers
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, recall_at
from backtrail.evals.scorers.sources import source_f1
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens
from backtrail.evals.task import Task, data_file

MMDOCRAG = Task(
    name="mmdocrag",
    corpus="mmdocrag",
    questions=data_file("mmdocrag", "questions.jsonl"),
    scorers=(
        source_f1(), *quote_scorers(), token_f1(), hit_at(10), recall_at(10), mrr_at(10), abstained(),
        calls(), tokens(), cost(), seconds(),
    ),
    by=("type", "domain", "modality"),
    description="MMDocRAG: answers made of quotes of documents, texts and pictures.",
    setup=(
        "Download MMDocIR/MMDocRAG (Hugging Face; Apache-2.0) and unpack its pictures into images/, then: backtrail "
        "bundle mmdocrag RELEASE $BACKTRAIL_DATA/mmdocrag --split test && backtrail ingest $BACKTRAIL_DATA/mmdocrag "
        "--corpus mmdocrag"
    ),
)  # fmt: skip
