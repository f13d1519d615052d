"""ScienceQA: multiple-choice questions of science lessons (Lu et al., NeurIPS 2022; CC BY-NC-SA 4.0).

Made by ``backtrail bundle scienceqa``, from the official release or from a minitest. One row:

    {"id": "534",
     "question": "Question: Which drop of honey has a higher temperature?\\nContext: Two drops of honey are
                  identical except for their thermal energies.\\nOptions: (A) the drop with less thermal energy
                  (B) the drop with more thermal energy",
     "image": null, "answers": ["the drop with more thermal energy"], "gold": [], "hops": 0,
     "tags": {"options": ["…", "…"], "label": "B", "subject": "NAT", "context": ["TXT"], "grade": "G1-6"}}
"""

from __future__ import annotations

from backtrail.evals.scorers.abstention import abstained
from backtrail.evals.scorers.choice import accuracy, accuracy_when_answered, unclear
from backtrail.evals.scorers.spending import calls, cost, seconds, tokens
from backtrail.evals.task import Task, data_file

SCIENCEQA = Task(
    name="scienceqa",
    corpus="scienceqa",
    questions=data_file("scienceqa", "questions.jsonl"),
    scorers=(
        accuracy(), accuracy_when_answered(), abstained(), unclear(), calls(), tokens(), cost(), seconds(),
    ),
    by=("subject", "context", "grade"),
    description="ScienceQA: multiple choice in the QCM form, by subject, context and grade.",
    setup=(
        "Unpack the official release, then: backtrail bundle scienceqa RELEASE $BACKTRAIL_DATA/scienceqa --split test "
        "&& backtrail ingest $BACKTRAIL_DATA/scienceqa --corpus scienceqa --no-ocr. A minitest needs another folder: "
        "backtrail bundle scienceqa FOLDER OUT --split minitest, then --questions OUT/questions.jsonl --corpus NAME"
    ),
)  # fmt: skip
