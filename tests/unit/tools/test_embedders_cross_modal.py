"""Folders of CLIP, SigLIP, ColPali and ColQwen2: tiny random checkpoints, saved and opened again."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from fixtures.tiny_checkpoints import SHARED, save_clip, save_siglip
from fixtures.tiny_page_models import PATCHES, WIDTH, save_colpali, save_colqwen2
from PIL import Image

from backtrail.tools.embedders.errors import EmbedderUnknown, EmbedderUnsupported, EmbedderWeightsMissing
from backtrail.tools.embedders.open import open_page_embedder, open_pixel_embedder
from backtrail.tools.embedders.protocol import PageEmbedder

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


QUESTION = "What is drawn on the page?"


@pytest.fixture
def colpali(tmp_path: Path) -> Path:
    save_colpali(made := tmp_path / "colpali")
    return made


@pytest.fixture
def colqwen2(tmp_path: Path) -> Path:
    (made := tmp_path / "colqwen2").mkdir()
    save_colqwen2(made)
    return made


@pytest.fixture
def pages(tmp_path: Path) -> list[Path]:
    draw = np.random.default_rng(0)
    paths = [tmp_path / "tall.png", tmp_path / "wide.png"]
    for path, size in zip(paths, [(70, 50, 3), (40, 90, 3)], strict=True):
        Image.fromarray(draw.integers(0, 255, size, dtype=np.uint8)).save(path)
    return paths


def opened(folder: Path, kind: str = "late-interaction") -> PageEmbedder:
    return open_page_embedder(f"{kind}:{folder}", cache_folder=folder.parent, open_image=Image.open)


def test_a_page_has_a_vector_per_patch_and_a_question_one_per_token(colpali: Path, pages: list[Path]) -> None:
    embedder = opened(colpali)
    page, other = (embedder.embed_page(path) for path in pages)
    question = embedder.embed_question(QUESTION)
    assert embedder.dimension == WIDTH
    assert page.shape == other.shape
    assert page.shape[0] > PATCHES
    assert question.shape[0] > len(QUESTION) / 2
    for vectors in (page, question):
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert not np.allclose(page, other, atol=1e-3)


def test_vectors_score_as_the_models_own_processor_scores_them(colpali: Path, pages: list[Path]) -> None:
    import torch
    from transformers import AutoProcessor

    embedder, processor = opened(colpali), AutoProcessor.from_pretrained(colpali)
    question = embedder.embed_question(QUESTION)
    held = [embedder.embed_page(path) for path in pages]
    expected = processor.score_retrieval([torch.from_numpy(question)], [torch.from_numpy(page) for page in held])[0]
    ours = [(question @ page.T).max(axis=1).sum() for page in held]
    np.testing.assert_allclose(ours, expected.numpy(), rtol=1e-5)


def test_pages_of_colqwen2_have_as_many_vectors_as_they_have_patches(colqwen2: Path, pages: list[Path]) -> None:
    embedder = opened(colqwen2)
    sizes = {embedder.embed_page(path).shape for path in pages}
    assert {width for _, width in sizes} == {WIDTH}
    assert len(sizes) == 2
    assert embedder.embed_question(QUESTION).shape[1] == WIDTH


def test_the_fingerprint_names_weights_and_precision(colpali: Path, tmp_path: Path, pages: list[Path]) -> None:
    assert opened(colpali).fingerprint == opened(colpali).fingerprint
    save_colpali(halved := tmp_path / "half" / "colpali", "bfloat16")
    half = opened(halved)
    assert ":bfloat16:" in half.fingerprint
    assert half.fingerprint != opened(colpali).fingerprint
    assert half.embed_page(pages[0]).dtype == np.float32


def test_a_cross_modal_encoder_gives_one_vector_per_page(tmp_path: Path, pages: list[Path]) -> None:
    save_clip(made := tmp_path / "clip")
    embedder = opened(made, "cross-modal")
    assert embedder.embed_page(pages[0]).shape == embedder.embed_question("a red square").shape == (1, SHARED)


def test_unusable_names_and_folders_say_what_to_use(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnknown, match="late-interaction:PATH"):
        open_page_embedder("colpali", cache_folder=tmp_path, open_image=Image.open)
    with pytest.raises(EmbedderWeightsMissing, match=r"nowhere.*check the folder's name"):
        opened(tmp_path / "nowhere")
    save_clip(made := tmp_path / "clip")
    with pytest.raises(EmbedderUnsupported, match="'clip' model without a vector per token"):
        opened(made)
