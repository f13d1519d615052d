"""backtrail corpus: manage the ingested corpora."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backtrail.cli.commands.contents import components, documents, inspect
from backtrail.cli.commands.ingest_options import Engine
from backtrail.cli.commands.options import AsJson
from backtrail.tools.errors import HomeUnusable, StoredFileDamaged

if TYPE_CHECKING:
    from backtrail.tools.corpus.describe import Description

app = typer.Typer(help="List, show, check, delete and rebuild corpora; inspect what was read.", no_args_is_help=True)
app.command()(documents)
app.command()(components)
app.command()(inspect)
Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of a corpus.")]


@app.command("list")
def list_all(as_json: AsJson = False) -> None:
    """List the corpora with their sizes."""
    from backtrail.tools.corpus.manage import describe, list_corpora

    corpora: list[Description] = []
    unusable: list[HomeUnusable] = []
    for name in list_corpora():
        try:
            corpora.append(describe(name))
        except HomeUnusable as error:
            unusable.append(error)
    if as_json:
        print(json.dumps({"corpora": [_plain(corpus) for corpus in corpora]}, ensure_ascii=False))
    elif corpora:
        _table(corpora)
    elif not unusable:
        print("There are no corpora yet. Make one with: backtrail ingest PATH --corpus NAME")
    if unusable:
        raise unusable[0]


@app.command()
def show(name: Name, as_json: AsJson = False) -> None:
    """Show the contents, location and embedder of a corpus."""
    from backtrail.cli.show.console import out
    from backtrail.tools.corpus.manage import describe

    corpus = describe(name)
    if as_json:
        print(json.dumps(_plain(corpus), ensure_ascii=False))
        return
    for field, value in _plain(corpus).items():
        if value == "":  # no pixel encoder
            continue
        shown = ", ".join(f"{count} {kind}" for kind, count in value.items()) if isinstance(value, dict) else value
        out.print(f"[dim]{field.replace('_', ' '):>13}[/]  {shown}", soft_wrap=True)


@app.command()
def check(name: Name, as_json: AsJson = False) -> None:
    """Check that every component has its vector, every link its target, every picture its file.

    Exit status 1 if anything is wrong.
    """
    from backtrail.tools.corpus.manage import check as find_problems

    problems = find_problems(name)
    if as_json:
        print(json.dumps({"corpus": name, "problems": problems}, ensure_ascii=False))
    else:
        print("\n".join(problems) or f"{name}: all well.")
        if problems:
            print(f"Rebuild with: backtrail corpus reindex {name}")
    if problems:
        raise typer.Exit(1)


@app.command()
def reindex(
    name: Name,
    embedder: Annotated[str | None, typer.Option(help="Change to this embedder; default: the corpus's own.")] = None,
    pixels: Annotated[
        str | None,
        typer.Option(help="Change the encoder of pictures to this, or to 'none'; default: the corpus's own."),
    ] = None,
    engine: Engine = "local",
    as_json: AsJson = False,
) -> None:
    """Rebuild the vectors and the lexical index of a corpus from its stored contents."""
    from backtrail.cli.show.ingest_progress import IngestBar
    from backtrail.tools.corpus.manage import reindex as rebuild

    with IngestBar(shown=not as_json) as bar:
        published = rebuild(name, embedder, pixels=pixels, engine=engine, progress=bar)
    done = {"corpus": name, "embedded": published.embedded, "version": published.version}
    print(json.dumps(done) if as_json else f"{name}: rebuilt; {published.embedded} texts embedded.")


@app.command()
def pages(
    name: Name,
    model: Annotated[
        str | None,
        typer.Argument(
            metavar="MODEL",
            help="late-interaction:FOLDER or cross-modal:FOLDER; 'none' removes all; default: the recorded ones.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Embed the pages of a corpus as pictures, for the method page_images. Later ingests embed new pages."""
    from backtrail.cli.show.console import out
    from backtrail.cli.show.ingest_progress import IngestBar
    from backtrail.cli.show.ingest_report import pages_line
    from backtrail.ingest.pages.embed_pages import NO_MODEL, embed_pages, remove_pages, update_pages

    if model == NO_MODEL:
        remove_pages(name)
    with IngestBar(shown=not as_json) as bar:
        embed = model not in (None, NO_MODEL)
        reports = [embed_pages(name, str(model), progress=bar)] if embed else update_pages(name, bar)
    if as_json:
        done = [dataclasses.asdict(report) for report in reports]
        print(json.dumps({"corpus": name, "pages": done}, ensure_ascii=False))
    else:
        lines = [pages_line(report) for report in reports] or [f"{name}: no page vectors."]
        out.print("\n".join(lines), soft_wrap=True, markup=False, highlight=False)
    if problems := [report for report in reports if report.problem]:
        raise typer.Exit(1 if len(problems) < len(reports) else 2)


@app.command()
def move(
    name: Name,
    store: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="lance:/folder, s3://bucket/prefix, gs://… or az://…; 'home' moves it back."
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Move a corpus into a store that machines share, or back into this home. Run again to continue."""
    from backtrail.tools.corpus.move import move_home, share
    from backtrail.tools.corpus.store_address import read_address

    if store == "home":
        move_home(name)
        print(json.dumps({"corpus": name, "store": ""}) if as_json else f"{name}: in this home and in no store.")
        return
    kept = share(name, read_address(store))
    done = {"corpus": name, "store": str(kept.address), "publication": kept.number}
    print(json.dumps(done) if as_json else f"{name}: publication {kept.number} in {kept.address}")


@app.command()
def graph(
    name: Name,
    entity: Annotated[str | None, typer.Option(help="Show this entity and its relations.")] = None,
    export: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the graph as GraphML.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the knowledge graph of a corpus. Build it with: backtrail ingest PATH --knowledge-graph"""
    from backtrail.cli.show.knowledge_lines import neighbourhood, show_neighbourhood
    from backtrail.tools.knowledge.graphml import write_graphml
    from backtrail.tools.knowledge.open import open_knowledge

    knowledge = open_knowledge(name)
    if entity is not None:
        found = neighbourhood(knowledge, name, entity)
        print(json.dumps(found, ensure_ascii=False)) if as_json else show_neighbourhood(found)
        return
    done: dict[str, object] = {"corpus": name, **knowledge.counts()}
    if export is not None:
        nodes, edges = write_graphml(name, export)
        done = {"corpus": name, "file": str(export), "nodes": nodes, "edges": edges}
    if as_json:
        print(json.dumps(done, ensure_ascii=False))
    else:
        print(", ".join(f"{value} {field}" if isinstance(value, int) else str(value) for field, value in done.items()))


@app.command()
def delete(
    name: Name,
    documents: Annotated[
        list[str] | None, typer.Option("--document", help="Delete only this document. Repeatable.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without confirmation.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete a corpus or some of its documents, with their components, vectors and pictures."""
    from backtrail.tools.corpus.manage import delete_corpus, delete_documents, describe

    try:
        total = describe(name).documents
        what = f"{len(documents)} of the {total} documents" if documents else f"all {total} documents"
    except StoredFileDamaged as error:
        if documents:
            raise
        total, what = 0, f"all that is left ({error.file.name} is damaged)"
    if not yes:
        typer.confirm(f"Delete {what} of corpus {name!r}?", abort=True, err=True)
    if documents:
        count = delete_documents(name, documents)
    else:
        count = total
        delete_corpus(name)
    done = {"corpus": name, "deleted": count}
    print(json.dumps(done) if as_json else f"{name}: {count} documents deleted.")


def _plain(corpus: Description) -> dict[str, object]:
    return {**dataclasses.asdict(corpus), "folder": str(corpus.folder)}


def _table(corpora: list[Description]) -> None:
    from rich.table import Table

    from backtrail.cli.show.console import out

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("corpus", "documents", "text", "tables", "pictures", "links", "embedder", "updated"):
        table.add_column(heading, justify="left" if heading in ("corpus", "embedder", "updated") else "right")
    for corpus in corpora:
        counts = [corpus.components.get(modality, 0) for modality in ("text", "table", "image")]
        table.add_row(
            f"[bold]{corpus.name}[/]",
            str(corpus.documents),
            *map(str, counts),
            str(corpus.links.get("internal", 0)),
            corpus.embedder,
            corpus.updated[:16].replace("T", " "),
        )
    out.print(table)
