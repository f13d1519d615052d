"""What Dockerfile and compose.yaml say; ``campaigns/long/test_hosting.py`` does it."""

from pathlib import Path

from fixtures.build_context import COMPOSE, DOCKERFILE, context
from fixtures.langgraph_server import ROOT


def test_the_image_takes_the_package_and_nothing_else(tmp_path: Path) -> None:
    taken = context(tmp_path / "context")
    rooms = {room.name for room in (ROOT / "src" / "backtrail").iterdir() if room.is_symlink()}
    assert rooms | {"src", "pyproject.toml", "README.md", "LICENSE"} == {place.name for place in taken.iterdir()}
    for hidden in (".git", ".env", ".venv", "tests"):
        assert not (taken / hidden).exists()
    assert "USER 10001" in DOCKERFILE
    assert "HEALTHCHECK" in DOCKERFILE


def test_every_service_is_locked_and_watched() -> None:
    for name, service in COMPOSE["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["user"] not in ("root", "0"), name
        for mount in service["tmpfs"]:
            assert mount.startswith("/"), "a comma of its options would begin another mount"
        assert "healthcheck" in service or name == "server", "the server's is in its image"
    server = COMPOSE["services"]["server"]
    assert {service: need["condition"] for service, need in server["depends_on"].items()} == {
        "postgres": "service_healthy",
        "redis": "service_healthy",
    }
    assert server["ports"] == ["${BACKTRAIL_PORT:-127.0.0.1:8123}:8123"], "loopback unless the host says otherwise"
