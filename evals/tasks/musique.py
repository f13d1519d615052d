"""MuSiQue: questions composed of two to four single hops (Trivedi et al., TACL 2022; CC BY 4.0).

Made from the official release by ``backtrail bundle musique``. One row:

    {"id": "2hop__482757_12019", "question": "…", "image": null, "answers": ["1960"],
     "gold": [["text:0f3…"], ["text:9bc…"]], "hops": 2, "tags": {"type": "2 hops", "answerable": true}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained, correct_abstention
from backtrail.evals.scorers.answers import exact_match, token_f1
from backtrail.evals.scorers.growth import growth_scorers
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, recall_at
from backtrail.evals.scorers.spending import calls, cost, hops, seconds, tokens
from backtrail.evals.task import Task, data_file

MUSIQUE = Task(
    name="musique",
    corpus="musique",
    questions=data_file("musique", "questions.jsonl"),
    scorers=(
        exact_match(), token_f1(), hit_at(10), recall_at(10), mrr_at(10), abstained(), correct_abstention(), hops(),
        *growth_scorers(), calls(), tokens(), cost(), seconds(),
    ),
    by=("type", "answerable"),
    description="MuSiQue: two to four hops over paragraphs of Wikipedia.",
    setup=(
        "Download the data as stonybrooknlp/musique says, then: backtrail bundle musique RELEASE "
        "$BACKTRAIL_DATA/musique && backtrail ingest $BACKTRAIL_DATA/musique --corpus musique"
    ),
)  # fmt: skip
