"""Whether two states of a corpus, or of the code, give the same rankings.

    python benchmarks/same_rankings.py record CORPUS BUNDLE/questions.jsonl BEFORE.json [--questions 100]
    python benchmarks/same_rankings.py compare BEFORE.json AFTER.json [--recall 0.98]

Records, for questions spread over a file, the ten best with their scores by every search of the corpus (of the home
that $BACKTRAIL_HOME names), and FiF's own ranking by rules. Compared are the order and the scores, to the sixth digit:
exact searches have to give the same, those that an index may propose rows to (everywhere, by vectors, and FiF) the
stated share of the same hits. Ends with 1 where they do not.
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
    """What every search gives for a question."""
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
    """FiF's ranking, by rules."""
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
    """Print, search by search, how many rankings are the same; 0 where they are as they have to be."""
    before, after = (json.loads(file.read_text()) for file in (options.before, options.after))
    if before["questions"] != after["questions"] or before["rankings"].keys() != after["rankings"].keys():
        raise SystemExit("These are of other questions or other searches: record both with this script.")
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
    """Whether two rankings have the same hits in the same order, with the same scores."""
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
    comparing.add_argument("--recall", type=float, default=0.98, help="least share of shared hits, with an index")
    comparing.set_defaults(run=compare)
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    raise SystemExit(main())
