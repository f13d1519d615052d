"""backtrail corpus calibrate: measure search radii on pairs of the corpus's own entries."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backtrail.cli.commands.options import AsJson

if TYPE_CHECKING:
    from backtrail.tools.corpus.calibration.calibrate import Calibration


def calibrate(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a corpus.")],
    sample: Annotated[int, typer.Option(min=50, max=20_000, help="Number of components (and of pictures).")] = 600,
    store: Annotated[bool, typer.Option("--store/--dry-run", help="Store the radii with the corpus.")] = True,
    as_json: AsJson = False,
) -> None:
    """Measure the radii r_t and r_i of radius searches (MMAPG) and store them with the corpus.

    The settings mmapg.text_radius and mmapg.image_radius override them.
    """
    from backtrail.tools.corpus.calibration.calibrate import calibrate_pictures, calibrate_texts
    from backtrail.tools.corpus.calibration.radii import default_radii, radii_of, store_radii
    from backtrail.tools.corpus.calibration.sample import sample_components
    from backtrail.tools.corpus.describe import describe
    from backtrail.tools.corpus.open import open_corpus

    corpus = open_corpus(name)
    description = describe(name)
    texts = calibrate_texts(corpus, sample_components(name, sample, ("text", "table")), description.subcomponents)
    images = description.components.get("image", 0)
    pictures = calibrate_pictures(corpus, sample_components(name, sample, ("image",)), images)
    # without a pixel encoder pictures are found by their words
    fallback = default_radii(description.embedder, sees_pixels=True).image if corpus.sees_pixels else texts.radius
    image_radius = pictures.radius if pictures else fallback
    file = store_radii(name, texts.radius, image_radius) if store else None
    now = radii_of(corpus)
    found = {
        "corpus": name,
        "embedder": description.embedder,
        "text": _plain(texts),
        "pictures": _plain(pictures) if pictures else None,
        "text_radius": texts.radius,
        "image_radius": image_radius,
        "stored": str(file) if file else None,
        "in_use": {"text": now.text, "image": now.image, "origin": now.origin},
    }
    if as_json:
        print(json.dumps(found, ensure_ascii=False))
    else:
        _show(found)


def _plain(calibration: Calibration) -> dict[str, Any]:
    return {
        "near": calibration.quantiles(calibration.near),
        "random": calibration.quantiles(calibration.random),
        "near_pairs": len(calibration.near),
        "random_pairs": len(calibration.random),
        "near_within": round(calibration.within(calibration.near), 4),
        "random_within": round(calibration.within(calibration.random), 4),
        "radius": calibration.radius,
    }


def _show(found: dict[str, Any]) -> None:
    from rich.table import Table

    from backtrail.cli.show.console import out
    from backtrail.tools.corpus.calibration.calibrate import QUANTILES

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("cosine distance", *(f"{quantile:.0%}" for quantile in QUANTILES), "pairs", "within the radius"):
        table.add_column(heading, justify="left" if heading == "cosine distance" else "right")
    for kind in ("text", "pictures"):
        if found[kind] is None:
            continue
        for pairs in ("near", "random"):
            quantiles = [f"{value:.3f}" for value in found[kind][pairs]]
            within = f"{found[kind][f'{pairs}_within']:.2%}"
            table.add_row(f"{kind}, {pairs}", *quantiles, str(found[kind][f"{pairs}_pairs"]), within)
    out.print(table)
    out.print(f"r_t {found['text_radius']:.3f}   r_i {found['image_radius']:.3f}", style="bold")
    if found["pictures"] is None:
        out.print("r_i was not measured: the corpus does not see pixels, or too few pictures have words.", style="dim")
    kept = f"stored in {found['stored']}" if found["stored"] else "not stored; leave out --dry-run to store them"
    out.print(f"[dim]{found['corpus']} ({found['embedder']}): {kept}[/]", soft_wrap=True)
