"""InfoSeek: encyclopedic facts about the subject of a picture (Chen et al., EMNLP 2023).

Made from the official release by ``backtrail bundle infoseek``. It has no corpus: methods search the web. One row:

    {"id": "infoseek_val_00000000", "question": "In which city is this building?", "image": "pictures/000000.jpg",
     "answers": ["Cologne", "Köln", "Cologne, Germany"], "gold": [], "hops": 0,
     "tags": {"type": "String", "seen": "question", "picture": "kept", "wordings": ["Cologne", "…"]}}
"""

from __future__ import annotations

from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.infoseek import infoseek_overall, infoseek_score
from backtrail.evals.scorers.planner import planning_scorers
from backtrail.evals.scorers.tokens import nltk_f1, token_accuracy
from backtrail.evals.task import Task, data_file

INFOSEEK = Task(
    name="infoseek",
    corpus="infoseek",
    questions=data_file("infoseek", "questions.jsonl"),
    scorers=(infoseek_score(), infoseek_overall(), token_accuracy(), nltk_f1(), exact_match(), *planning_scorers()),
    by=("seen", "type", "picture"),
    description="InfoSeek: encyclopedic facts about the subject of a picture.",
    setup=(
        "Download the annotations and the pictures of OVEN (open-vision-language.github.io/infoseek), then: "
        "backtrail bundle infoseek RELEASE $BACKTRAIL_DATA/infoseek --split val. Search the web with --set "
        "web.provider=serpapi, or a corpus in its place with --corpus NAME"
    ),
)
