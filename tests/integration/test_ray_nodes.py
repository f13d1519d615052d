"""A node of Ray is lost while its copies work: others take over, and the result is the same."""

from __future__ import annotations

import threading

import numpy as np
import pytest

pytest.importorskip("ray", reason="ray is not installed; `make ray` brings it.")

from backtrail.tools.corpus.open import shared_embedder
from backtrail.tools.embedders.protocol import Vectors
from backtrail.tools.embedders.ray_actors import RayEmbedder


def test_what_a_lost_node_had_in_hand_is_done_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    cluster_of_ray = pytest.importorskip("ray.cluster_utils").Cluster
    ray.shutdown()  # one that other tests have used is no cluster
    cluster = cluster_of_ray(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    try:
        other = cluster.add_node(num_cpus=2)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        own = shared_embedder("offline")
        copies = RayEmbedder("offline", own, "ray")
        texts = [f"River {number} is {number} miles long." for number in range(400)]
        assert copies.requests_at_once == 4  # two for each node
        done: dict[int, Vectors] = {}

        def embed(part: int) -> None:
            done[part] = copies.embed(texts[100 * part : 100 * part + 100])

        at_work = [threading.Thread(target=embed, args=[part]) for part in range(4)]
        for one in at_work:
            one.start()
        cluster.remove_node(other, allow_graceful=False)
        for one in at_work:
            one.join()
        assert sorted(done) == list(range(4))
        assert np.allclose(np.concatenate([done[part] for part in range(4)]), own.embed(texts), atol=1e-5)
        copies.close()
    finally:
        ray.shutdown()
        cluster.shutdown()
