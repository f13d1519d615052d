"""OTT-QA: open-domain questions over tables and the pages their cells link to.

Chen et al., Open Question Answering over Tables and Text, ICLR 2021 (MIT; text from Wikipedia). The development corpus
as a bundle: tables, linked passages, page intros and image nodes. The gold table is official; gold passages were
traced from it. One row:

    {"id": "2b6359edb1b352c3",
     "question": "Who created the series in which the character of Robert , played by actor Nonso
                  Anozie , appeared ?",
     "image": null, "answers": ["Lynda La Plante"],
     "gold": [["table:Nonso_Anozie_1"], ["text:/wiki/Prime_Suspect"]],
     "hops": 2, "tags": {"answer_in": "passage"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.answers import exact_match, token_f1
from backtrail.evals.scorers.growth import growth_scorers
from backtrail.evals.scorers.quotes import quotes_hold
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, recall_at
from backtrail.evals.scorers.spending import calls, cost, hops, seconds, tokens
from backtrail.evals.task import Task, data_file

OTTQA = Task(
    name="ottqa",
    corpus="ottqa",
    questions=data_file("ottqa", "questions.jsonl"),
    scorers=(
        *(hit_at(k) for k in (1, 2, 5, 10)),
        *(recall_at(k) for k in (1, 2, 5, 10)),
        mrr_at(10),
        exact_match(),
        token_f1(),
        quotes_hold(),
        abstained(),
        hops(),
        *growth_scorers(),
        calls(),
        tokens(),
        cost(),
        seconds(),
    ),
    description="OTT-QA: questions over Wikipedia tables and the pages they link to; every second hop is a link.",
    setup=(
        "Set BACKTRAIL_DATA to the folder that holds ottqa/, then make the corpus with: "
        "backtrail ingest $BACKTRAIL_DATA/ottqa --corpus ottqa"
    ),
)
