"""The options of ``backtrail ingest``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Sources = Annotated[
    list[str] | None,
    typer.Argument(metavar="PATH", help="Files, folders, corpus bundles, or addresses of sites (https://…)."),
]
Embedder = Annotated[
    str | None, typer.Option(help="Embedder of a new corpus; an existing one keeps its own.", show_default="offline")
]
Engine = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Where bulk work is done: 'local', 'ray' (actors on this machine) or 'ray://HOST:PORT' (a cluster).",
    ),
]
Pixels = Annotated[
    str | None,
    typer.Option(
        help="Encoder that sees pictures, 'cross-modal:FOLDER'; a corpus keeps the one it has.", show_default="none"
    ),
]
Vlm = Annotated[
    str | None, typer.Option(help="Vision model that describes pictures, 'provider:model'.", show_default="none")
]
Summarizer = Annotated[
    str | None, typer.Option(help="Model that sums up documents; else their first sentences.", show_default="none")
]
Ocr = Annotated[
    bool | None,
    typer.Option(
        "--ocr/--no-ocr",
        help="Read the words in pictures with Tesseract. A new corpus has them if it is installed, for ten minutes an "
        "ingest unless --ocr is given; a corpus keeps to what it was made with.",
        show_default="as the corpus was made",
    ),
]
OcrLanguage = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES", help="Languages of those words, e.g. 'deu+eng'; a corpus keeps its own.", show_default="eng"
    ),
]
KnowledgeGraph = Annotated[
    bool,
    typer.Option("--knowledge-graph", help="Read the whole corpus into its knowledge graph, as far as it is not."),
]
Extractor = Annotated[
    str | None,
    typer.Option(
        help="With --knowledge-graph: model that reads, 'provider:model' or 'offline'; a corpus keeps its own.",
        show_default="offline",
    ),
]
Forget = Annotated[
    bool,
    typer.Option(
        "--forget",
        help="Leave nothing of what the corpus no longer holds: what this ingest or an earlier one removed or replaced "
        "is gone from its older state, caches and journals, and from a shared store.",
    ),
]
InsteadOf = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FOLDER",
        help="A folder that was ingested before and is another copy of PATH, such as an older checkout: PATH takes its "
        "place. Repeatable.",
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
    typer.Option(rich_help_panel=_SITES, help="Pages and documents of a site that are read.", show_default="1000"),
]
MaxDepth = Annotated[
    int | None, typer.Option(rich_help_panel=_SITES, help="Links from the start of a site.", show_default="16")
]
MaxSeconds = Annotated[
    float | None,
    typer.Option(
        rich_help_panel=_SITES, help="Time for one site; the same command again goes on.", show_default="3600"
    ),
]
MaxMegabytes = Annotated[
    float | None, typer.Option(rich_help_panel=_SITES, help="Fetched of a site in one run.", show_default="1000")
]
Rate = Annotated[
    float | None,
    typer.Option(
        rich_help_panel=_SITES,
        help="Requests a second; a longer delay that robots.txt asks for wins.",
        show_default="2",
    ),
]
PathPrefix = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=_SITES,
        metavar="PATH",
        help="Follow only pages whose path starts so, e.g. /docs/.",
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
