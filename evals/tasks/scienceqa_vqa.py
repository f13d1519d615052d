"""ScienceQA as VQA: whether and what a method searches for a question of a science lesson.

The questions of ``scienceqa`` in the QCM form, over a corpus that was not written for them: a textbook in place of the
web. Besides accuracy, the decisions and searches of planning methods are scored.
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.actions import action_scorers
from backtrail.evals.scorers.choice import accuracy, accuracy_when_answered, unclear
from backtrail.evals.scorers.planner import planner_scorers
from backtrail.evals.scorers.searches import search_scorers
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens
from backtrail.evals.task import Task, data_file

SCIENCEQA_VQA = Task(
    name="scienceqa_vqa",
    corpus="openstax",
    questions=data_file("scienceqa", "questions.jsonl"),
    scorers=(
        accuracy(), accuracy_when_answered(), abstained(), unclear(),
        *action_scorers(), *search_scorers(), *planner_scorers(), calls(), tokens(), cost(), seconds(),
    ),
    by=("context", "subject"),
    description="ScienceQA as VQA: own knowledge, text, pictures or both, over a textbook in place of the web.",
    setup=(
        "Make the questions with: backtrail bundle scienceqa RELEASE OUT --split test (or a folder with minitest.jsonl "
        "and --split minitest), and name them with --questions OUT/questions.jsonl. Any corpus can replace the web; "
        "the default is: backtrail ingest $BACKTRAIL_DATA/openstax --corpus openstax --no-ocr"
    ),
)  # fmt: skip
