"""Measure how often the table row that links to a gold passage is cut off in a prompt.

    python benchmarks/linking_rows.py ottqa $BACKTRAIL_DATA/ottqa/questions.jsonl [--questions 200]

Over questions whose gold is a table and a page that one of its rows links to: the share of which all linking rows are
missing in the prompt. Compares tables cut after a number of characters, rows that fit the question within as many, as
in prompts of the published variant, and rows within a share of the budget of ours.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from backtrail.nodes.fif.advance_context import SIGHT_CHARACTERS
from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.reading.component_views import component_text
from backtrail.nodes.reading.fit_prompt_budget import fit_prompt_budget
from backtrail.nodes.reading.truncate_component import truncate_component
from backtrail.state.component import Component
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.protocol import CorpusReader

CUTS = {"its beginning, 500 characters": 500, "its beginning, 600": 600, "its beginning, 1,600": 1_600}
FITTED = {"rerank as published, 500": 500, "select as published, 600": 600, "evaluate as published, 1,600": 1_600}
SHOWN_BESIDE = 15
"""Shown components: each gets a share of the budget, a table at least ``LEAST_OF_TABLE``."""
ALONE, BESIDE = "what fits", "what fits, with the page in sight"


def linking_rows(corpus: CorpusReader, gold: list[str]) -> tuple[Component, set[int]] | None:
    """Return the gold table with the rows that link to another gold page; None without such a row."""
    components = corpus.components(gold)
    tables = [component for component in components.values() if component.table is not None]
    pages = {component.document for component in components.values() if component.table is None}
    for table in tables:
        rows = {link.row for link in table.links if link.target in pages and link.row is not None}
        if rows:
            return table, rows
    return None


def shown_whole(text: str) -> set[int]:
    """Return the numbers of the table rows that a text contains in full."""
    lines = text.split("\n")[2:]
    complete = lines[:-1] if lines and lines[-1].endswith("…") else lines
    return {int(line.split(":", 1)[0]) for line in complete if line.split(":", 1)[0].isdigit()}


def measured(corpus: CorpusReader, questions: Iterator[dict[str, object]], most: int) -> None:
    """Print the shares."""
    cut = dict.fromkeys([*CUTS, *FITTED, ALONE, BESIDE], 0)
    asked = 0
    for question in questions:
        gold = [str(one) for group in question["gold"] for one in (group if isinstance(group, list) else [group])]  # type: ignore[attr-defined]
        found = linking_rows(corpus, gold)
        if found is None:
            continue
        asked += 1
        table, rows = found
        for name, characters in CUTS.items():
            cut[name] += not rows & shown_whole(component_text(table, characters))
        for name, characters in FITTED.items():
            text = truncate_component(Covering(corpus, str(question["question"])), table, characters)
            cut[name] += not rows & shown_whole(text)
        question_text, share = str(question["question"]), SIGHT_CHARACTERS // SHOWN_BESIDE
        pages = [key for key, one in corpus.components(gold).items() if one.table is None]
        for name, ids in ((ALONE, [table.id]), (BESIDE, [table.id, *pages])):
            components = corpus.components(ids)
            documents = corpus.documents([one.document for one in components.values()])
            texts = fit_prompt_budget(Covering(corpus, question_text), components, documents, {}, share * len(ids))
            shown = texts[table.id].shown
            cut[name] += shown is not None and not rows & set(shown)
        if asked >= most:
            break
    print(f"{asked} questions with a linking row; all of its linking rows cut off:")
    for name, count in cut.items():
        print(f"  {name}: {100 * count / max(asked, 1):.1f} % ({count})")


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("questions_file", type=Path)
    parser.add_argument("--questions", type=int, default=1_000_000)
    arguments = parser.parse_args()
    with arguments.questions_file.open(encoding="utf-8") as lines:
        measured(open_corpus(arguments.corpus), (json.loads(line) for line in lines), arguments.questions)


if __name__ == "__main__":
    main()
