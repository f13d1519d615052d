# runs in LightRAG's own environment
# pyright: reportMissingImports=false
"""LightRAG with its defaults over the scripted server: index pages, delete pages, or ask questions.

    python -m side_by_side.run_lightrag {index|delete|ask} --server URL --folder FOLDER --work FILE [--concurrency N]

FILE is a JSON list: {id, text} to index, ids to delete, {id, question} to ask. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from lightrag import LightRAG, QueryParam
from lightrag.llm.openai import openai_complete_if_cache, openai_embed
from lightrag.utils import EmbeddingFunc, Tokenizer
from side_by_side.tokens import Pieces

MODEL, KEY = "scripted", "none"


def main() -> None:
    """Do the work and print the result."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("index", "delete", "ask"))
    parser.add_argument("--server", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--concurrency", type=int, default=4)
    options = parser.parse_args()
    logging.getLogger("lightrag").setLevel(logging.ERROR)
    print(json.dumps(asyncio.run(work(options))))


async def work(options: argparse.Namespace) -> dict[str, Any]:
    """Open the storages, do the work, close them."""
    started = time.perf_counter()
    rag = open_lightrag(options.server, options.folder, options.concurrency)
    await rag.initialize_storages()
    asked = json.loads(options.work.read_text("utf-8"))
    try:
        if options.what == "index":
            await rag.ainsert(
                [page["text"] for page in asked],
                ids=[page["id"] for page in asked],
                file_paths=[f"{number}-{page['id'].rsplit('/', 1)[-1]}.md" for number, page in enumerate(asked)],
            )
        elif options.what == "delete":
            for id_ in asked:
                result = await rag.adelete_by_doc_id(id_)
                if result.status != "success":
                    raise SystemExit(f"{id_} was not deleted: {result.message}")
        else:
            return await ask(rag, asked, options.server)
        status = await rag.get_processing_status()
    finally:
        await rag.finalize_storages()
    return {"seconds": time.perf_counter() - started, "status": status, **size(options.folder)}


def open_lightrag(server: str, folder: Path, concurrency: int) -> LightRAG:
    """Open LightRAG as in its documentation; only models, tokenizer and concurrency are ours.

    By default it works on three documents in parallel, which would never give four parallel calls for short pages.
    """

    async def complete(
        prompt: str,
        system_prompt: str | None = None,
        history_messages: list[dict[str, Any]] | None = None,
        **options: Any,
    ) -> Any:
        return await openai_complete_if_cache(
            MODEL, prompt, system_prompt, history_messages, base_url=server, api_key=KEY, **options
        )

    async def embed(texts: list[str]) -> np.ndarray:
        return await openai_embed.func(texts, model="minilm", base_url=server, api_key=KEY)

    folder.mkdir(parents=True, exist_ok=True)
    return LightRAG(
        working_dir=str(folder),
        tokenizer=Tokenizer("pieces", Pieces()),
        embedding_func=EmbeddingFunc(embedding_dim=384, max_token_size=8192, func=embed),
        llm_model_func=complete,
        llm_model_name=MODEL,
        llm_model_max_async=concurrency,
        max_parallel_insert=max(3, concurrency),
    )


async def ask(rag: LightRAG, questions: list[Mapping[str, str]], server: str) -> dict[str, Any]:
    """Ask one after the other, in the default mode."""
    seconds: list[float] = []
    for question in questions:
        with urllib.request.urlopen(f"{server}/mark/{question['id']}"):
            started = time.perf_counter()
        await rag.aquery(question["question"], QueryParam())
        seconds.append(time.perf_counter() - started)
    return {"seconds": seconds}


def size(folder: Path) -> dict[str, int]:
    """Count the entities and relations of the stored graph."""
    graph = nx.read_graphml(folder / "graph_chunk_entity_relation.graphml")
    return {"entities": graph.number_of_nodes(), "relations": graph.number_of_edges()}


if __name__ == "__main__":
    main()
