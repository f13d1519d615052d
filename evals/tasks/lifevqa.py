"""Life VQA: everyday pictures of which models know little (Chen et al., 2025).

Made from the official release by ``backtrail bundle lifevqa``. It has no corpus: methods search the web. One row:

    {"id": "7", "question": "Which plant is this?", "image": "pictures/000000.jpg",
     "answers": ["Monstera", "Swiss cheese plant"], "gold": [], "hops": 0, "tags": {"picture": "kept"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.planner import planning_scorers
from backtrail.evals.scorers.tokens import nltk_f1, token_accuracy
from backtrail.evals.task import Task, data_file

LIFEVQA = Task(
    name="lifevqa",
    corpus="lifevqa",
    questions=data_file("lifevqa", "questions.jsonl"),
    scorers=(token_accuracy(), nltk_f1(), exact_match(), *planning_scorers()),
    by=("picture",),
    description="Life VQA: everyday questions that existing models answer badly.",
    setup=(
        "Convert the records to the documented layout, then: backtrail bundle lifevqa FOLDER "
        "$BACKTRAIL_DATA/lifevqa. Search the web with --set web.provider=serpapi, or a corpus in its place "
        "with --corpus NAME"
    ),
)
