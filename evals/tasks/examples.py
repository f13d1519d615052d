"""Demo questions: robots in the Solar System, over pages with text, tables and pictures.

Written for this project (Apache-2.0), see ``examples/README.md``. Two questions are unanswerable: a good method
abstains. One row:

    {"id": "eruption-rocket",
     "question": "Which launch vehicle carried the craft whose picture revealed the first volcanic
                  eruption ever seen beyond Earth?",
     "image": null, "answers": ["Titan IIIE-Centaur"],
     "gold": [["io.html#p2", "voyager-1.html#p3"], ["voyager-1.html#table-1"]],
     "hops": 2, "tags": {"kind": "text>table", "answer_in": "table", "bridge": ["Voyager 1"]}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained, correct_abstention
from backtrail.evals.scorers.answers import exact_match, token_f1
from backtrail.evals.scorers.growth import growth_scorers
from backtrail.evals.scorers.quotes import quotes_hold
from backtrail.evals.scorers.retrieval import hit_at, mrr_at, recall_at
from backtrail.evals.scorers.spending import calls, cost, hops, seconds, tokens
from backtrail.evals.task import Task, shipped_file

EXAMPLES = Task(
    name="examples",
    corpus="examples",
    questions=shipped_file("examples", "questions.jsonl"),
    scorers=(
        hit_at(1),
        hit_at(10),
        recall_at(10),
        mrr_at(10),
        exact_match(),
        token_f1(),
        quotes_hold(),
        abstained(),
        correct_abstention(),
        hops(),
        *growth_scorers(),
        calls(),
        tokens(),
        cost(),
        seconds(),
    ),
    description="The demo corpus: 30 questions over linked pages with text, tables and pictures.",
    setup="The package includes them. Ingest their pages first: backtrail demo --only-ingest",
)
