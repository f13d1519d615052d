"""backtrail ingest: ingest files, folders and web sites into a corpus."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from backtrail.cli.commands import ingest_options as options
from backtrail.cli.commands.options import AsJson, Corpus

if TYPE_CHECKING:
    from langchain_core.document_loaders import BaseLoader

    from backtrail.ingest.report import IngestReport


def ingest(
    paths: options.Sources = None,
    corpus: Corpus = None,
    embedder: options.Embedder = None,
    engine: options.Engine = "local",
    pixels: options.Pixels = None,
    vlm: options.Vlm = None,
    summarizer: options.Summarizer = None,
    ocr: options.Ocr = None,
    ocr_language: options.OcrLanguage = None,
    knowledge_graph: options.KnowledgeGraph = False,
    extractor: options.Extractor = None,
    forget: options.Forget = False,
    instead_of: options.InsteadOf = None,
    loader: options.Loader = None,
    loader_args: options.LoaderArgs = None,
    max_pages: options.MaxPages = None,
    max_depth: options.MaxDepth = None,
    max_seconds: options.MaxSeconds = None,
    max_megabytes: options.MaxMegabytes = None,
    rate: options.Rate = None,
    path_prefix: options.PathPrefix = None,
    site_pictures: options.SitePictures = None,
    watch: options.Watch = False,
    as_json: AsJson = False,
) -> None:
    """Ingest new and changed files under PATH; documents that vanished from a folder or site are deleted.

    Exit status: 0 all well, 1 some sources failed (the rest is ingested), 2 nothing could be done.
    """
    from backtrail.cli.commands.ingest_models import extracting_on
    from backtrail.cli.commands.ingest_sites import apart, chosen_bounds
    from backtrail.cli.commands.watch_folders import watch_folders
    from backtrail.cli.commands.weights import offer_weights
    from backtrail.cli.show.ingest_progress import IngestBar
    from backtrail.ingest.change.enrichers import enriching_on
    from backtrail.ingest.choose_ocr import choose_ocr
    from backtrail.ingest.pipeline import ingest as run_ingest
    from backtrail.ingest.web.crawl_sites import crawled_sites
    from backtrail.tools.corpus.open import recorded_embedder
    from backtrail.tools.embedders.open import DEFAULT
    from backtrail.tools.settings.file import load_settings

    name = load_settings({"corpus": corpus}).corpus
    files, addresses = apart(paths or [])
    loaders = _opened_loader(loader, loader_args)
    if not (paths or loaders):
        raise typer.BadParameter("Name a file, folder, bundle or site, or give --loader.", param_hint="PATH")
    if watch and not files:
        raise typer.BadParameter("It needs a file or folder to watch.", param_hint="--watch")
    bounds = chosen_bounds(
        addresses, pages=max_pages, depth=max_depth, seconds=max_seconds, megabytes=max_megabytes, rate=rate,
        prefix=path_prefix, pictures=site_pictures,
    )  # fmt: skip
    offer_weights(embedder or recorded_embedder(name) or DEFAULT)
    chosen = choose_ocr(ocr, ocr_language, name)

    def once() -> IngestReport:
        with (
            IngestBar(shown=not as_json) as bar,
            crawled_sites(addresses, name, bounds, bar) as (sites, walks),
            enriching_on(engine, name, chosen, vlm=vlm, summarizer=summarizer) as enricher,
            extracting_on(engine, name, extractor, wanted=knowledge_graph) as reader,
        ):
            report = run_ingest(
                files, name, embedder=embedder, engine=engine, pixels=pixels, progress=bar, enricher=enricher,
                extractor=reader, sites=sites, loaders=loaders, forget=forget, instead_of=instead_of or (),
            )  # fmt: skip
        report.sites = walks
        _print_report(report, as_json=as_json)
        return report

    if watch:
        watch_folders(files, once)
    elif once().failed:
        raise typer.Exit(1)


def _opened_loader(name: str | None, arguments: str | None) -> dict[str, BaseLoader]:
    """Open the named loader, if any, by the name of its documents."""
    if name is None:
        if arguments is not None:
            raise typer.BadParameter("It needs --loader as well.", param_hint="--loader-args")
        return {}
    from backtrail.ingest.loaders.open_loader import name_of_loader, open_loader

    return {name_of_loader(name, arguments or ""): open_loader(name, arguments or "")}


def _print_report(report: IngestReport, *, as_json: bool) -> None:
    """Print the report."""
    from backtrail.cli.show.ingest_report import show_report

    if as_json:
        print(json.dumps(report.as_json(), ensure_ascii=False), flush=True)
    else:
        show_report(report)
