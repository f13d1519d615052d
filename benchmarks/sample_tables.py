"""Copy the part of a release of WikiTableQuestions or TAT-QA that a sample of its questions needs.

    python benchmarks/sample_tables.py wikitablequestions RELEASE OUT --split train --questions 40 --distractors 60
    python benchmarks/sample_tables.py tatqa RELEASE OUT --questions 30 --distractors 60

The first questions in the order of ``backtrail bundle`` are taken with their tables, and further tables in the order of
the sha1 of their names. OUT has the layout of the release and only these questions.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from backtrail.evals.formats.hash_order import hash_order
from backtrail.evals.formats.lines import found
from backtrail.evals.formats.wikitablequestions import SPLITS


def sample_wikitablequestions(source: Path, out: Path, split: str, questions: int, distractors: int) -> None:
    """Copy the file of the split with its first questions, their tables and further tables."""
    file = found(source, f"data/{SPLITS.get(split, split)}.tsv")
    heading, *lines = [line for line in file.read_text(encoding="utf-8").split("\n") if line]
    drawn = hash_order(lines, lambda line: line.split("\t")[0])[:questions]
    tables = dict.fromkeys(line.split("\t")[2].removesuffix(".csv") for line in drawn)
    names = [path.relative_to(source).with_suffix("").as_posix() for path in source.glob("csv/*-csv/*.tsv")]
    others = [name for name in hash_order(names, str) if name not in tables][:distractors]
    for name in (*tables, *others):
        for part in (f"{name}.tsv", f"{name.replace('csv', 'page')}.json"):
            if part.startswith("page/") and not (source / part).is_file():
                continue
            (out / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / part, out / part)
    (out / "data").mkdir()
    (out / "data" / file.name).write_text("\n".join([heading, *drawn]) + "\n", encoding="utf-8")
    print(f"{len(drawn)} questions, {len(tables)} tables, {len(others)} distractors")


def sample_tatqa(source: Path, out: Path, split: str, questions: int, distractors: int) -> None:
    """Copy the file of the split with the contexts of its first questions, and further contexts without questions."""
    file = found(source, f"dataset_raw/tatqa_dataset_{split}.json", f"tatqa_dataset_{split}.json")
    contexts = hash_order(json.loads(file.read_text(encoding="utf-8")), lambda one: one["table"]["uid"])
    ids = [question["uid"] for context in contexts for question in context["questions"]]
    drawn = set(hash_order(ids, str)[:questions])
    for context in contexts:
        context["questions"] = [one for one in context["questions"] if one["uid"] in drawn]
    needed = [context for context in contexts if context["questions"]]
    others = [context for context in contexts if not context["questions"]][:distractors]
    (out / "dataset_raw").mkdir(parents=True)
    written = json.dumps([*needed, *others], ensure_ascii=False)
    (out / "dataset_raw" / file.name).write_text(written, encoding="utf-8")
    print(f"{len(drawn)} questions, {len(needed)} contexts, {len(others)} distractors")


def main(arguments: Sequence[str] | None = None) -> None:
    """Copy a sample, by the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("layout", choices=["wikitablequestions", "tatqa"])
    parser.add_argument("release", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--distractors", type=int, default=60)
    options = parser.parse_args(arguments)
    sample = sample_tatqa if options.layout == "tatqa" else sample_wikitablequestions
    sample(options.release, options.out, options.split, options.questions, options.distractors)


if __name__ == "__main__":
    main()
