"""Dyn-VQA: dynamic questions about pictures, in English and Chinese (Li et al., ICLR 2025).

Made from the official release by ``backtrail bundle dynvqa``. It has no corpus: methods search the web. One row:

    {"id": "en1", "question": "What is the name of his third child?", "image": "pictures/000000.jpeg",
     "answers": ["莱昂纳多·迪卡普里奥没有任何孩子。", "Leonardo DiCaprio does not have any children."], "gold": [],
     "hops": 0, "tags": {"language": "en", "picture": "kept",
     "queries": ["What is the name of Leonardo DiCaprio's third child?"]}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.actions import action_scorers
from backtrail.evals.scorers.answers import exact_match
from backtrail.evals.scorers.planner import planner_scorers
from backtrail.evals.scorers.reformulation import query_bleu, query_f1, query_rouge
from backtrail.evals.scorers.searches import search_scorers
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens
from backtrail.evals.scorers.tokens import nltk_f1, token_accuracy
from backtrail.evals.task import Task, data_file

DYNVQA = Task(
    name="dynvqa",
    corpus="dynvqa",
    questions=data_file("dynvqa", "questions.jsonl"),
    scorers=(
        token_accuracy(), nltk_f1(), exact_match(), abstained(), query_bleu(), query_rouge(), query_f1(),
        *action_scorers(), *search_scorers(), *planner_scorers(), calls(), tokens(), cost(), seconds(),
    ),
    by=("language", "picture"),
    description="Dyn-VQA: answers that change, several hops, several modalities; searches the web.",
    setup=(
        "Clone github.com/Alibaba-NLP/OmniSearch, then: backtrail bundle dynvqa OmniSearch $BACKTRAIL_DATA/dynvqa "
        "--split test.202412 --download (test takes the newest version, which has fewer questions than papers use). "
        "Search the web with --set web.provider=serpapi, or a corpus in its place with --corpus NAME"
    ),
)  # fmt: skip
