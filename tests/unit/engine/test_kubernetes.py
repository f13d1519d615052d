"""The example of a job on Kubernetes says the same in all the places that have to agree."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

yaml: Any = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[3]


def test_the_job_on_ray_agrees_with_itself_and_with_the_extra() -> None:
    job = yaml.safe_load((ROOT / "examples/kubernetes/ray_ingest.yaml").read_text())
    cluster = job["spec"]["rayClusterSpec"]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert extras["ray"] == [f"ray=={cluster['rayVersion']}"]
    assert cluster["authOptions"] == {"mode": "token"}  # without one Ray lets everybody in
    [workers] = cluster["workerGroupSpecs"]
    pods = [cluster["headGroupSpec"]["template"]["spec"], workers["template"]["spec"]]
    head, worker = ({one["name"]: one["value"] for one in pod["containers"][0]["env"]} for pod in pods)
    assert head == worker
    assert not cluster.get("enableInTreeAutoscaling")  # so that the number of workers is what stands there
    assert int(head["BACKTRAIL_RAY_WORKERS"]) == workers["replicas"] == workers["minReplicas"] == workers["maxReplicas"]
    for pod in pods:
        assert {one["name"] for one in pod["containers"][0]["volumeMounts"]} == {one["name"] for one in pod["volumes"]}
