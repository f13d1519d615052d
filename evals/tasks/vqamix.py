"""Mix: our sample of 100 questions of each public benchmark of the VQA planning agent.

Made from the bundles of the others by ``backtrail bundle vqamix``. It has no corpus: methods search the web. One row:

    {"id": "dynvqa-zh/17", "question": "…", "image": "pictures/000003.jpg", "answers": ["…"], "gold": [], "hops": 1,
     "tags": {"part": "dynvqa-zh", "language": "zh", "picture": "kept"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.planner import planning_scorers
from backtrail.evals.scorers.tokens import nltk_f1, token_accuracy
from backtrail.evals.task import Task, data_file

VQAMIX = Task(
    name="vqamix",
    corpus="vqamix",
    questions=data_file("vqamix", "questions.jsonl"),
    scorers=(token_accuracy(), nltk_f1(), exact_match(), *planning_scorers()),
    by=("part", "picture"),
    description="Mix: questions of all public benchmarks of the VQA planning agent.",
    setup=(
        "Make the bundles lifevqa, dynvqa, visual7w and nocaps, then: backtrail bundle vqamix $BACKTRAIL_DATA "
        "$BACKTRAIL_DATA/vqamix. Search the web with --set web.provider=serpapi, or a corpus in its place"
    ),
)
