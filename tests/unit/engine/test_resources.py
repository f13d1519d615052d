"""How many copies of a worker there are and what they ask for: by the environment, the cluster, or the example."""

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from backtrail.tools.errors import SettingsError
from backtrail.tools.workers.resources import Resources, gpus_of_local_model

CLUSTER: Any = SimpleNamespace(
    cluster_resources=lambda: {"CPU": 12.0, "GPU": 3.0},
    nodes=lambda: [{"Alive": True}, {"Alive": True}, {"Alive": False}],
)
AT = "ray://head:10001"


@pytest.mark.parametrize(
    ("resources", "most", "copies"),
    [
        (Resources(), None, 2),
        (Resources(each="processor"), 4, 4),
        (Resources(gpus=1), None, 3),
        (Resources(gpus=4), None, 1),
    ],
)
def test_copies_by_the_cluster(resources: Resources, most: int | None, copies: int, monkeypatch: Any) -> None:
    monkeypatch.delenv("BACKTRAIL_RAY_WORKERS", raising=False)
    assert resources.copies(CLUSTER, AT, most) == copies
    monkeypatch.setenv("BACKTRAIL_RAY_WORKERS", "5")
    assert resources.copies(CLUSTER, AT, most) == min(5, most or 5)


@pytest.mark.parametrize(
    ("device", "named", "gpus"),
    [("", "", 0.0), ("auto", "", 0.0), ("cpu", "", 0.0), ("cuda", "", 1.0), ("cuda", "0.5", 0.5), ("auto", "2", 2.0)],
)
def test_gpus_of_local_models(device: str, named: str, gpus: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_LOCAL_DEVICE", device)
    monkeypatch.setenv("BACKTRAIL_RAY_GPUS", named)
    assert gpus_of_local_model() == gpus


@pytest.mark.parametrize(
    ("variable", "named"),
    [*(("WORKERS", named) for named in ("0", "-1", "1.5", "many", "10001")),
     *(("GPUS", named) for named in ("many", "1.5", "-1", "nan"))],
)  # fmt: skip
def test_what_is_no_number_is_refused(variable: str, named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"BACKTRAIL_RAY_{variable}", named)
    with pytest.raises(SettingsError, match=f"BACKTRAIL_RAY_{variable} cannot be"):
        gpus_of_local_model() if variable == "GPUS" else Resources().copies(CLUSTER, AT)


def test_a_device_that_is_named_is_not_given_to_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_LOCAL_DEVICE", "cuda:1")
    with pytest.raises(SettingsError, match="gives each copy a device of its own"):
        gpus_of_local_model()


yaml: Any = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[3]


def test_the_job_on_ray_has_the_version_of_the_extra_and_asks_for_a_token() -> None:
    job = yaml.safe_load((ROOT / "examples/kubernetes/ray_ingest.yaml").read_text())
    cluster = job["spec"]["rayClusterSpec"]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert extras["ray"] == [f"ray=={cluster['rayVersion']}"]
    assert cluster["authOptions"] == {"mode": "token"}  # without one Ray lets everybody in
