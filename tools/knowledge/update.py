"""Update the tables of the merged graph from the extractions, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sqlalchemy import Connection, delete, insert, select

from backtrail.tools.corpus.tables.schema import components, descriptions, documents, extractions, links, summarized
from backtrail.tools.corpus.writing.progress import Progress
from backtrail.tools.knowledge.describe import LONGEST_OF_RULES, Covered, Descriptions, Summarize
from backtrail.tools.knowledge.extractions import document_of, pictures_read, settle
from backtrail.tools.knowledge.extractor import Extractor
from backtrail.tools.knowledge.merge import Graph, Linked, Said, merge
from backtrail.tools.knowledge.picture_nodes import with_picture_node
from backtrail.tools.knowledge.statements import statement_rows
from backtrail.tools.knowledge.tables import relation_name, store_graph

_READ = 2_000


def update_graph(
    connection: Connection, extractor: Extractor, progress: Progress, summarize: Summarize | None = None
) -> None:
    """Merge the extractions and store the difference. Extracts and embeds nothing.

    Args:
        extractor: the corpus's extractor; descriptions of the rules need no summaries by a model.
        summarize: summarizes long descriptions; without it, rules do until a later run has it.
    """
    progress.stage("merge")
    settle(connection)
    titles = {row.id: row.title for row in connection.execute(select(documents.c.id, documents.c.title))}
    shown = pictures_read(connection)
    said = [with_picture_node(one, shown.get(one.component), titles[one.document]) for one in _said(connection)]
    graph = merge(said, titles, _linked(connection, titles))
    described = _describe(connection, graph, extractor, summarize)
    store_graph(connection, graph, described, statement_rows(connection, said))


def _said(connection: Connection) -> Iterator[Said]:
    """Yield the extraction of each component, its chunks joined."""
    places = document_of(connection)
    table = extractions
    statement = (
        select(table.c.component, table.c.content)
        .where(table.c.status == "ok")
        .order_by(table.c.component, table.c.chunk)
    )
    current: Said | None = None
    for row in connection.execute(statement, execution_options={"yield_per": _READ}):
        content = json.loads(row.content)
        entities, triplets = content.get("entities", []), content.get("triplets", [])
        if current is not None and current.component == row.component:
            current = Said(*_place(current), [*current.entities, *entities], [*current.triplets, *triplets])
            continue
        if current is not None:
            yield current
        document, blob = places[row.component]
        current = Said(row.component, document, blob, entities, triplets)
    if current is not None:
        yield current


def _place(said: Said) -> tuple[str, str, str | None]:
    return said.component, said.document, said.picture


def _linked(connection: Connection, titles: dict[str, str]) -> Iterator[Linked]:
    """Links between documents, in order of appearance."""
    statement = (
        select(components.c.id, documents.c.id.label("document"), links.c.cell_row, links.c.anchor, links.c.target)
        .join_from(links, components, links.c.component_key == components.c.key)
        .join(documents, components.c.document_key == documents.c.key)
        .where(links.c.kind == "internal", links.c.anchor != "")
        .order_by(links.c.component_key, links.c.ordinal)
    )
    for row in connection.execute(statement, execution_options={"yield_per": _READ}):
        if row.target in titles:
            yield Linked(row.id, row.document, row.cell_row, row.anchor, titles[row.target])


def _describe(connection: Connection, graph: Graph, extractor: Extractor, summarize: Summarize | None) -> Descriptions:
    """Describe everything, with stored summaries and, if ``summarize`` is given, new ones."""
    described = Descriptions(longest=LONGEST_OF_RULES) if extractor.is_offline else _stored(connection, extractor)
    connection.execute(delete(descriptions))
    connection.execute(delete(summarized))
    names = {entity.id: entity.name for entity in graph.entities}
    for entity in graph.entities:
        described.prepare(entity.id, entity.name, entity.texts)
    for relation in graph.relations:
        described.prepare(relation.id, relation_name(relation, names), relation.texts)
    if extractor.is_offline:
        return described
    missing = [one for one in described.long.values() if one.hash not in described.summaries]
    if summarize and missing:
        described.summaries.update(summarize(missing))
    _store(connection, graph, extractor, described)
    return described


def _stored(connection: Connection, extractor: Extractor) -> Descriptions:
    """Load this extractor's summaries and what they cover."""
    table = descriptions
    ours = table.c.extractor.in_(extractor.accepted) & table.c.summary.is_not(None)
    summaries = {bytes(row.hash): row.summary for row in connection.execute(select(table).where(ours))}
    covered = {
        row.owner: Covered(bytes(row.hash), _split(bytes(row.covered)))
        for row in connection.execute(select(summarized))
    }
    return Descriptions(summaries, covered)


def _store(connection: Connection, graph: Graph, extractor: Extractor, described: Descriptions) -> None:
    """Store the summaries in use, and an empty row for each missing one."""
    covered = described.now_covered({one.id: one.texts for one in (*graph.entities, *graph.relations)})
    used = sorted({*described.long, *(one.hash for one in covered.values())})
    if used:
        rows = [
            {"hash": hash_, "extractor": extractor.fingerprint, "summary": described.summaries.get(hash_)}
            for hash_ in used
        ]
        connection.execute(insert(descriptions), rows)
    if covered:
        owners = [
            {"owner": id_, "hash": one.hash, "covered": b"".join(sorted(one.texts))} for id_, one in covered.items()
        ]
        connection.execute(insert(summarized), owners)


def _split(packed: bytes) -> frozenset[bytes]:
    return frozenset(packed[start : start + 16] for start in range(0, len(packed), 16))
