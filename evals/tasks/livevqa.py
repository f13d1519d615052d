"""LiveVQA: questions about pictures of recent news, videos and papers (Fu et al., 2025).

Made from the official release by ``backtrail bundle livevqa``. It has no corpus: methods search the web. One row:

    {"id": "news/0_20250429164247179897/2", "question": "Which organization did the main character …?",
     "image": "pictures/000001.png", "answers": ["University of Bristol", "the University of Bristol"], "gold": [],
     "hops": 2, "tags": {"part": "news", "level": 2, "type": "organization", "source": "BBC Health", "time": "…",
     "picture": "kept", "offered": ["World Health Organization (WHO)", "…"]}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.actions import action_scorers
from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.planner import planner_scorers
from backtrail.evals.scorers.searches import search_scorers
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens
from backtrail.evals.scorers.tokens import nltk_f1, token_accuracy
from backtrail.evals.task import Task, data_file

LIVEVQA = Task(
    name="livevqa",
    corpus="livevqa",
    questions=data_file("livevqa", "questions.jsonl"),
    scorers=(
        token_accuracy(), nltk_f1(), exact_match(), abstained(),
        *action_scorers(), *search_scorers(), *planner_scorers(), calls(), tokens(), cost(), seconds(),
    ),
    by=("part", "level", "picture"),
    description="LiveVQA: the subject of a recent picture, and a follow-up; searches the web.",
    setup=(
        "Unpack the official release, then: backtrail bundle livevqa RELEASE $BACKTRAIL_DATA/livevqa --split test "
        "--download. Search the web with --set web.provider=serpapi, or a corpus in its place with --corpus NAME"
    ),
)  # fmt: skip
