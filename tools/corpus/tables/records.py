"""Convert contents to rows of the tables and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

from sqlalchemy import RowMapping

from backtrail.state.component import (
    Component,
    Document,
    Identity,
    Link,
    LinkKind,
    Locator,
    Picture,
    Subcomponent,
    Table,
)


def text_hash(text: str) -> bytes:
    """The 16-byte hash that identifies a text to be embedded."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def component_content(component: Component) -> str:
    """The fields of a component without columns of their own, as JSON."""
    content: dict[str, Any] = {}
    if component.text is not None:
        content["text"] = component.text
    if component.table is not None:
        content["table"] = component.table.model_dump()
    if component.image is not None:
        content["image"] = component.image.model_dump(exclude_defaults=True)
    if component.locator != Locator():
        content["locator"] = component.locator.model_dump(exclude_defaults=True)
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def read_component(row: RowMapping, links: Sequence[Link]) -> Component:
    """Convert a row of components, joined with its document's id (as ``document``)."""
    content = json.loads(row["content"])
    table, image, locator = content.get("table"), content.get("image"), content.get("locator")
    return Component(
        id=row["id"],
        document=row["document"],
        position=row["position"],
        modality=row["modality"],
        section=row["section"],
        text=content.get("text"),
        table=Table.model_validate(table) if table is not None else None,
        image=Picture.model_validate(image) if image is not None else None,
        links=tuple(links),
        locator=Locator.model_validate(locator) if locator else Locator(),
    )


def read_document(row: RowMapping, identity: Identity) -> Document:
    """Convert a row of documents, which the index knows the identity of."""
    names = ("id", "title", "url", "source", "summary")
    return Document(**{name: row[name] for name in names}, identity=identity)


def read_subcomponent(row: RowMapping) -> Subcomponent:
    """Convert a row of subcomponents, joined with its component's id (as ``component``)."""
    return Subcomponent(
        id=row["id"], component=row["component"], kind=row["kind"], index=row["ordinal"], text=row["text"]
    )


def link_row(component_key: int, ordinal: int, link: Link) -> dict[str, Any]:
    """The row of a link as written; ``resolve_links`` fills in the rest."""
    wanted, _, fragment = link.target.partition("#")
    return {
        "component_key": component_key,
        "ordinal": ordinal,
        "written": link.target,
        "written_kind": link.kind,
        "wanted": wanted if link.kind == "external" else link.target,
        "fragment": link.component or (unquote(fragment) if link.kind == "external" and fragment else None),
        "anchor": link.anchor,
        "cell_row": link.row,
        "cell_column": link.column,
        "kind": "dead",
        "target": None,
        "component": None,
    }


def read_link(
    target: str | None,
    written: str,
    anchor: str,
    row: int | None,
    column: int | None,
    component: str | None,
    kind: LinkKind,
) -> Link:
    """Convert a row of links. A link without a document keeps its target as written."""
    return Link(
        target=written if target is None else target,
        anchor=anchor,
        row=row,
        column=column,
        component=component,
        kind=kind,
    )
