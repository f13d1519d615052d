"""WebQA: open questions over snippets and captioned pictures of the web (Chang et al., CVPR 2022).

Made from the official release by ``backtrail bundle webqa --split val``. One row:

    {"id": "d5bb…", "question": "Are both … painted blue?", "image": null, "answers": ["Yes, both are blue."],
     "gold": [["image:30000001"], ["image:30000002"]], "hops": 2,
     "tags": {"category": "YesNo", "modality": "image", "keywords": "", "topic": "…"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.answers import exact_match, token_f1
from backtrail.evals.scorers.fluency import qa, qa_fl
from backtrail.evals.scorers.growth import growth_scorers
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, recall_at
from backtrail.evals.scorers.sources import source_f1
from backtrail.evals.scorers.spending import calls, cost, hops, seconds, tokens
from backtrail.evals.scorers.webqa import qa_acc
from backtrail.evals.task import Task, data_file

WEBQA = Task(
    name="webqa",
    corpus="webqa",
    questions=data_file("webqa", "questions.jsonl"),
    scorers=(
        qa_acc(), qa_fl(), qa(), source_f1(), exact_match(), token_f1(), hit_at(10), recall_at(10), mrr_at(10),
        abstained(), hops(), *growth_scorers(), calls(), tokens(), cost(), seconds(),
    ),
    by=("modality", "category"),
    description="WebQA: open answers, scored by keywords and, with a BART checkpoint, by fluency.",
    setup=(
        "Unpack the official release, then: backtrail bundle webqa RELEASE $BACKTRAIL_DATA/webqa --split val "
        "&& backtrail ingest $BACKTRAIL_DATA/webqa --corpus webqa --no-ocr"
    ),
)  # fmt: skip
