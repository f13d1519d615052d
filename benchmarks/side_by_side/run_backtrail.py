"""Ask questions of HM-RAG's graph agent alone over the scripted server.

    python -m side_by_side.run_backtrail --model NAME --corpus NAME --server URL --work FILE [--undivided]

FILE is a JSON list of {id, question}. Prints one JSON object. Pages are ingested by the command line, not here.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from backtrail.graphs.methods import find_method
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox


def main() -> None:
    """Ask and print the seconds of each question."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--server", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--undivided", action="store_true", help="skip the decision whether to split a question")
    options = parser.parse_args()
    settings = Settings.model_validate(
        {
            **dict.fromkeys(("planner", "reader", "expert"), options.model),
            "corpus": options.corpus,
            "hm_rag": {"sources": ["graph"], "decomposition": not options.undivided},
        }
    )
    print(json.dumps(asyncio.run(ask(json.loads(options.work.read_text("utf-8")), settings, options.server))))


async def ask(questions: list[Mapping[str, str]], settings: Settings, server: str) -> dict[str, Any]:
    """Ask one question after the other."""
    graph = find_method("hm_rag").build(Toolbox()).compile()
    seconds: list[float] = []
    for question in questions:
        with urllib.request.urlopen(f"{server}/mark/{question['id']}"):
            started = time.perf_counter()
        state = await graph.ainvoke({"question": question["question"]}, context=settings)
        seconds.append(time.perf_counter() - started)
        if state.get("failures"):
            raise SystemExit(f"{question['question']!r}: {state['failures']}")
    return {"seconds": seconds}


if __name__ == "__main__":
    main()
