"""Pictures are nodes of the graph: they belong to their document and show what their own words name."""

from typing import Any

from backtrail.tools.knowledge.merge import Said, merge
from backtrail.tools.knowledge.picture_nodes import with_picture_node

BLOB = "a" * 64


def said(*names: str, blob: str | None = BLOB, component: str = "palverin#i1") -> Said:
    return Said(component, "palverin", blob, [{"name": name, "kind": "", "description": ""} for name in names], [])


def shown(**words: Any) -> dict[str, Any]:
    return {"title": "", "caption": "", "alt": "", "recognized": "", "nearby": "", "objects": [], **words}


def test_a_picture_shows_what_its_words_name_and_not_what_stands_around_it() -> None:
    words = shown(caption="The Old Bridge, seen from Kessig", nearby="Marta Colm drew it.", objects=["a white boat"])
    named = said("Old Bridge", "Kessig", "Marta Colm", "white boat", "Bridge of Sighs")
    one = with_picture_node(named, words, "Palverin")
    name = 'Picture "The Old Bridge, seen from Kessig"'
    assert one.entities[-1] == {"name": name, "kind": "picture", "description": "The Old Bridge, seen from Kessig"}
    assert [(t["relation"], t["tail"]) for t in one.triplets] == [
        ("belongs to", "Palverin"), ("shows", "Old Bridge"), ("shows", "Kessig"), ("shows", "white boat"),
    ]  # fmt: skip
    assert one.triplets[0]["text"] == f"{name} belongs to Palverin."


def test_the_node_holds_the_file_and_its_neighbours_are_what_it_shows() -> None:
    words = shown(caption="The Old Bridge")
    graph = merge([with_picture_node(said("Old Bridge"), words, "Palverin")], {"palverin": "Palverin"}, [])
    by_name = {entity.name: entity for entity in graph.entities}
    picture = by_name['Picture "The Old Bridge"']
    assert (picture.kind, picture.pictures, picture.components) == ("picture", [BLOB], ["palverin#i1"])
    ends = {(relation.relation, relation.tail) for relation in graph.relations if relation.head == picture.id}
    assert ends == {("belongs to", by_name["Palverin"].id), ("shows", by_name["Old Bridge"].id)}
    assert not any(relation.is_passing for relation in graph.relations)


def test_pictures_without_words_or_file_and_other_components_stay_as_they_are() -> None:
    plain, bare = said("Old Bridge"), said("Old Bridge", blob=None)
    assert with_picture_node(plain, shown(nearby="Only the text around it."), "Palverin") == plain
    for words in (shown(caption="The Old Bridge"), None):
        assert with_picture_node(bare, words, "Palverin").triplets == []
