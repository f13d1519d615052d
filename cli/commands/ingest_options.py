"""The options of ``backtrail ingest``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Sources = Annotated[
    list[str] | None,
    typer.Argument(metavar="PATH", help="Files, folders, corpus bundles, or addresses of web sites (https://…)."),
]
Embedder = Annotated[
    str | None, typer.Option(help="Embedder of a new corpus; an existing one keeps its own.", show_default="offline")
]
Engine = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Where work runs: 'local', 'ray' (on this machine) or 'ray://HOST:PORT' (a cluster).",
    ),
]
Pixels = Annotated[
    str | None,
    typer.Option(
        help="Pixel encoder of pictures, 'cross-modal:FOLDER'; an existing corpus keeps its own.", show_default="none"
    ),
]
Vlm = Annotated[
    str | None, typer.Option(help="Vision model that describes pictures, 'provider:model'.", show_default="none")
]
Summarizer = Annotated[
    str | None, typer.Option(help="Model that summarises documents; else their first sentences.", show_default="none")
]
Ocr = Annotated[
    bool | None,
    typer.Option(
        "--ocr/--no-ocr",
        help="Read words in pictures with Tesseract; a corpus keeps its choice.",
        show_default="if installed, ten minutes per ingest",
    ),
]
OcrLanguage = Annotated[
    str | None,
    typer.Option(metavar="NAMES", help="Languages of OCR, e.g. 'deu+eng'; a corpus keeps its own.", show_default="eng"),
]
KnowledgeGraph = Annotated[
    bool,
    typer.Option("--knowledge-graph", help="Extract the knowledge graph from all components not read yet."),
]
Extractor = Annotated[
    str | None,
    typer.Option(
        help="With --knowledge-graph: extracting model, 'provider:model' or 'offline'; a corpus keeps its own.",
        show_default="offline",
    ),
]
Forget = Annotated[
    bool,
    typer.Option(
        "--forget",
        help="Erase removed and replaced contents also from older generations, caches, journals and a shared store.",
    ),
]
InsteadOf = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FOLDER",
        help="Ingested folder that PATH replaces, such as an older checkout. Repeatable.",
        show_default="none",
    ),
]

Loader = Annotated[
    str | None,
    typer.Option(
        metavar="MODULE:CLASS",
        help="A LangChain document loader, such as langchain_community.document_loaders:CSVLoader.",
        show_default="none",
    ),
]
LoaderArgs = Annotated[
    str | None,
    typer.Option(metavar="JSON", help='Its keyword arguments: \'{"file_path": "tickets.csv"}\'.', show_default="none"),
]

_SITES = "Sites of the web"
MaxPages = Annotated[
    int | None,
    typer.Option(rich_help_panel=_SITES, help="Maximum pages and documents of a site.", show_default="1000"),
]
MaxDepth = Annotated[
    int | None, typer.Option(rich_help_panel=_SITES, help="Maximum links from the start of a site.", show_default="16")
]
MaxSeconds = Annotated[
    float | None,
    typer.Option(rich_help_panel=_SITES, help="Maximum time for a site; run again to continue.", show_default="3600"),
]
MaxMegabytes = Annotated[
    float | None, typer.Option(rich_help_panel=_SITES, help="Maximum download of a site.", show_default="1000")
]
Rate = Annotated[
    float | None,
    typer.Option(
        rich_help_panel=_SITES,
        help="Requests per second; a longer delay in robots.txt is respected.",
        show_default="2",
    ),
]
PathPrefix = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=_SITES,
        metavar="PATH",
        help="Follow only pages whose path starts with this, e.g. /docs/.",
        show_default="the folder of the address",
    ),
]
SitePictures = Annotated[
    bool | None,
    typer.Option(
        "--site-pictures/--no-site-pictures",
        rich_help_panel=_SITES,
        help="Fetch the pictures of pages.",
        show_default="yes",
    ),
]
Watch = Annotated[
    bool,
    typer.Option("--watch", help="Stay, and ingest again whenever a file below PATH changes, until Ctrl-C."),
]
