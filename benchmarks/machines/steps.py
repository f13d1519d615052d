"""Steps of a machine, each a process: ``python steps.py STEP …``. Each prints events as JSON lines."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

sys.path += [str(Path(__file__).parents[2] / "tests")]

from fixtures.hashed_embedder import HashedEmbedder
from fixtures.tiny_corpora import prepared

from backtrail.ingest.pipeline import ingest as run_ingest
from backtrail.tools.corpus.errors import CorpusError
from backtrail.tools.corpus.manage import check, delete_documents
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.open_writer import open_writer
from backtrail.tools.corpus.store.push import Push
from backtrail.tools.corpus.writing.progress import Silent

NAME = "shared"


def say(**event: Any) -> None:
    """Print one event."""
    print(json.dumps(event), flush=True)


def put(*ids: str, stop: str = "") -> None:
    """Publish documents, each with its reversed name in its text.

    With ``--stop`` print an event before sending them, and wait so many seconds.
    """
    whole = Push.run

    def run(self: Push, *given: Any, **named: Any) -> Any:
        say(sending=True)
        time.sleep(float(stop))
        return whole(self, *given, **named)

    if stop:
        Push.run = run  # type: ignore[method-assign]
    began = time.monotonic()
    for turn in range(4):
        try:
            with open_writer(NAME, "hashed", HashedEmbedder()) as writer:
                writer.put([prepared(one, [(f"{one[::-1]} is told of", [f"of {one[::-1]}"])]) for one in ids])
                writer.publish(Silent())
        except CorpusError as error:
            say(error=type(error).__name__, said=str(error)[:300], seconds=round(time.monotonic() - began, 1))
            if type(error).__name__ != "PublishConflict" or turn == 3:
                raise SystemExit(3) from error
        else:
            say(published=ids, seconds=round(time.monotonic() - began, 1))
            return


def forget(*ids: str) -> None:
    """Erase documents from every version."""
    began = time.monotonic()
    delete_documents(NAME, list(ids), opened=HashedEmbedder())
    say(forgotten=ids, seconds=round(time.monotonic() - began, 1))


def read(*ids: str) -> None:
    """Print which of the documents exist, and whether the corpus is intact."""
    corpus = open_corpus(NAME, embedder=HashedEmbedder())
    say(held=sorted(corpus.documents(list(ids))), wrong=[str(one) for one in check(NAME)])


def follow(*ids: str) -> None:
    """Poll twice a second, as a server does, and print each change of the documents, until stopped."""
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    last, asked, slowest = None, 0, 0.0
    while not ended.wait(0.5):
        began = time.monotonic()
        corpus = open_corpus(NAME, embedder=HashedEmbedder())
        corpus.search_documents(corpus.embed(["told"]), "document", 5)
        held = sorted(corpus.documents(list(ids)))
        asked, slowest = asked + 1, max(slowest, time.monotonic() - began)
        if held != last:
            say(sees=held, at=time.monotonic())
            last = held
    say(asked=asked, slowest=round(slowest, 2))


def ingest(folder: str, corpus: str, engine: str = "local") -> None:
    """Ingest a folder with the packaged embedder."""
    began = time.monotonic()
    report = run_ingest([Path(folder)], corpus, embedder="offline", engine=engine)
    say(
        added=report.added,
        embedded=report.embedded,
        failed=len(report.failed),
        seconds=round(time.monotonic() - began, 1),
    )


def ranked(corpus: str) -> None:
    """Print the first ten hits of twenty questions, by vectors and by words."""
    reader = open_corpus(corpus)
    found = []
    for number in range(20):
        text = f"river {number * 7} flows for {number} miles"
        query = reader.embed([text])
        found += [reader.search_components(query, "component", 10), reader.search_lexical(text, "component", 10)]
    say(ranked=found, wrong=[str(one) for one in check(corpus)])


def words(*given: str) -> None:
    """Print which files of this machine's home contain a word."""
    home = Path(os.environ["BACKTRAIL_HOME"])
    found = [file for file in home.rglob("*") if file.is_file()]
    say(
        found=[str(file.relative_to(home)) for file in found if any(one.encode() in file.read_bytes() for one in given)]
    )


if __name__ == "__main__":
    step, *rest = sys.argv[1:]
    named = {key: value for key, _, value in (one[2:].partition("=") for one in rest if one.startswith("--"))}
    {"put": put, "forget": forget, "read": read, "follow": follow, "words": words, "ingest": ingest, "ranked": ranked}[
        step
    ](*(one for one in rest if not one.startswith("--")), **named)
