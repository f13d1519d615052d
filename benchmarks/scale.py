"""Measure the cost of writing and searching a corpus of a given size, by stage, with free embedding.

    python benchmarks/scale.py --documents 10000 [--changed 1] [--store binary] [--json FILE]
    python benchmarks/scale.py --documents 200000 --components 50 --sentences 1 --dimension 128 --store binary

Generates documents (five components each, one of them a table, with links), ingests them with a free embedder into a
temporary home, changes some, ingests again, and searches in a new process. A peak is that of the process so far;
memory of searches is resident memory, including mapped files. The second form is a shortened one: components of one
sentence have no subcomponents, and smaller vectors save disk space.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backtrail.ingest.pipeline import ingest
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.search.exact import component_scores
from backtrail.tools.embedders.protocol import Vectors

DIMENSION = 384
TOPICS = 2_000
_LATENT = 96  # vectors of real texts fill far fewer dimensions than they have
QUERIES = 200
_LONGEST_RUN = 20_000  # seconds that one ingest may take


class Free:
    """Free embedder: the first word of a text selects a topic, its hash selects noise."""

    def __init__(self, dimension: int = DIMENSION) -> None:
        self.dimension = dimension
        self.fingerprint = f"free:{dimension}"
        chosen = np.random.default_rng(7)
        self._topics = chosen.normal(size=(TOPICS, _LATENT)).astype(np.float32)
        self._spread = chosen.normal(size=(_LATENT, dimension)).astype(np.float32)
        self._noise = chosen.normal(size=(1 << 16, _LATENT)).astype(np.float32)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors [n, dimension], the same for the same text."""
        digests = [hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts]
        numbers = np.frombuffer(b"".join(digests), np.uint16).reshape(-1, 4)
        topics = [
            int.from_bytes(hashlib.blake2b(text.split(" ", 1)[0].encode(), digest_size=4).digest()) for text in texts
        ]
        mixed = self._topics[np.array(topics, np.int64) % TOPICS]
        mixed = mixed + 0.5 * self._noise[numbers[:, 0]] + 0.5 * self._noise[numbers[:, 1]]
        vectors = mixed @ self._spread
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class Stages:
    """Progress that records wall and processor time and peak memory of each stage of an ingest."""

    def __init__(self) -> None:
        self._begun: tuple[str, float, float] | None = None
        self.seconds: dict[str, float] = {}
        self.processor: dict[str, float] = {}
        self.peak_mb: dict[str, int] = {}

    def stage(self, name: str, total: int | None = None) -> None:
        """Record the time since the last stage began."""
        now, used = time.perf_counter(), time.process_time()
        if self._begun:
            before, began, had = self._begun
            self.seconds[before] = self.seconds.get(before, 0.0) + now - began
            self.processor[before] = self.processor.get(before, 0.0) + used - had
            self.peak_mb[before] = peak_mb()
        self._begun = (name, now, used)

    def advance(self, count: int = 1) -> None:
        """Do nothing."""


def peak_mb() -> int:
    """Return the peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def resident_mb(kind: str = "VmRSS") -> int:
    """Return the resident memory in MB: all of it (VmRSS), or without mapped files (RssAnon)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith(kind))) // 1024


class Shape(NamedTuple):
    """Size of each document, and of vectors."""

    components: int = 5
    sentences: int = 2
    words: int = 12
    dimension: int = DIMENSION


def write_bundle(folder: Path, documents: int, shape: Shape) -> None:
    """Write a bundle of generated documents."""
    folder.mkdir(exist_ok=True)
    with (folder / "documents.jsonl").open("w") as out:
        for number in range(documents):
            out.write(json.dumps({"id": f"d{number}", "title": _title(number), "url": f"https://example.org/{number}"}))
            out.write("\n")
    with (folder / "components.jsonl").open("w") as out:
        for number in range(documents):
            out.write(_lines(number, documents, shape, changed=False))


def change_bundle(folder: Path, documents: int, shape: Shape, changed: int) -> None:
    """Change the text of the last ``changed`` documents of a newly written bundle."""
    last = range(documents - changed, documents)
    with (folder / "components.jsonl").open("r+") as out:
        before = sum(len(_lines(number, documents, shape, changed=False)) for number in last)
        out.seek(out.seek(0, os.SEEK_END) - before)
        out.writelines(_lines(number, documents, shape, changed=True) for number in last)
        out.truncate()


def _lines(number: int, documents: int, shape: Shape, *, changed: bool) -> str:
    return "".join(json.dumps(line) + "\n" for line in _components(number, documents, shape, changed=changed))


_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "ar", "en", "il")]
_ODDS = [1 / (rank + 8) for rank in range(30_000)]  # frequencies of words by rank (Zipf)


def _word(number: int) -> str:
    parts = [_SYLLABLES[number % 112], _SYLLABLES[number // 112 % 112], _SYLLABLES[number * 7 % 112]]
    return "".join(parts[: 2 + number % 2])


_WORDS = [_word(number) for number in range(len(_ODDS))]
_SUMS = np.cumsum(_ODDS).tolist()


def _title(number: int) -> str:
    return f"{_word(number * 31 % 30_000).title()} {_word(number).title()} {number}"


def _sentence(chosen: random.Random, count: int = 12) -> str:
    words = chosen.choices(_WORDS, cum_weights=_SUMS, k=count - 1)
    return f"{words[0].title()} {' '.join(words[1:6])} {_word(chosen.randrange(30_000)).title()} {' '.join(words[6:])}."


def _components(number: int, documents: int, shape: Shape, *, changed: bool) -> Iterator[dict]:
    chosen = random.Random(number * 2 + changed)
    for position in range(shape.components):
        own = {"id": f"d{number}#{position}", "document": f"d{number}", "position": position}
        own |= {"section": f"Part {5 * position // shape.components // 2}", "links": []}
        if position == 0:
            targets = {f"d{chosen.randrange(documents)}" for _ in range(3)} - {f"d{number}"}
            own["links"] = [{"target": target, "anchor": "see"} for target in sorted(targets)]
        if position == 3:
            rows = [[chosen.choice(_WORDS), str(chosen.randrange(3_000))] for _ in range(3)]
            yield own | {
                "modality": "table",
                "table": {"caption": "Counts", "header": ["what", "how many"], "rows": rows},
            }
        else:
            text = " ".join(_sentence(chosen, shape.words) for _ in range(shape.sentences))
            yield own | {"modality": "text", "text": text}


def ingested(folder: Path, *, forget: bool = False, dimension: int = DIMENSION) -> dict:
    """Ingest in this process and return the measurements of every stage."""
    stages, started = Stages(), time.perf_counter()
    report = ingest([folder], "scale", embedder="free", opened=Free(dimension), progress=stages, forget=forget)
    found: dict = {"peak_mb": stages.peak_mb}
    for name in ("seconds", "processor"):
        found[name] = {stage: round(value, 2) for stage, value in getattr(stages, name).items()}
    changes = {"added": report.added, "changed": report.changed, "embedded": report.embedded}
    return found | changes | {"all": round(time.perf_counter() - started, 2), "peak": peak_mb()}


def searched(documents: int, dimension: int = DIMENSION) -> dict:
    """Open the corpus in this process and measure the first query and later ones."""
    chosen = random.Random(3)
    texts = [_sentence(chosen) for _ in range(QUERIES)]
    queries = Free(dimension).embed(texts)
    started, used = time.perf_counter(), time.process_time()
    corpus = open_corpus("scale", embedder=Free(dimension))
    opened = time.perf_counter() - started
    _hop(corpus, queries[0], texts[0], 0, documents)
    first, first_used = time.perf_counter() - started, time.process_time() - used
    times, processor = [], []
    for number, (query, text) in enumerate(zip(queries[1:], texts[1:], strict=True)):
        started, used = time.perf_counter(), time.process_time()
        _hop(corpus, query, text, number, documents)
        times.append(1_000 * (time.perf_counter() - started))
        processor.append(1_000 * (time.process_time() - used))
    resident, anonymous = resident_mb(), resident_mb("RssAnon")
    recalls = [_recall(corpus, query) for query in queries[:20]]
    return {
        "open_s": round(opened, 2),
        "first_query_s": round(first, 2),
        "first_query_processor_s": round(first_used, 2),
        "hop_p50_ms": round(statistics.median(times), 1),
        "hop_p95_ms": round(float(np.percentile(times, 95)), 1),
        "hop_processor_p50_ms": round(statistics.median(processor), 1),
        "hop_processor_p95_ms": round(float(np.percentile(processor, 95)), 1),
        "parts_p50_ms": _parts(corpus, queries, texts, documents),
        "resident_mb": resident,
        "anonymous_mb": anonymous,
        "recall_at_10": round(statistics.mean(recalls), 3),
    }


def _hop(corpus, query: Vectors, text: str, number: int, documents: int) -> None:
    """Search as methods do: half of the hops in the whole corpus, the others along links."""
    if number % 2:
        children = [one for ids in corpus.children([f"d{number % documents}"]).values() for one in ids]
        reached = {link.target for links in corpus.links(children).values() for link in links}
        near = [hit["id"] for hit in corpus.search_documents(query, "subcomponent", 5, reached)]
    else:
        near = [hit["id"] for hit in corpus.search_documents(query, "subcomponent", 10)]
    hits = corpus.search_components(query, "subcomponent", 10, near)
    corpus.components([hit["id"] for hit in hits])


def _parts(corpus, queries: Vectors, texts: Sequence[str], documents: int) -> dict[str, float]:
    """Return the median milliseconds of each kind of search."""
    works = {
        "documents by sentences": lambda q, t: corpus.search_documents(q, "subcomponent", 10),
        "documents by components": lambda q, t: corpus.search_documents(q, "component", 10),
        "components by sentences": lambda q, t: corpus.search_components(q, "subcomponent", 10),
        "words of components": lambda q, t: corpus.search_lexical(t, "component", 10),
        "words of sentences": lambda q, t: corpus.search_lexical(t, "subcomponent", 10),
        "words in context": lambda q, t: corpus.search_in_context(t, 10),
    }
    found = {}
    for name, work in works.items():
        times = []
        for query, text in zip(queries[:60], texts[:60], strict=True):
            started = time.perf_counter()
            work(query, text)
            times.append(1_000 * (time.perf_counter() - started))
        found[name] = round(statistics.median(times), 1)
    return found


def _recall(corpus, query: Vectors) -> float:
    """Return the share of the ten exactly best components by sentences that a search of the corpus finds."""
    scores = component_scores(corpus._generation, None, query, by_pieces=True)
    tenth = np.sort(scores)[-10]
    hits = corpus.search_components(query, "subcomponent", 10)
    return sum(hit["score"] >= tenth - 2e-6 for hit in hits) / 10


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--changed", type=int, default=1, help="documents that differ in the second ingest")
    parser.add_argument("--components", type=int, default=5, help="components per document, the fourth a table")
    parser.add_argument("--sentences", type=int, default=2, help="sentences per text; 1 gives no subcomponents")
    parser.add_argument("--words", type=int, default=12, help="words per sentence")
    parser.add_argument("--dimension", type=int, default=DIMENSION, help="dimension of the vectors")
    parser.add_argument("--forget", action="store_true", help="erase the old contents in the second ingest")
    parser.add_argument("--store", help="vector store: auto, chroma, binary or lance")
    parser.add_argument("--home", type=Path, help="keep the corpus in this folder, or reuse one")
    parser.add_argument("--json", type=Path, help="write the measurements to this file")
    parser.add_argument("--part", choices=("first", "again", "search"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        _run_part(options)
        return
    with tempfile.TemporaryDirectory() as made:
        home = options.home or Path(made)
        home.mkdir(parents=True, exist_ok=True)
        found: dict = {"documents": options.documents, "changed": options.changed, "store": options.store or "auto"}
        for part in ("first", "again", "search"):
            found[part] = _measured(part, home, options)
            print(f"{part}: {json.dumps(found[part])}", flush=True)
    _print_table(found)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


def _measured(part: str, home: Path, options: argparse.Namespace) -> dict:
    """Run one part in a new process, so that its memory is measured alone."""
    shape = Shape(options.components, options.sentences, options.words, options.dimension)
    if part == "first":
        write_bundle(home / "bundle", options.documents, shape)
    if part == "again":
        change_bundle(home / "bundle", options.documents, shape, options.changed)
    command = [sys.executable, __file__, "--part", part, "--home", str(home), "--documents", str(options.documents)]
    command += ["--dimension", str(options.dimension)]
    command += ["--forget"] if options.forget and part == "again" else []
    chosen = {"BACKTRAIL_VECTOR_STORE": options.store} if options.store else {}
    environment = os.environ | {"BACKTRAIL_HOME": str(home / "home")} | chosen
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_LONGEST_RUN, check=False)
    if done.returncode:
        raise SystemExit(f"{part} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def _run_part(options: argparse.Namespace) -> None:
    if options.part == "search":
        found = searched(options.documents, options.dimension)
    else:
        found = ingested(options.home / "bundle", forget=options.forget, dimension=options.dimension)
    print(json.dumps(found))


def _print_table(found: dict) -> None:
    first, again = found["first"], found["again"]
    print(f"\nSeconds, and seconds of processor in brackets:\n\n| stage | {found['documents']} documents | ", end="")
    print(f"{found['changed']} changed |\n|---|--:|--:|")
    for name in first["seconds"]:
        cells = (
            f"{one['seconds'].get(name, 0.0):.1f} ({one['processor'].get(name, 0.0):.1f})" for one in (first, again)
        )
        print(f"| {name} | {' | '.join(cells)} |")
    used = [sum(one["processor"].values()) for one in (first, again)]
    print(f"| all | {first['all']:.1f} ({used[0]:.1f}) | {again['all']:.1f} ({used[1]:.1f}) |")
    print(f"| peak MB | {first['peak']} | {again['peak']} |\n")
    for name, value in found["search"].items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
