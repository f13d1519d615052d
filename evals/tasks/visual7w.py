"""Visual7W telling: seven kinds of questions about COCO pictures (Zhu et al., CVPR 2016).

Made from the official release by ``backtrail bundle visual7w``. It has no corpus: methods search the web. One row:

    {"id": "200", "question": "Where are the people?", "image": "pictures/000000.jpg",
     "answers": ["Sidewalk", "Sidewalk."], "gold": [], "hops": 0,
     "tags": {"type": "where", "offered": ["Hotel.", "…"], "official": "Sidewalk.", "picture": "kept"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.planner import planning_scorers
from backtrail.evals.scorers.tokens import nltk_f1, token_accuracy
from backtrail.evals.scorers.visual7w import open_accuracy
from backtrail.evals.task import Task, data_file

VISUAL7W = Task(
    name="visual7w",
    corpus="visual7w",
    questions=data_file("visual7w", "questions.jsonl"),
    scorers=(open_accuracy(), token_accuracy(), nltk_f1(), exact_match(), *planning_scorers()),
    by=("type", "picture"),
    description="Visual7W: open questions of what, where, when, who, why and how.",
    setup=(
        "Download dataset_v7w_telling.zip and the pictures (ai.stanford.edu/~yukez/visual7w), then: backtrail "
        "bundle visual7w RELEASE $BACKTRAIL_DATA/visual7w --split test. Search the web with --set "
        "web.provider=serpapi, or a corpus in its place with --corpus NAME"
    ),
)
