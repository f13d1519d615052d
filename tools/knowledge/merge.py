"""Merge extractions into one graph: same names make one entity, same statements one relation.

The result depends only on the extractions, not on the order of documents, nor on whether the graph was built at once
or incrementally.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from backtrail.rules.knowledge.entity_names import Meaning, Names, exact
from backtrail.tools.knowledge.protocol import VALUE

PASSING = 1.0
"""Weight below which a statement only says that a name occurs."""
_MOST_OCCURRENCES = 50  # documents
_KEYWORDS = 12


@dataclass(frozen=True)
class Said:
    """Extraction of one component. ``entities`` and ``triplets`` are the fields of the decision's output."""

    component: str
    document: str
    picture: str | None
    entities: Sequence[Mapping[str, Any]]
    triplets: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Linked:
    """A link inside the corpus: its text and position, and the title of its target document."""

    component: str
    document: str
    row: int | None
    anchor: str
    title: str


@dataclass
class MergedEntity:
    """An entity with all its descriptions. ``texts`` are distinct, those of its own document first."""

    id: str
    name: str
    kind: str
    texts: list[str]
    components: list[str]
    pictures: list[str]


@dataclass
class MergedRelation:
    """A relation between two entities (ids), with everything that states it."""

    id: str
    head: str
    relation: str
    tail: str
    texts: list[str]
    keywords: list[str]
    weight: float
    components: list[str]
    is_passing: bool = False
    """Whether all its statements only say that a name occurs."""


@dataclass
class Graph:
    """Entities and relations, each sorted by id."""

    entities: list[MergedEntity]
    relations: list[MergedRelation]


def entity_id(key: str) -> str:
    """Return the id of the entity with a resolved name's key."""
    return f"e{hashlib.blake2b(key.encode('utf-8', 'surrogatepass'), digest_size=10).hexdigest()}"


def merge(extractions: Collection[Said], titles: Mapping[str, str], links: Iterable[Linked]) -> Graph:
    """Merge extractions into one graph.

    Args:
        extractions: those of components.
        titles: title of every document, by document id.
        links: the links between documents of the corpus.
    """
    places = _Places(links)
    names = Names(titles.values(), places.redirects(), _mentions(extractions))
    merging = _Merging(names, places, titles)
    for one in sorted(extractions, key=lambda one: one.component):
        merging.add(one)
    return merging.graph()


def _mentions(extractions: Iterable[Said]) -> Counter[str]:
    mentioned: Counter[str] = Counter()
    for one in extractions:
        mentioned.update(entity["name"] for entity in one.entities)
        mentioned.update(triplet[end] for triplet in one.triplets for end in ("head", "tail"))
    return mentioned


class _Places:
    """Titles that names link to: in a row, in a component, and in the whole corpus."""

    def __init__(self, links: Iterable[Linked]) -> None:
        self._in_row: dict[tuple[str, int | None, str], dict[str, None]] = defaultdict(dict)
        self._in_component: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        self._everywhere: dict[str, tuple[str, set[str], set[str]]] = {}
        for link in links:
            anchor = exact(link.anchor)
            self._in_row[link.component, link.row, anchor][link.title] = None
            self._in_component[link.component, anchor][link.title] = None
            _, to, documents = self._everywhere.setdefault(anchor, (link.anchor, set(), set()))
            to.add(link.title)
            documents.add(link.document)

    def redirects(self) -> dict[str, str]:
        """Return link texts of at least two documents that all lead to documents of one title."""
        return {
            written: next(iter(to))
            for written, to, documents in self._everywhere.values()
            if len(to) == 1 and len(documents) > 1
        }

    def titles(self, component: str, row: int | None, key: str) -> list[str]:
        """Return the titles that a name (its exact key) links to at its position, possibly several."""
        if row is not None and (found := self._in_row.get((component, row, key))):
            return list(found)
        found = self._in_component.get((component, key), {})
        return list(found) if len(found) == 1 else []


@dataclass
class _EntityParts:
    meaning: Meaning
    kinds: dict[str, int] = field(default_factory=dict[str, int])
    own: dict[str, None] = field(default_factory=dict[str, None])
    texts: dict[str, None] = field(default_factory=dict[str, None])
    components: dict[str, None] = field(default_factory=dict[str, None])
    pictures: dict[str, None] = field(default_factory=dict[str, None])


@dataclass
class _RelationParts:
    head: str
    tail: str
    spellings: dict[str, int] = field(default_factory=dict[str, int])
    texts: dict[str, None] = field(default_factory=dict[str, None])
    keywords: dict[str, int] = field(default_factory=dict[str, int])
    weights: list[float] = field(default_factory=list[float])
    components: dict[str, None] = field(default_factory=dict[str, None])


def _count(counts: dict[str, int], word: str) -> None:
    counts[word] = counts.get(word, 0) + 1


@dataclass(frozen=True)
class _Named:
    """A name as written (its exact key), and its entity."""

    written: str
    id: str
    meaning: Meaning


class _Merging:
    """A graph under construction; components are added in the order of their ids."""

    def __init__(self, names: Names, places: _Places, titles: Mapping[str, str]) -> None:
        self._names = names
        self._places = places
        self._titles = titles
        self._entities: dict[str, _EntityParts] = {}
        self._relations: dict[tuple[str, str, str], _RelationParts] = {}
        self._passing: list[tuple[Said, Mapping[str, Any], _Named, _Named]] = []
        self._passed_by: dict[str, set[str]] = defaultdict(set)
        self._resolved: dict[str, _Named] = {}
        self._relation_keys: dict[str, str] = {}

    def add(self, said: Said) -> None:
        """Add the extraction of one component."""
        for entity in said.entities:
            self._describe(said, self._meanings(said, None, entity["name"])[0], entity)
        for triplet in said.triplets:
            row = triplet.get("row")
            head = self._meanings(said, row, triplet["head"])[0]
            for tail in self._meanings(said, row, triplet["tail"]):
                if head.id != tail.id:
                    self._state(said, triplet, head, tail)

    def _meanings(self, said: Said, row: int | None, name: str) -> list[_Named]:
        """Return the entities of a name at its position, at least one."""
        named = self._name(name)
        linked = self._places.titles(said.component, row, named.written)
        return [self._name(title) for title in linked] or [named]

    def _name(self, name: str) -> _Named:
        named = self._resolved.get(name)
        if named is None:
            meaning = self._names.resolve(name)
            named = self._resolved[name] = _Named(exact(name), entity_id(meaning.key), meaning)
        return named

    def _describe(self, said: Said, named: _Named, entity: Mapping[str, Any]) -> None:
        parts, meaning = self._entity(said, named), named.meaning
        if kind := " ".join(str(entity.get("kind", "")).casefold().split()):
            _count(parts.kinds, kind)
        if text := str(entity.get("description", "")).strip():
            own = meaning.is_title and exact(self._titles.get(said.document, "")) == meaning.key[2:]
            (parts.own if own else parts.texts)[text] = None

    def _state(self, said: Said, triplet: Mapping[str, Any], head: _Named, tail: _Named) -> None:
        if float(triplet.get("weight", 1.0)) < PASSING:
            self._passing.append((said, triplet, head, tail))
            self._passed_by[tail.id].add(said.document)
            return
        self._relate(said, triplet, head, tail)

    def _relate(self, said: Said, triplet: Mapping[str, Any], head: _Named, tail: _Named) -> None:
        for named in (head, tail):
            self._entity(said, named)
        key = (head.id, self._name_of(triplet["relation"]), tail.id)
        parts = self._relations.get(key)
        if parts is None:
            parts = self._relations[key] = _RelationParts(head.id, tail.id)
        _count(parts.spellings, triplet["relation"])
        parts.texts[triplet["text"]] = None
        for word in triplet.get("keywords", ()):
            _count(parts.keywords, word.casefold())
        parts.weights.append(float(triplet.get("weight", 1.0)))
        parts.components[said.component] = None

    def _name_of(self, relation: str) -> str:
        found = self._relation_keys.get(relation)
        if found is None:
            found = self._relation_keys[relation] = exact(relation)
        return found

    def _entity(self, said: Said, named: _Named) -> _EntityParts:
        parts = self._entities.get(named.id)
        if parts is None:
            parts = self._entities[named.id] = _EntityParts(named.meaning)
        parts.components[said.component] = None
        if said.picture:
            parts.pictures[said.picture] = None
        return parts

    def graph(self) -> Graph:
        """Return the merged graph; mere mentions become edges only if they connect documents."""
        known = set(self._entities)
        for said, triplet, head, tail in self._passing:
            if self._connects(tail, known):
                self._relate(said, triplet, head, tail)
        self._passing = []
        entities = [self._finish_entity(id_, parts) for id_, parts in sorted(self._entities.items())]
        relations = [self._finish_relation(key, parts) for key, parts in sorted(self._relations.items())]
        return Graph(entities, sorted(relations, key=lambda relation: relation.id))

    def _connects(self, tail: _Named, known: Collection[str]) -> bool:
        """Whether a mention becomes an edge: the name is a document's title, or a few documents share it.

        A single word is not taken for a title with a qualifier ("back" for "Back (rugby union)"), and a name without a
        document that is mentioned everywhere ("American") does not connect.
        """
        if tail.meaning.is_title:
            return " " in tail.written or "(" not in tail.meaning.name
        count = len(self._passed_by[tail.id])
        return count <= _MOST_OCCURRENCES and (count > 1 or tail.id in known)

    def _finish_entity(self, id_: str, parts: _EntityParts) -> MergedEntity:
        meaning = parts.meaning
        kinds = parts.kinds
        kind = min(kinds, key=lambda kind: (-kinds[kind], kind), default="")
        return MergedEntity(
            id=id_,
            name=meaning.name,
            kind=VALUE if meaning.key.startswith("v:") else kind if kind != VALUE else "",
            texts=list({**parts.own, **parts.texts}),
            components=sorted(parts.components),
            pictures=list(parts.pictures),
        )

    def _finish_relation(self, key: tuple[str, str, str], parts: _RelationParts) -> MergedRelation:
        spellings = parts.spellings
        keywords = sorted(parts.keywords, key=lambda word: (-parts.keywords[word], word))
        digest = hashlib.blake2b("\0".join(key).encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
        return MergedRelation(
            id=f"r{digest}",
            head=parts.head,
            relation=min(spellings, key=lambda text: (-spellings[text], text)),
            tail=parts.tail,
            texts=list(parts.texts),
            keywords=keywords[:_KEYWORDS],
            weight=round(sum(sorted(parts.weights)), 6),
            components=sorted(parts.components),
            is_passing=max(parts.weights) < PASSING,
        )
