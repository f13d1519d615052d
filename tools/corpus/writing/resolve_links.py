"""Resolve the links of a whole corpus after every change, in SQL."""

from __future__ import annotations

from sqlalchemy import Column, ColumnElement, Connection, and_, case, collate, func, literal, or_, select, update

from backtrail.tools.corpus.tables.schema import components, documents, fragments, links

HIERARCHY = ("parent", "child")
"""Kinds of navigation links, which no author wrote."""
LABELS = ("tag", "date")
"""Kinds of labels: links of a document's first component to what its author filed it under."""


def resolve_links(connection: Connection) -> dict[str, int]:
    """Set document, component and kind of every link, and count the kinds.

    A link is internal if a document has its target as id or else as URL. Its component is the one with the fragment, or
    with the fragment as id; without one only the document is linked. Any other link is external if it was written as a
    URL, else dead. Navigation links keep their kind, and have no target if the page does not exist. Labels keep theirs.
    """
    by_id = select(documents.c.id).where(documents.c.id == links.c.wanted).scalar_subquery()
    by_url = (
        select(func.min(_in_byte_order(connection, documents.c.id)))
        .where(and_(documents.c.url == links.c.wanted, documents.c.url != ""))
        .scalar_subquery()
    )
    connection.execute(update(links).values(target=func.coalesce(by_id, by_url), component=None))
    connection.execute(
        update(links).values(
            kind=case(
                (links.c.written_kind.in_((*HIERARCHY, *LABELS)), links.c.written_kind),
                (links.c.target.is_not(None), literal("internal")),
                (links.c.written_kind == "external", literal("external")),
                else_=literal("dead"),
            )
        )
    )
    _resolve_fragments(connection)
    return count_links(connection)


def _in_byte_order(connection: Connection, text: Column[str]) -> ColumnElement[str]:
    """Compare texts as SQLite does; Postgres uses its locale by default."""
    return collate(text, "C") if connection.dialect.name == "postgresql" else text


def count_links(connection: Connection) -> dict[str, int]:
    """Number of links by kind, as last resolved."""
    counted = connection.execute(select(links.c.kind, func.count().label("number")).group_by(links.c.kind))
    return {"internal": 0, "dead": 0, "external": 0} | {row.kind: row.number for row in counted}


def _resolve_fragments(connection: Connection) -> None:
    target_key = select(documents.c.key).where(documents.c.id == links.c.target).correlate(links).scalar_subquery()
    by_fragment, in_small_letters = (
        select(fragments.c.component)
        .where(and_(fragments.c.document_key == target_key, fragments.c.fragment == wanted))
        .scalar_subquery()
        for wanted in (links.c.fragment, func.lower(links.c.fragment))  # as GitHub resolves "#getState" to "getState()"
    )
    by_id = (
        select(components.c.id)
        .where(and_(components.c.id == links.c.fragment, components.c.document_key == target_key))
        .scalar_subquery()
    )
    with_fragment = and_(links.c.target.is_not(None), links.c.fragment.is_not(None), links.c.fragment != "")
    connection.execute(
        update(links).where(with_fragment).values(component=func.coalesce(by_fragment, by_id, in_small_letters)),
    )
    # a fragment of a file that was split by section is in the section's document
    holder = (
        select(documents.c.id)
        .join(components, components.c.document_key == documents.c.key)
        .where(components.c.id == links.c.component)
        .scalar_subquery()
    )
    own = func.substr(links.c.component, 1, func.length(links.c.target) + 1) == links.c.target + "#"
    elsewhere = and_(links.c.component.is_not(None), ~own)
    connection.execute(update(links).where(elsewhere).values(target=func.coalesce(holder, links.c.target)))


def unresolved_links(connection: Connection) -> int:
    """Number of internal links without their document or component; 0 in a valid corpus."""
    no_document = ~select(documents.c.key).where(documents.c.id == links.c.target).exists()
    no_component = and_(
        links.c.component.is_not(None), ~select(components.c.key).where(components.c.id == links.c.component).exists()
    )
    broken = and_(links.c.kind == "internal", or_(no_document, no_component))
    return connection.execute(select(func.count()).select_from(links).where(broken)).scalar_one()
