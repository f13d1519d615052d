"""backtrail ingest: bring files, folders and sites of the web into a corpus."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from backtrail.cli.commands import ingest_options as options
from backtrail.cli.commands.options import AsJson, Corpus

if TYPE_CHECKING:
    from backtrail.ingest.chosen_ocr import ChosenOcr
    from backtrail.ingest.enrich import Enricher
    from backtrail.ingest.report import IngestReport
    from backtrail.tools.deciders.protocol import Decider


def ingest(
    paths: options.Sources,
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
    max_pages: options.MaxPages = None,
    max_depth: options.MaxDepth = None,
    max_seconds: options.MaxSeconds = None,
    max_megabytes: options.MaxMegabytes = None,
    rate: options.Rate = None,
    path_prefix: options.PathPrefix = None,
    site_pictures: options.SitePictures = None,
    as_json: AsJson = False,
) -> None:
    """Ingest what is new or changed under PATH; what vanished from a folder or site is deleted.

    Exit status: 0 all well, 1 some sources failed (the rest is ingested), 2 nothing could be done.
    """
    from backtrail.cli.commands.ingest_sites import apart, chosen_bounds
    from backtrail.cli.show.ingest_progress import IngestBar
    from backtrail.ingest.chosen_ocr import chosen_ocr
    from backtrail.ingest.pipeline import ingest as run_ingest
    from backtrail.ingest.web.walked_sites import walked_sites
    from backtrail.tools.settings.file import load_settings

    name = load_settings({"corpus": corpus}).corpus
    files, addresses = apart(paths)
    bounds = chosen_bounds(
        addresses,
        pages=max_pages,
        depth=max_depth,
        seconds=max_seconds,
        megabytes=max_megabytes,
        rate=rate,
        prefix=path_prefix,
        pictures=site_pictures,
    )
    chosen = chosen_ocr(ocr, ocr_language, name)
    with IngestBar(shown=not as_json) as bar, walked_sites(addresses, name, bounds, bar) as (sites, walks):
        report = run_ingest(
            files,
            name,
            embedder=embedder,
            engine=engine,
            pixels=pixels,
            progress=bar,
            enricher=_enricher(vlm, summarizer, chosen, name),
            extractor=_extractor(extractor, name, knowledge_graph),
            sites=sites,
        )
    report.sites = walks
    report.ocr_note = chosen.note if report.pictures else ""
    _say(report, as_json=as_json)


def _say(report: IngestReport, *, as_json: bool) -> None:
    """Print the report; the exit status says whether something failed."""
    from backtrail.cli.show.ingest_report import show_report

    if as_json:
        print(json.dumps(report.as_json(), ensure_ascii=False))
    else:
        show_report(report)
    if report.failed:
        raise typer.Exit(1)


def _enricher(vlm: str | None, summarizer: str | None, ocr: ChosenOcr, corpus: str) -> Enricher:
    """Who describes pictures, sums up documents and reads words in pictures, if anyone."""
    from backtrail.ingest.enrich import Enricher

    return Enricher(
        describe=_remembering(vlm, corpus),
        summarize=_remembering(summarizer, corpus),
        ocr=ocr.ocr,
        ocr_seconds=ocr.seconds,
    )


def _remembering(model: str | None, corpus: str) -> Decider | None:
    """The model of that name; what it answered before is not asked again."""
    if model is None or model in ("none", "offline"):
        return None
    from backtrail.tools.deciders.open import open_decider
    from backtrail.tools.deciders.recording.remembered import RememberingDecider
    from backtrail.tools.home import cache_folder
    from backtrail.tools.journal.shared import DECISIONS, shared_journal

    journal = shared_journal(corpus, DECISIONS)
    return RememberingDecider(open_decider(model, temperature=0.0), cache_folder() / "decisions", journal)


def _extractor(model: str | None, corpus: str, wanted: bool) -> Decider | None:
    """Who reads the corpus into its graph, if that is asked for: the named model, else the one that did before.

    Raises:
        SettingsError: a model without --knowledge-graph, or a name that names none.
    """
    from backtrail.state.settings import OFFLINE
    from backtrail.tools.deciders.offline import OfflineDecider
    from backtrail.tools.deciders.open import open_decider
    from backtrail.tools.errors import SettingsError
    from backtrail.tools.knowledge.open import recorded_extractor

    if not wanted:
        if model:
            raise SettingsError("--extractor names who reads the knowledge graph; give --knowledge-graph as well.")
        return None
    model = model or recorded_extractor(corpus) or OFFLINE
    return OfflineDecider() if model == OFFLINE else open_decider(model, temperature=0.0)
