"""Compare Backtrail's knowledge graph with LightRAG's: calls, tokens and seconds for the same pages.

    python -m venv peer && peer/bin/pip install lightrag-hku==1.5.7 openai
    python benchmarks/lightrag_side_by_side.py $BACKTRAIL_DATA/ottqa --lightrag-python peer/bin/python

Both index the same pages of a corpus bundle, add some, delete some, are killed half-way and restarted, and answer
questions. One server on loopback replaces the models of both: a scripted chat model with a fixed latency that gives
the same reply to the same text in either system's format, and the offline embedder. It counts requests. LightRAG runs
with its defaults. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from side_by_side.pages import Chosen, choose
from side_by_side.report import Measured, Step, report
from side_by_side.script import ScriptedModel
from side_by_side.server import ScriptedServer
from side_by_side.systems import BacktrailSystem, LightRagSystem, Run, System

from backtrail.tools.corpus.open import shared_embedder


def main() -> None:
    """Measure both and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--lightrag-python", type=Path, required=True, help="python of an environment with LightRAG")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--changed", type=int, default=10, help="pages to add, and to delete")
    parser.add_argument("--questions", type=int, default=10)
    parser.add_argument("--only-tables", action="store_true", help="choose among pages with a table")
    parser.add_argument("--latency", type=float, default=0.2, help="seconds per model call")
    parser.add_argument("--concurrency", type=int, default=4, help="parallel model calls")
    options = parser.parse_args()
    chosen = choose(options.bundle, options.pages, options.changed, options.questions, only_tables=options.only_tables)
    script = ScriptedModel(chosen.all)
    embedder = shared_embedder("offline")
    with tempfile.TemporaryDirectory() as temporary, ScriptedServer(script, embedder, options.latency) as server:
        place, python = Path(temporary), options.lightrag_python.absolute()
        several = options.concurrency

        def lightrag(name: str) -> LightRagSystem:
            return LightRagSystem(python, place / f"lightrag-{name}", server.url, several)

        def backtrail(name: str) -> BacktrailSystem:
            return BacktrailSystem(place / f"backtrail-{name}", server.url, several)

        peer = measure(lightrag, chosen, server)
        ours = measure(backtrail, chosen, server)
        plain = BacktrailSystem(place / "backtrail-plain", server.url, several, knowledge=False)
        vectors = step(server, "Backtrail, the same pages without a graph", lambda: plain.index([], chosen.first))
        print(report(chosen, peer, ours, vectors, script.cut_off))
        if server.unknown:
            sys.exit(f"The script has no reply to: {server.unknown[:3]}")


def measure(open_system: Callable[[str], System], chosen: Chosen, server: ScriptedServer) -> Measured:
    """Measure one system."""
    server.forget()
    system = open_system("whole")
    whole = step(server, f"{system.name}: index", lambda: system.index([], chosen.first))
    size = system.size()
    server.take()
    asked = step(server, f"{system.name}: ask", lambda: system.ask(chosen.questions))
    undivided = asked
    if system.divides:
        undivided = step(server, f"{system.name}: ask, not split", lambda: system.ask(chosen.questions, divided=False))
    added = step(server, f"{system.name}: add", lambda: system.index(chosen.first, chosen.all))
    deleted = step(server, f"{system.name}: delete", lambda: system.index(chosen.all, chosen.left))
    server.forget()
    again = open_system("killed")
    half = whole.tally.calls.total() // 2
    killed = step(
        server, f"{system.name}: until killed", lambda: again.index([], chosen.first, lambda: server.calls >= half)
    )
    resumed = step(server, f"{system.name}: started again", lambda: again.index([], chosen.first))
    return Measured(whole, added, deleted, killed, resumed, asked, undivided, size)


def step(server: ScriptedServer, name: str, run: Callable[[], Run]) -> Step:
    """Run one process and collect its requests from the server."""
    server.take()
    done = Step(run(), server.take())
    tally = done.tally
    print(
        f"{name}: {done.run.seconds:.1f} s, {done.run.processor:.1f} s of processor; calls {dict(tally.calls)}, "
        f"at most {tally.most_at_once} at once; {tally.embedded} texts embedded in {tally.embedding_seconds:.1f} s",
        file=sys.stderr,
        flush=True,
    )
    return done


if __name__ == "__main__":
    main()
