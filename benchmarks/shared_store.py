"""Measure the cost of a shared corpus: upload, mirror, one changed document; and test it with faults.

    python benchmarks/shared_store.py --documents 2000 [--objects] [--json FILE]
    python benchmarks/shared_store.py --faults 5

Documents and free embedder are those of ``scale.py``. The store is a folder, or with ``--objects`` an object store on
loopback with a PostgreSQL server. With ``--faults`` a publisher is killed that often, each time at another point, and
another one publishes after it, every third time with the store offline; at the end a new machine checks that each
document is there once.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[1] / "tests")]

from fixtures.hashed_embedder import HashedEmbedder
from fixtures.postgres import binaries, running_postgres
from fixtures.tiny_corpora import prepared
from loopback.object_store import ObjectStore
from scale import Free, Shape, change_bundle, peak_mb, write_bundle

from backtrail.ingest.pipeline import ingest
from backtrail.tools.corpus.errors import CorpusError
from backtrail.tools.corpus.manage import check
from backtrail.tools.corpus.move import share
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.store import lance_table
from backtrail.tools.corpus.store.pointer_postgres import PostgresTurn
from backtrail.tools.corpus.store.publication import Publication
from backtrail.tools.corpus.store.sync_mirror import sync_mirror
from backtrail.tools.corpus.store_address import StoreAddress, read_address
from backtrail.tools.corpus.writing.progress import Silent

NAME = "scale"  # the name in ``scale.py``, which searches


@contextmanager
def stores(objects: bool, folder: Path) -> Iterator[ObjectStore | None]:
    """Set the environment for a store in a folder, or on loopback with Postgres."""
    with ExitStack() as stack:
        running = None
        address = f"lance:{folder / 'store'}"
        (folder / "store").mkdir()
        if objects:
            running = stack.enter_context(ObjectStore())
            address = "s3://bench/corpora"
            programs = binaries()
            if programs is None:
                raise SystemExit("PostgreSQL is not installed.")
            os.environ |= running.environment
            os.environ["BACKTRAIL_DATABASE_URL"] = stack.enter_context(running_postgres(programs))
        os.environ["BACKTRAIL_STORE"] = address
        os.environ["BACKTRAIL_VECTOR_STORE"] = "binary"
        yield running


def stand(folder: Path, machine: str) -> None:
    """Act as a machine, by its home."""
    os.environ["BACKTRAIL_HOME"] = str(folder / machine)


def timed(what: str, done: dict[str, float], work: Callable[[], object]) -> None:
    """Record wall seconds and processor seconds of this process."""
    began, used = time.perf_counter(), time.process_time()
    work()
    done[what] = round(time.perf_counter() - began, 2)
    done[f"{what}, processor"] = round(time.process_time() - used, 2)
    print(f"{what:48} {done[what]:8.2f} s {done[f'{what}, processor']:8.2f} s of processor", flush=True)


def costs(folder: Path, documents: int, running: ObjectStore | None) -> dict[str, float]:
    """Measure each step once, in the order of a corpus's life."""
    done: dict[str, float] = {}
    free = Free()
    bundle = folder / "bundle"
    write_bundle(bundle, documents, Shape())
    address = read_address(os.environ.pop("BACKTRAIL_STORE"))
    stand(folder, "a")
    timed("ingest here", done, lambda: ingest([bundle], NAME, embedder="free", opened=free))
    searched("in a home", done, documents)
    timed("move into the store", done, lambda: share(NAME, address))
    done["stored MB"] = stored_mb(folder, running)
    os.environ["BACKTRAIL_STORE"] = str(address)
    stand(folder, "b")
    timed("first copy on another machine", done, lambda: sync_mirror(NAME))
    stand(folder, "a")
    change_bundle(bundle, documents, Shape(), 1)
    timed("ingest of one changed document, published", done, lambda: ingest([bundle], NAME, opened=free))
    stand(folder, "b")
    timed("following it", done, lambda: sync_mirror(NAME))
    timed("looking when nothing changed", done, lambda: sync_mirror(NAME))
    searched("in a mirror", done, documents)
    done["MB after one change"] = stored_mb(folder, running)
    done["same rankings of"] = same_rankings(folder, free)
    done["peak MB"] = peak_mb()
    return done


def searched(where: str, done: dict[str, float], documents: int) -> None:
    """Record the first query and the hops of a new process over the corpus of the home or its mirror."""
    script = Path(__file__).with_name("scale.py")
    command = [sys.executable, str(script), "--part", "search", "--documents", str(documents)]
    result = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    done |= {f"{what} {where}": value for what, value in json.loads(result).items() if what != "parts_p50_ms"}


def same_rankings(folder: Path, free: Free) -> int:
    """Compare rankings of the two homes for 100 queries, by vectors and by words; return their number."""
    readers = []
    for machine in ("a", "b"):
        stand(folder, machine)
        readers.append(open_corpus(NAME, embedder=free))
    first, second = readers
    asked = random.Random(3)
    compared = 0
    for _ in range(100):
        some = f"d{asked.randrange(len(first._generation.documents))}"
        text = next(iter(first.components(first.children([some])[some]).values())).text or some
        query = first.embed([text])
        for layer in ("document", "component", "subcomponent"):
            assert first.search_components(query, layer, 10) == second.search_components(query, layer, 10)
            assert first.search_documents(query, layer, 10) == second.search_documents(query, layer, 10)
            assert first.search_lexical(text[:60], layer, 10) == second.search_lexical(text[:60], layer, 10)
            compared += 3
    return compared


def stored_mb(folder: Path, running: ObjectStore | None) -> float:
    """Return the size of the store in MB."""
    if running:
        return round(sum(map(len, running.objects.values())) / 1e6, 1)
    return round(sum(file.stat().st_size for file in (folder / "store").rglob("*") if file.is_file()) / 1e6, 1)


def faults(folder: Path, times: int, running: ObjectStore) -> dict[str, float]:
    """Kill publishers at random, take the store offline, and check that each document is there once."""
    stand(folder, "a")
    publish(["d0"])
    stand(folder, "reader")
    reading = open_corpus(NAME, embedder=HashedEmbedder())
    done: dict[str, float] = {"killed": 0, "had published before": 0, "refused": 0}
    expected = {"d0"}
    chosen = random.Random(5)
    for number in range(1, times + 1):
        machine = chosen.choice("ab")
        stand(folder, machine)
        killed = kill_publisher(f"k{number}", chosen.choice([0, *range(1, 50, 3)]))
        running.away = number % 3 == 0
        try:
            publish([f"d{number}"])
            expected.add(f"d{number}")
        except CorpusError as error:
            done["refused"] += 1
            print(f"refused: {type(error).__name__}")
        running.away = False
        stand(folder, "reader")
        sync_mirror(NAME)
        reading = open_corpus(NAME, embedder=HashedEmbedder())
        held = set(reading.documents([f"{kind}{n}" for kind in "dk" for n in range(times + 1)]))
        assert expected <= held, (expected, held)
        done["killed"] += killed
        done["had published before"] += f"k{number}" in held
        expected = held
    stand(folder, "newcomer")
    reading = open_corpus(NAME, embedder=HashedEmbedder())
    assert set(reading.documents([f"{kind}{n}" for kind in "dk" for n in range(times + 1)])) == expected
    assert check(NAME) == []
    done["documents at the end"] = len(expected)
    return done


def publish(ids: list[str]) -> None:
    """Store documents and publish."""
    with open_writer(NAME, "hashed", HashedEmbedder()) as writer:
        writer.put([prepared(id_, [(f"text of {id_} number {n}", [f"piece {n}"]) for n in range(20)]) for id_ in ids])
        writer.publish(Silent())


def kill_publisher(id_: str, at: int) -> bool:
    """Publish in a new process that is killed before the given use of the store; return whether it was."""
    process = multiprocessing.get_context("spawn").Process(target=publish_until, args=(id_, at))
    process.start()
    process.join()
    return process.exitcode == -signal.SIGKILL


def publish_until(id_: str, at: int) -> None:
    """Publish and die at a use of the store; at 0 after the pointer moved, before the home commits."""
    whole, uses, move = lance_table.reaching, itertools.count(1), PostgresTurn.move

    def reaching(address: StoreAddress) -> AbstractContextManager[None]:
        if next(uses) == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return whole(address)

    def move_and_die(self: PostgresTurn, publication: Publication) -> None:
        move(self, publication)
        if not at:
            os.kill(os.getpid(), signal.SIGKILL)

    lance_table.reaching = reaching
    PostgresTurn.move = move_and_die  # type: ignore[method-assign]
    publish([id_])


def main() -> None:
    """Read the options, measure, print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--documents", type=int, default=2_000)
    options.add_argument("--objects", action="store_true", help="an object store on loopback, with Postgres")
    options.add_argument("--faults", type=int, default=0, help="number of publishers to kill, instead of measuring")
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as made, stores(chosen.objects or bool(chosen.faults), Path(made)) as running:
        if chosen.faults:
            assert running is not None
            done = faults(Path(made), chosen.faults, running)
        else:
            done = costs(Path(made), chosen.documents, running)
    print(json.dumps(done, indent=1))
    if chosen.json:
        chosen.json.write_text(json.dumps(done))


if __name__ == "__main__":
    main()
