"""CLIP- and SigLIP-class folders: tiny random checkpoints, saved and opened again."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from fixtures.tiny_checkpoints import SHARED, save_clip, save_siglip
from PIL import Image

from backtrail.tools.embedders.open import open_pixel_embedder

pytestmark = pytest.mark.skipif(
    not (importlib.util.find_spec("torch") and importlib.util.find_spec("transformers")),
    reason="torch and transformers are not installed (pip install 'backtrail[local]')",
)


def open_image(path: Path) -> Image.Image:
    if path.stat().st_size > 100_000:
        raise ValueError(f"{path.name} is too large")
    return Image.open(path)


@pytest.fixture(params=["clip", "siglip"])
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    import torch

    torch.manual_seed(0)
    made = tmp_path / request.param
    made.mkdir()
    {"clip": save_clip, "siglip": save_siglip}[request.param](made)
    return made


@pytest.fixture
def pictures(tmp_path: Path) -> list[Path]:
    draw = np.random.default_rng(0)
    paths = [tmp_path / name for name in ("wide.png", "grey.png", "palette.gif", "clear.png")]
    Image.fromarray(draw.integers(0, 255, (20, 40, 3), dtype=np.uint8)).save(paths[0])
    Image.fromarray(draw.integers(0, 255, (30, 30), dtype=np.uint8)).save(paths[1])
    Image.fromarray(draw.integers(0, 255, (16, 16, 3), dtype=np.uint8)).quantize(8).save(paths[2])
    Image.fromarray(draw.integers(0, 255, (50, 18, 4), dtype=np.uint8)).save(paths[3])
    return paths


def test_pictures_and_texts_share_a_space(folder: Path, pictures: list[Path], tmp_path: Path) -> None:
    embedder = open_pixel_embedder(f"cross-modal:{folder}", cache_folder=tmp_path, open_image=open_image)
    images = embedder.embed_images(pictures * 5)  # more than a batch
    texts = embedder.embed_texts(["a red square", "two", "", "a red square", "blue " * 100])
    assert embedder.dimension == SHARED
    assert images.shape == (20, SHARED)
    assert texts.shape == (5, SHARED)
    for vectors in (images, texts):
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(images[:4], images[16:], atol=1e-5)
    np.testing.assert_array_equal(texts[0], texts[3])
    assert embedder.embed_images([]).shape == embedder.embed_texts([]).shape == (0, SHARED)
    alone = np.concatenate([embedder.embed_images([path]) for path in pictures])
    np.testing.assert_allclose(images[:4], alone, atol=1e-5)


def test_opened_twice_the_same_and_guarded(folder: Path, pictures: list[Path], tmp_path: Path) -> None:
    first = open_pixel_embedder(f"cross-modal:{folder}", cache_folder=tmp_path, open_image=open_image)
    second = open_pixel_embedder(f"cross-modal:{folder}", cache_folder=tmp_path, open_image=open_image)
    assert first.fingerprint == second.fingerprint
    assert first.fingerprint.startswith(f"{folder.name}:")
    assert first.fingerprint.endswith(":fp32:10")
    np.testing.assert_array_equal(first.embed_images(pictures), second.embed_images(pictures))
    large = tmp_path / "large.png"
    large.write_bytes(b"0" * 200_000)
    with pytest.raises(ValueError, match=r"large\.png is too large"):
        first.embed_images([pictures[0], large])
