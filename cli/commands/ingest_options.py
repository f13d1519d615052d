"""The options of ``backtrail ingest``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Sources = Annotated[list[Path], typer.Argument(metavar="PATH", help="Files, folders or corpus bundles.")]
Embedder = Annotated[
    str | None, typer.Option(help="Embedder of a new corpus; an existing one keeps its own.", show_default="offline")
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
        help="Read the words in pictures with Tesseract. A corpus keeps what it has; a new one with "
        "--knowledge-graph has it if it is installed.",
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
