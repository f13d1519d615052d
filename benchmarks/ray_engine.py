"""Compare embedding in Ray actors with embedding in this process.

    python benchmarks/ray_engine.py --texts 1500 [--workers 1 2]

On one machine the actors share the cores of the embedder, so this measures the overhead of Ray. Starting Ray and
loading the weights in the actors is timed separately.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).parent))

import numpy as np
from scale import _sentence

from backtrail.tools.corpus.open import shared_embedder
from backtrail.tools.embedders.protocol import Vectors
from backtrail.tools.embedders.ray_actors import RayEmbedder


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--texts", type=int, default=1_500)
    options.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    chosen = options.parse_args()
    words = random.Random(3)
    texts = sorted((_sentence(words) for _ in range(chosen.texts)), key=len, reverse=True)
    own = shared_embedder("offline")
    own.embed(texts[:8])
    began = time.perf_counter()
    wanted = np.concatenate([own.embed(texts[at : at + 512]) for at in range(0, len(texts), 512)])
    done = {"texts": len(texts), "here": round(time.perf_counter() - began, 1)}
    for workers in chosen.workers:
        copies = RayEmbedder("offline", own, "ray", copies=workers)
        began = time.perf_counter()
        at_once = copies.requests_at_once
        done[f"start of {workers}"] = round(time.perf_counter() - began, 1)
        began = time.perf_counter()
        found = embed_side_by_side(copies, texts, at_once)
        done[f"Ray, {workers}"] = round(time.perf_counter() - began, 1)
        assert np.allclose(found, wanted, atol=1e-5)
        copies.close()
    print(json.dumps(done, indent=1))


def embed_side_by_side(copies: RayEmbedder, texts: list[str], at_once: int) -> Vectors:
    """Embed in parallel batches, as an ingest does."""
    batches = [texts[at : at + copies.texts_a_request] for at in range(0, len(texts), copies.texts_a_request)]
    with ThreadPoolExecutor(at_once) as pool:
        return np.concatenate(list(pool.map(copies.embed, batches)))


if __name__ == "__main__":
    main()
