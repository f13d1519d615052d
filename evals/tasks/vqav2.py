"""VQA v2.0: open questions about COCO pictures, ten answers each (Goyal et al., CVPR 2017; CC BY 4.0).

Made from the official release by ``backtrail bundle vqav2``. It has no corpus: methods search the web. One row:

    {"id": "42000", "question": "Is it raining?", "image": "pictures/000000.jpg", "answers": ["no", "yes"], "gold": [],
     "hops": 0, "tags": {"people": ["no", "no", "yes", "…"], "type": "yes/no", "picture": "kept"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.planner import planning_scorers
from backtrail.evals.scorers.tokens import nltk_f1, token_accuracy
from backtrail.evals.scorers.vqa_accuracy import vqa_accuracy
from backtrail.evals.task import Task, data_file

VQAV2 = Task(
    name="vqav2",
    corpus="vqav2",
    questions=data_file("vqav2", "questions.jsonl"),
    scorers=(vqa_accuracy(), token_accuracy(), nltk_f1(), exact_match(), *planning_scorers()),
    by=("type", "picture"),
    description="VQA v2.0: everyday questions about photographs.",
    setup=(
        "Download questions, annotations and pictures (visualqa.org), then: backtrail bundle vqav2 RELEASE "
        "$BACKTRAIL_DATA/vqav2 --split val. Search the web with --set web.provider=serpapi, or a corpus in "
        "its place with --corpus NAME"
    ),
)
