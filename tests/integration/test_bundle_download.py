"""Pictures that a release names by address: fetched only when asked for, with every guard, and once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fixtures.releases import Bundle, png, write_lines
from loopback.web_server import Said, WebServer, plain, redirect

PNG = Said(png("blue"), kind="image/png")


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    monkeypatch.setenv("BACKTRAIL_FETCH_LOOPBACK", "yes")
    monkeypatch.setenv("BACKTRAIL_TRIES", "1")
    with WebServer() as server:
        server.say("/good.png", PNG)
        server.say("/moved.png", redirect("/good.png"))
        server.say("/page.png", plain("no picture"))
        server.say("/broken.png", Said(b"\x89PNG broken", kind="image/png"))
        yield server


def release(folder: Path, *urls: str) -> Path:
    lines: list[dict[str, Any]] = [
        {"image_url": url, "question": "What is it?", "question_id": f"en{n}", "answer": ["x"]}
        for n, url in enumerate(urls)
    ]
    write_lines(folder / "omni" / "DynVQA_en.jsonl", lines)
    return folder / "omni"


def held(bundle: Bundle) -> list[str]:
    return [question.tags["picture"] for question in bundle.questions.values()]


def test_pictures_arrive_as_served_and_what_does_not_is_told(tmp_path: Path, web: WebServer) -> None:
    names = ("good", "moved", "page", "broken", "gone")
    bundle = Bundle("dynvqa", release(tmp_path, *(f"{web.url}/{name}.png" for name in names)), "en", download=True)
    assert held(bundle) == ["kept", "kept", "missing", "missing", "missing"]
    kept = bundle.questions["en0"].image
    assert kept is not None
    assert (bundle.folder / kept).read_bytes() == png("blue")
    why = [line["why"] for line in bundle.missing]
    assert "text/plain" in why[0]
    assert why[1].startswith(f"{web.url}/broken.png: the picture is truncated")
    assert "404" in why[2]


def test_nothing_is_fetched_unless_asked_or_where_a_file_is_at_hand(tmp_path: Path, web: WebServer) -> None:
    assert held(Bundle("dynvqa", release(tmp_path / "a", f"{web.url}/good.png"), "en")) == ["missing"]
    folder = release(tmp_path / "b", f"{web.url}/good.png")
    (folder / "images").mkdir()
    (folder / "images" / "good.png").write_bytes(png("red"))
    assert held(Bundle("dynvqa", folder, "en", download=True)) == ["kept"]
    assert web.received == []


def test_robots_are_honoured_and_this_machine_is_not_asked_by_default(
    tmp_path: Path, web: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    web.say("/robots.txt", plain("User-agent: *\nDisallow: /good.png\n"))
    folders = [release(tmp_path / name, f"{web.url}/good.png", "file:///etc/hostname") for name in ("a", "b")]
    bundle = Bundle("dynvqa", folders[0], "en", download=True)
    assert held(bundle) == ["missing", "missing"]
    assert any("robots.txt forbids it" in line["why"] for line in bundle.missing)
    assert web.asked("/good.png") == 0
    web.received.clear()
    monkeypatch.delenv("BACKTRAIL_FETCH_LOOPBACK")
    bundle = Bundle("dynvqa", folders[1], "en", download=True)
    assert held(bundle) == ["missing", "missing"]
    assert "this machine itself" in bundle.missing[0]["why"]
    assert web.received == []
