"""Pictures as nodes of the graph: each belongs to its document and shows what its own words name (HM-RAG, section 3.1).

The paper keeps the place of a picture on the entities that were read of it. Here the picture is a thing of its own too,
so that a question that speaks of a picture finds it, and its neighbours are what it shows. What is only read of the
text around it is not shown by it. Nothing is asked of a model: the words are those of the component.
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
"""Things that one picture is said to show."""
_OWN = ("title", "caption", "alt", "recognized")


def with_picture_node(said: Said, shown: Mapping[str, Any] | None, document: str) -> Said:
    """What was read of a picture, with the picture itself; of other components the same.

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
    """The picture's own words, as names are compared."""
    own = [str(shown.get(key) or "") for key in _OWN]
    return " ".join(exact(part) for part in [*own, *map(str, shown.get("objects") or ())])


def _is_named(name: str, words: str) -> bool:
    key = exact(name)
    return bool(key) and re.search(rf"(?<!\w){re.escape(key)}(?!\w)", words) is not None


def _triplet(head: str, relation: str, tail: str) -> dict[str, Any]:
    told = {"head": head, "relation": relation, "tail": tail, "text": f"{head} {relation} {tail}."}
    return {**told, "keywords": [KIND], "weight": 1.0, "row": None}
