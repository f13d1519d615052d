"""Pictures as nodes of the graph, linked to their document and what they show (HM-RAG, section 3.1).

The paper stores a picture's position on the entities extracted from it. Here the picture is an entity too, so that
questions about a picture find it, with what it shows as neighbours. Entities named only in the text around it are not
shown by it. No model is needed: the words are the component's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from backtrail.rules.knowledge.entity_names import exact
from backtrail.tools.knowledge.merge import Said

KIND = "picture"
_LONGEST = 120
_MOST = 20
"""Entities that one picture shows."""
_OWN = ("title", "caption", "alt", "recognized")


def with_picture_node(said: Said, shown: Mapping[str, Any] | None, document: str) -> Said:
    """Add the picture itself to its extraction; extractions of other components are returned unchanged.

    Args:
        shown: the component's ``image``, or None.
        document: title of its document.
    """
    label = _label(shown) if shown and said.picture else ""
    if not shown or not label:
        return said
    name = f'Picture "{label}"'
    about = str(shown.get("caption") or shown.get("alt") or "").strip()
    named = [str(entity["name"]) for entity in said.entities]
    depicted = [one for one in dict.fromkeys(named) if _is_named(one, _words(shown))][:_MOST]
    entity = {"name": name, "kind": KIND, "description": about or f"{name} in {document}."}
    pairs = (("belongs to", document), *(("shows", one) for one in depicted))
    triplets = [_triplet(name, relation, tail) for relation, tail in pairs if tail.strip()]
    return replace(said, entities=[*said.entities, entity], triplets=[*said.triplets, *triplets])


def _label(shown: Mapping[str, Any]) -> str:
    words = (str(shown.get(key) or "").strip() for key in ("caption", "title", "alt"))
    label = " ".join(next((one for one in words if one), "").replace('"', "").split())
    return label if len(label) <= _LONGEST else label[: _LONGEST - 1].rsplit(" ", 1)[0] + "…"


def _words(shown: Mapping[str, Any]) -> str:
    """Return the picture's own words in the form that names are compared in."""
    own = [str(shown.get(key) or "") for key in _OWN]
    return " ".join(exact(part) for part in [*own, *map(str, shown.get("objects") or ())])


def _is_named(name: str, words: str) -> bool:
    key = exact(name)
    return bool(key) and re.search(rf"(?<!\w){re.escape(key)}(?!\w)", words) is not None


def _triplet(head: str, relation: str, tail: str) -> dict[str, Any]:
    statement = {"head": head, "relation": relation, "tail": tail, "text": f"{head} {relation} {tail}."}
    return {**statement, "keywords": [KIND], "weight": 1.0, "row": None}
