"""NoCaps: describe pictures with objects unseen in training captions (Agrawal et al., ICCV 2019).

Made from the official release by ``backtrail bundle nocaps``. It has no corpus: methods search the web. One row:

    {"id": "0", "question": "Describe this picture in one sentence.", "image": "pictures/000000.jpg",
     "answers": ["A baby is standing in front of a house.", "…"], "gold": [], "hops": 0,
     "tags": {"domain": "in-domain", "picture": "kept"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.cider import cider
from backtrail.evals.scorers.planner import planning_scorers
from backtrail.evals.scorers.tokens import nltk_f1, token_accuracy
from backtrail.evals.task import Task, data_file

NOCAPS = Task(
    name="nocaps",
    corpus="nocaps",
    questions=data_file("nocaps", "questions.jsonl"),
    scorers=(cider(), token_accuracy(), nltk_f1(), exact_match(), *planning_scorers()),
    by=("domain", "picture"),
    description="NoCaps: describe a picture.",
    setup=(
        "Download nocaps_val_4500_captions.json (nocaps.org), then: backtrail bundle nocaps RELEASE "
        "$BACKTRAIL_DATA/nocaps --split val --download. Search the web with --set web.provider=serpapi, or a "
        "corpus in its place with --corpus NAME"
    ),
)
