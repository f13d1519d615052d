"""Radii of a corpus's searches: calibrated, or defaults.

A calibration is stored in ``radii.json`` beside the corpus. It is valid for one embedder: after a change of embedder
the defaults apply until the corpus is calibrated again.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from backtrail.tools.atomic_file import write_atomically
from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.corpus.tables.meta import Meta, read_meta
from backtrail.tools.errors import SettingsError
from backtrail.tools.home import corpus_folder

FILE = "radii.json"
DEFAULT_TEXT: dict[str, float] = {"minilm": 0.55, "offline": 0.55}
"""Cosine distance by kind of embedder, from the calibration of two corpora (see the page of MMAPG)."""
OTHER_TEXT = 0.5
"""For embedders without a calibration (ours)."""
DEFAULT_PIXELS = 0.75
"""For cross-modal encoders: words and pixels of the same thing are seldom nearer than 0.6 to 0.8 (CLIP; ours)."""


@dataclass(frozen=True)
class Radii:
    """Cosine distances in [0, 2], with their origin."""

    text: float
    image: float
    origin: Literal["calibrated", "default"] = "default"


@dataclass(frozen=True)
class StoredRadii:
    """Content of the file: the radii with the fingerprints of their encoders."""

    text: float
    image: float
    embedder: str
    pixels: str


def radii_of(corpus: CorpusReader) -> Radii:
    """The radii of a corpus: calibrated for its current embedder, else the embedder's defaults.

    Raises:
        SettingsError: the file is damaged; the message names the command to run.
    """
    meta = _meta(corpus.name, corpus.version, corpus_folder(corpus.name))
    stored = _stored(corpus.name)
    if stored and (stored.embedder, stored.pixels) == (meta.fingerprint, meta.pixels_fingerprint):
        return Radii(stored.text, stored.image, "calibrated")
    return default_radii(meta.embedder, sees_pixels=corpus.sees_pixels)


def default_radii(embedder: str, *, sees_pixels: bool) -> Radii:
    """The defaults of an embedder, by the part of its name before the first colon."""
    text = DEFAULT_TEXT.get(embedder.partition(":")[0], OTHER_TEXT)
    return Radii(text, DEFAULT_PIXELS if sees_pixels else text)


def store_radii(name: str, text: float, image: float) -> Path:
    """Store the radii of a corpus for its current encoders, and return the file.

    Raises:
        CorpusNotFound: no such corpus.
    """
    with read_only(name) as connection:
        meta = read_meta(connection, name)
    file = corpus_folder(name) / FILE
    stored = StoredRadii(round(text, 3), round(image, 3), meta.fingerprint, meta.pixels_fingerprint)
    write_atomically(file, (json.dumps(asdict(stored)) + "\n").encode())
    return file


def _stored(name: str) -> StoredRadii | None:
    file = corpus_folder(name) / FILE
    try:
        read = StoredRadii(**json.loads(file.read_bytes()))
        return StoredRadii(float(read.text), float(read.image), read.embedder, read.pixels)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise SettingsError(
            f"{file} cannot be read ({error}). Write it again with: backtrail corpus calibrate {name}"
        ) from error


@lru_cache(maxsize=64)
def _meta(name: str, version: str, folder: Path) -> Meta:
    # cached, because a version of a corpus has one embedder
    with read_only(name) as connection:
        return read_meta(connection, name)
