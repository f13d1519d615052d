"""Check whether two states of a corpus, or of the code, give the same rankings.

    python benchmarks/same_rankings.py record CORPUS BUNDLE/questions.jsonl BEFORE.json [--questions 100]
    python benchmarks/same_rankings.py compare BEFORE.json AFTER.json [--recall 0.98]

Records, for questions spread over a file, the ten best hits with scores of every search of a corpus in $BACKTRAIL_HOME,
and FiF's ranking by rules. Order and scores, to the sixth digit, must be the same for exact searches; searches that may
use an index (whole corpus by vectors, and FiF) must share the given fraction of hits. The exit status is 1 otherwise.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable
from pathlib import Path

from backtrail.graphs.methods import find_method
from backtrail.state.settings import Settings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.reader import StoredCorpus
from backtrail.tools.toolbox import Toolbox

LAYERS = ("document", "component", "subcomponent")
BEST = 10
_APART = 2e-6  # scores are rounded to the sixth digit

Ranking = list[tuple[str, float]]


def searches(corpus: StoredCorpus, question: str) -> dict[str, Ranking]:
    """Return the ranking of every search for a question."""
    query = corpus.embed([question])[0]
    words = [hit["id"] for hit in corpus.search_lexical(question, "document", BEST)]
    found = {"exact: components in context by words": corpus.search_in_context(question, BEST)}
    for layer in LAYERS:
        found[f"exact: {layer}s by words"] = corpus.search_lexical(question, layer, BEST)
        found[f"exact: documents among ten by {layer}s"] = corpus.search_documents(query, layer, BEST, words)
        found[f"exact: components of ten by {layer}s"] = corpus.search_components(query, layer, BEST, words)
        found[f"index: documents by {layer}s"] = corpus.search_documents(query, layer, BEST)
        found[f"index: components by {layer}s"] = corpus.search_components(query, layer, BEST)
    context = corpus.contexts(question, [one for ids in corpus.children(words).values() for one in ids])
    plain = {name: [(hit["id"], hit["score"]) for hit in hits] for name, hits in found.items()}
    plain["exact: how what ten documents hold fits"] = sorted(context.items())
    return plain


async def by_fif(corpus: str, question: str, run: Callable) -> Ranking:
    """Return FiF's ranking by rules."""
    state = await run({"question": question}, context=Settings(corpus=corpus))
    return [(hit["id"], hit["score"]) for hit in state["ranking"][:BEST]]


def record(options: argparse.Namespace) -> int:
    """Write the rankings of questions."""
    lines = [line for line in options.file.read_text().splitlines() if line.strip()]
    texts = [json.loads(line)["question"] for line in lines]
    texts = texts[:: max(len(texts) // options.questions, 1)][: options.questions]
    corpus, found = open_corpus(options.corpus), dict[str, list[Ranking]]()
    fif = find_method("fif").build(Toolbox()).compile().ainvoke
    for text in texts:
        rankings = searches(corpus, text) | {"index: FiF": asyncio.run(by_fif(options.corpus, text, fif))}
        for name, ranking in rankings.items():
            found.setdefault(name, []).append(ranking)
    options.to.write_text(json.dumps({"questions": texts, "rankings": found}))
    print(f"{sum(map(len, found.values()))} rankings of {len(texts)} questions, corpus version {corpus.version}")
    return 0


def compare(options: argparse.Namespace) -> int:
    """Print how many rankings of each search are the same; return 0 if they are as required."""
    before, after = (json.loads(file.read_text()) for file in (options.before, options.after))
    if before["questions"] != after["questions"] or before["rankings"].keys() != after["rankings"].keys():
        raise SystemExit("The files differ in questions or searches. Record both with the same version of this script.")
    good = True
    print("| search | rankings | the same | shared hits |\n|---|--:|--:|--:|")
    for name, first in before["rankings"].items():
        pairs = list(zip(first, after["rankings"][name], strict=True))
        equal = sum(same(*pair) for pair in pairs)
        hits = sum(len({id_ for id_, _ in one} & {id_ for id_, _ in other}) for one, other in pairs)
        recall = hits / max(sum(max(len(one), len(other)) for one, other in pairs), 1)
        good &= equal == len(pairs) if name.startswith("exact") else recall >= options.recall
        print(f"| {name} | {len(pairs)} | {equal} | {recall:.4f} |")
    print("the same" if good else "NOT THE SAME")
    return 0 if good else 1


def same(one: Ranking, other: Ranking) -> bool:
    """Return whether two rankings have the same hits in the same order, with the same scores."""
    if [id_ for id_, _ in one] != [id_ for id_, _ in other]:
        return False
    return all(abs(first - second) <= _APART for (_, first), (_, second) in zip(one, other, strict=True))


def main() -> int:
    """Record or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(required=True)
    recording = parts.add_parser("record", help="write the rankings of questions to a file")
    recording.add_argument("corpus")
    recording.add_argument("file", type=Path, help="JSON lines with a question each")
    recording.add_argument("to", type=Path)
    recording.add_argument("--questions", type=int, default=100)
    recording.set_defaults(run=record)
    comparing = parts.add_parser("compare", help="compare two such files")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--recall", type=float, default=0.98, help="minimum share of common hits, with an index")
    comparing.set_defaults(run=compare)
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    raise SystemExit(main())
