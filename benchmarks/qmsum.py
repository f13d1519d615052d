"""Write meetings of QMSum and specific questions on them, for ``backtrail ingest`` and ``backtrail eval custom``.

    python -m qmsum QMSUM OUT [--count 20]
    backtrail ingest OUT/meetings --corpus qmsum
    backtrail eval custom --corpus qmsum --questions OUT/questions.jsonl --method fif --model … --judge points

QMSUM is a clone of Yale-LILY/QMSum. Each meeting of its test split becomes a text file with one paragraph per turn. A
question searches its own meeting; its evidence is each turn of the gold span that has at least eight words, as shorter
ones ("Right, okay.") occur all over a meeting; its key points are the sentences of the gold answer. Questions are drawn
by the SHA-1 of meeting and question.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backtrail.language.sentences import split_sentences

SHORTEST_EVIDENCE = 8
"""In words."""


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, metavar="QMSUM")
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=20, help="number of questions")
    options = parser.parse_args()
    meetings = {
        file.stem: json.loads(file.read_text(encoding="utf-8"))
        for file in sorted((options.source / "data/ALL/test").glob("*.json"))
    }
    folder = options.out / "meetings"
    folder.mkdir(parents=True, exist_ok=True)
    for name, meeting in meetings.items():
        (folder / f"{name}.txt").write_text("\n\n".join(turns(meeting)) + "\n", encoding="utf-8")
    drawn = sorted(
        (question for name, meeting in meetings.items() for question in questions(name, meeting)),
        key=lambda question: question["id"],
    )
    lines = (json.dumps(question, ensure_ascii=False) for question in drawn[: options.count])
    (options.out / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def turns(meeting: dict[str, Any]) -> list[str]:
    """Return the turns of a meeting as 'speaker: words'."""
    return [f"{turn['speaker']}: {' '.join(turn['content'].split())}" for turn in meeting["meeting_transcripts"]]


def questions(name: str, meeting: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the specific questions on a meeting, in the format of ``backtrail eval custom``."""
    spoken = turns(meeting)
    for asked in meeting["specific_query_list"]:
        spans = [(int(first), int(last)) for first, last in asked["relevant_text_span"]]
        gold = [turn for first, last in spans for turn in spoken[first : last + 1]]
        yield {
            "id": hashlib.sha1(f"{name}\t{asked['query']}".encode(), usedforsecurity=False).hexdigest()[:12],
            "question": asked["query"],
            "documents": [f"{name}.txt"],
            "evidence": [
                {"document": f"{name}.txt", "quote": turn}
                for turn in dict.fromkeys(gold)
                if len(turn.split()) >= SHORTEST_EVIDENCE
            ],
            "points": split_sentences(asked["answer"]),
        }


if __name__ == "__main__":
    main()
