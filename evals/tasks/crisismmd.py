"""CrisisMMD: classification of posts about disasters (Alam, Ofli and Imran, ICWSM 2018).

Three tasks as in HM-RAG: informative or not, humanitarian categories, and these with the rare ones merged.
Made by ``backtrail bundle crisismmd1`` (or 2, 2merged) from the official release. One row:

    {"id": "905274232590004225_0",
     "question": "Question: Is the following social media post informative for humanitarian aid?\\nContext:
                  hurricane irma: RT @x: Damage in …\\nOptions: (A) informative (B) not informative",
     "image": "pictures/000000.jpg", "answers": ["informative"], "gold": [], "hops": 0,
     "tags": {"options": ["informative", "not informative"], "label": "A", "event": "hurricane_irma"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.choice import accuracy, macro_f1, unclear
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens
from backtrail.evals.task import Task, data_file

_ASKED = {
    "crisismmd1": "informative or not",
    "crisismmd2": "eight humanitarian categories",
    "crisismmd2merged": "five humanitarian categories, rare ones merged",
}


def _task(name: str, asked: str) -> Task:
    return Task(
        name=name,
        corpus=name,
        questions=data_file(name, "questions.jsonl"),
        scorers=(accuracy(), macro_f1(), abstained(), unclear(), calls(), tokens(), cost(), seconds()),
        by=("event",),
        description=f"CrisisMMD: {asked}.",
        setup=(
            f"Unpack the official release, then: backtrail bundle {name} RELEASE $BACKTRAIL_DATA/{name} --split test "
            f"&& backtrail ingest $BACKTRAIL_DATA/{name} --corpus {name} --no-ocr --vlm MODEL "
            "(the release does not describe its pictures; without --vlm they are found by their posts only)"
        ),
    )


CRISISMMD = tuple(_task(name, asked) for name, asked in _ASKED.items())
