"""CogBench: multi-hop questions about screenshots, with planning rounds (Yu et al., SIGIR-AP 2025).

The data is not public; for the layout see ``backtrail.evals.formats.cogbench``. One row of the bundle:

    {"id": "cb-17", "question": "Which sold more, this game or its predecessor?", "image": "pictures/000000.jpg",
     "answers": ["Astro Bot sold …"], "gold": [], "hops": 3,
     "tags": {"domain": "games", "steps": ">2", "form": "closed", "picture": "kept",
     "actions": ["image search", "text search", "no search"], "queries": ["…"]}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.actions import action_scorers
from backtrail.evals.scorers.planner import planner_scorers
from backtrail.evals.scorers.reformulation import query_bleu, query_f1, query_rouge
from backtrail.evals.scorers.searches import search_scorers
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens
from backtrail.evals.scorers.tokens import nltk_f1
from backtrail.evals.task import Task, data_file

COGBENCH = Task(
    name="cogbench",
    corpus="cogbench",
    questions=data_file("cogbench", "questions.jsonl"),
    scorers=(
        nltk_f1(), abstained(), query_bleu(), query_rouge(), query_f1(),
        *action_scorers(), *search_scorers(), *planner_scorers(), calls(), tokens(), cost(), seconds(),
    ),
    by=("steps", "form", "domain"),
    description="CogBench: planning by steps of reasoning; claims are scored with --judge claims.",
    setup=(
        "Convert your records to the documented layout, then: backtrail bundle cogbench FOLDER "
        "$BACKTRAIL_DATA/cogbench --split test && backtrail ingest $BACKTRAIL_DATA/cogbench --corpus cogbench --no-ocr"
    ),
)  # fmt: skip
