"""Table of the formats that can be converted to a bundle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.cogbench import write_cogbench
from backtrail.evals.formats.crisismmd import write_crisismmd
from backtrail.evals.formats.documents.double_bench import write_double_bench
from backtrail.evals.formats.documents.m3sciqa import write_m3sciqa
from backtrail.evals.formats.documents.madqa import write_madqa
from backtrail.evals.formats.documents.mmdocrag import write_mmdocrag
from backtrail.evals.formats.documents.mmlongbench import write_mmlongbench
from backtrail.evals.formats.documents.vidoseek import write_vidoseek
from backtrail.evals.formats.dynvqa import write_dynvqa
from backtrail.evals.formats.hotpotqa import write_2wiki, write_hotpotqa
from backtrail.evals.formats.hybridqa import write_hybridqa
from backtrail.evals.formats.infoseek import write_infoseek
from backtrail.evals.formats.lifevqa import write_lifevqa
from backtrail.evals.formats.livevqa import write_livevqa
from backtrail.evals.formats.mmcoqa import write_mmcoqa
from backtrail.evals.formats.multimodalqa import write_multimodalqa
from backtrail.evals.formats.musique import write_musique
from backtrail.evals.formats.nocaps import write_nocaps
from backtrail.evals.formats.scienceqa import write_scienceqa
from backtrail.evals.formats.tatqa import write_tatqa
from backtrail.evals.formats.visual7w import write_visual7w
from backtrail.evals.formats.vqamix import write_vqamix
from backtrail.evals.formats.vqav2 import write_vqav2
from backtrail.evals.formats.webqa import write_webqa
from backtrail.evals.formats.wikitablequestions import write_wikitablequestions

FORMATS: Mapping[str, Callable[[Path, BundleWriter, str], None]] = {
    "multimodalqa": write_multimodalqa,
    "mmcoqa": write_mmcoqa,
    "webqa": write_webqa,
    "dynvqa": write_dynvqa,
    "livevqa": write_livevqa,
    "cogbench": write_cogbench,
    "infoseek": write_infoseek,
    "vqav2": write_vqav2,
    "nocaps": write_nocaps,
    "visual7w": write_visual7w,
    "lifevqa": write_lifevqa,
    "vqamix": write_vqamix,
    "hybridqa": write_hybridqa,
    "musique": write_musique,
    "hotpotqa": write_hotpotqa,
    "2wiki": write_2wiki,
    "wikitablequestions": write_wikitablequestions,
    "tatqa": write_tatqa,
    "mmlongbench": write_mmlongbench,
    "vidoseek": write_vidoseek,
    "madqa": write_madqa,
    "double_bench": write_double_bench,
    "mmdocrag": write_mmdocrag,
    "m3sciqa": write_m3sciqa,
    "scienceqa": write_scienceqa,
    "crisismmd1": partial(write_crisismmd, task="informative"),
    "crisismmd2": partial(write_crisismmd, task="humanitarian"),
    "crisismmd2merged": partial(write_crisismmd, task="merged"),
}


def convert(name: str, source: Path, out: Path, split: str, *, download: bool = False) -> dict[str, int]:
    """Convert a release to a bundle and return the counts of what was written, by kind.

    Args:
        download: whether pictures of questions that the release names only by URL may be fetched.

    Raises:
        FormatError: no such format; a file is missing or wrong; OUT exists. OUT is then not written.
    """
    if name not in FORMATS:
        raise FormatError(source, None, f"cannot be read as {name!r}; formats are {', '.join(FORMATS)}")
    with BundleWriter(out, download=download) as writer:
        FORMATS[name](source, writer, split)
    return writer.counts
