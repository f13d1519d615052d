"""What is said of one thing becomes one node; pictures are nodes that show what their own words name."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from backtrail.tools.knowledge.describe import LONGEST_OF_RULES, Descriptions
from backtrail.tools.knowledge.merge import Graph, Linked, Said, merge
from backtrail.tools.knowledge.picture_nodes import with_picture_node
from backtrail.tools.knowledge.protocol import VALUE

TITLES = {"moon": "Moon", "apollo": "Apollo 11", "nasa": "NASA"}


def said(component: str, *triplets: tuple[str, str, str], picture: str | None = None, **more: Any) -> Said:
    made = [{"head": h, "relation": r, "tail": t, "text": f"{h} {r} {t}.", **more} for h, r, t in triplets]
    return Said(component, component.partition("#")[0], picture, [], made)


def names(graph: Graph) -> set[str]:
    return {entity.name for entity in graph.entities}


def edges(graph: Graph) -> set[tuple[str, str, str]]:
    by_id = {entity.id: entity.name for entity in graph.entities}
    return {(by_id[relation.head], relation.relation, by_id[relation.tail]) for relation in graph.relations}


def test_same_names_are_one_entity_with_all_its_components() -> None:
    seen, landed = ("the moon", "seen from", "Earth"), ("Apollo 11", "landed on", "Moons")
    graph = merge([said("moon#0", seen), said("apollo#0", landed)], TITLES, [])
    (moon,) = [entity for entity in graph.entities if entity.name == "Moon"]
    assert moon.components == ["apollo#0", "moon#0"]
    assert names(graph) == {"Moon", "Earth", "Apollo 11"}


def test_same_statements_are_one_relation() -> None:
    one = said("moon#0", ("Moon", "visited by", "Apollo 11"), weight=2.0, keywords=["landing"])
    other = said("apollo#0", ("the Moon", "Visited  by", "apollo 11"), weight=3.0, keywords=["Visit"])
    (relation,) = merge([one, other], TITLES, []).relations
    assert (relation.weight, relation.keywords) == (5.0, ["landing", "visit"])
    assert relation.components == ["apollo#0", "moon#0"]
    assert relation.texts == ["the Moon Visited  by apollo 11.", "Moon visited by Apollo 11."]


def test_a_cell_means_what_it_links_to_in_its_row() -> None:
    links = [Linked("moon#1", "moon", 0, "landing", "Apollo 11"), Linked("moon#1", "moon", 1, "landing", "NASA")]
    table = [said("moon#1", ("Moon", "mission", "landing"), row=row) for row in (0, 1)]
    joined = Said("moon#1", "moon", None, [], [*table[0].triplets, *table[1].triplets])
    assert edges(merge([joined], TITLES, links)) == {("Moon", "mission", "Apollo 11"), ("Moon", "mission", "NASA")}
    several = [Linked("moon#1", "moon", 0, "landing, USA", title) for title in ("Apollo 11", "NASA")]
    of_both = merge([said("moon#1", ("Moon", "mission", "landing , USA"), row=0)], TITLES, several)
    assert edges(of_both) == {("Moon", "mission", "Apollo 11"), ("Moon", "mission", "NASA")}
    # without its row the text may mean either
    assert names(merge([said("moon#1", ("Moon", "mission", "landing"))], TITLES, links)) == {"Moon", "landing"}


def test_link_texts_that_two_documents_use_are_redirects() -> None:
    once = [Linked("moon#0", "moon", None, "space agency", "NASA")]
    twice = [*once, Linked("apollo#0", "apollo", None, "Space Agency", "NASA")]
    elsewhere = [said("nasa#5", ("Moon", "goal of", "space agency"))]
    assert "NASA" not in names(merge(elsewhere, TITLES, once))
    assert "NASA" in names(merge(elsewhere, TITLES, twice))
    ambiguous = [*twice, Linked("moon#2", "moon", None, "space agency", "Apollo 11")]
    assert "NASA" not in names(merge(elsewhere, TITLES, ambiguous))


def test_a_passing_mention_counts_where_it_connects() -> None:
    def passing(component: str, tail: str) -> Said:
        return said(component, ("Moon", "mentions", tail), weight=0.5)

    assert names(merge([passing("moon#0", "Tycho")], TITLES, [])) == set()
    assert "NASA" in names(merge([passing("moon#0", "nasa")], TITLES, []))
    assert "Tycho" in names(merge([passing("moon#0", "Tycho"), passing("apollo#0", "Tycho")], TITLES, []))
    assert "Tycho" in names(merge([passing("moon#0", "Tycho"), said("moon#1", ("Tycho", "is", "crater"))], TITLES, []))


def test_pictures_stay_on_the_entities_they_show_and_values_are_told_from_things() -> None:
    seen = said("moon#2", ("Moon", "picture", "crater"), picture="ab" * 32)
    graph = merge([seen, said("moon#0", ("Moon", "visited in", "1969"))], TITLES, [])
    assert {entity.name: (entity.kind, entity.pictures) for entity in graph.entities} == {
        "Moon": ("", ["ab" * 32]), "crater": ("", ["ab" * 32]), "1969": (VALUE, []),
    }  # fmt: skip


# --- properties ------------------------------------------------------------------------------------
name = st.sampled_from(
    ["Moon", "the moon", "Moons", "Apollo 11", "NASA", "Tycho", "tycho", "1969", "Luna (god)", "Luna"]
)
triplet = st.fixed_dictionaries(
    {"head": name, "relation": st.sampled_from(["in", "In", "of"]), "tail": name, "text": st.sampled_from("ABC")},
    optional={"weight": st.sampled_from([0.5, 1.0, 2.5]), "row": st.integers(0, 2), "keywords": st.just(["space"])},
)
entity = st.fixed_dictionaries(
    {"name": name}, optional={"kind": st.sampled_from(["god", "moon"]), "description": st.sampled_from("XY")}
)
components = st.sampled_from(["moon#0", "moon#1", "apollo#0", "nasa#0"])
corpora = st.dictionaries(
    components, st.tuples(st.lists(entity, max_size=3), st.lists(triplet, max_size=5)), max_size=4
).map(lambda held: [Said(id_, id_.partition("#")[0], None, *parts) for id_, parts in held.items()])
links = st.lists(
    st.builds(
        Linked,
        component=components,
        document=st.sampled_from(["moon", "apollo"]),
        row=st.none() | st.integers(0, 2),
        anchor=name,
        title=st.sampled_from(list(TITLES.values())),
    ),
    max_size=6,
    unique_by=lambda link: (link.component, link.row, link.anchor.casefold()),
)


@given(corpora, links, st.permutations(range(4)))
def test_merging_does_not_depend_on_order(corpus: list[Said], held: list[Linked], order: list[int]) -> None:
    turned = [corpus[place] for place in order if place < len(corpus)]
    titles = dict(reversed(TITLES.items()))
    assert merge(corpus, TITLES, held) == merge(turned, titles, held[::-1])


@given(corpora, links)
def test_merging_twice_what_was_said_changes_no_name_and_no_relation(corpus: list[Said], held: list[Linked]) -> None:
    doubled = [Said(one.component, one.document, None, [*one.entities] * 2, [*one.triplets] * 2) for one in corpus]
    once, twice = merge(corpus, TITLES, held), merge(doubled, TITLES, held)
    assert [(e.id, e.name, e.texts, e.components) for e in once.entities] == [
        (e.id, e.name, e.texts, e.components) for e in twice.entities
    ]
    assert [(r.id, r.texts, r.components) for r in once.relations] == [
        (r.id, r.texts, r.components) for r in twice.relations
    ]


@given(corpora, links)
def test_every_end_is_an_entity_and_everything_has_a_source(corpus: list[Said], held: list[Linked]) -> None:
    graph = merge(corpus, TITLES, held)
    ids = {entity.id for entity in graph.entities}
    assert len(ids) == len(graph.entities)
    assert all({relation.head, relation.tail} <= ids and relation.head != relation.tail for relation in graph.relations)
    sources = {one.component for one in corpus}
    assert all(item.components and set(item.components) <= sources for item in [*graph.entities, *graph.relations])


# --- descriptions ----------------------------------------------------------------------------------
def many(count: int, of: str = "many") -> list[str]:
    return [f"Sentence number {n} of {of}, which is rather long." for n in range(count)]


def test_short_descriptions_are_joined_and_long_ones_summed_up() -> None:
    few, texts = many(3), many(200)
    described = Descriptions()
    described.prepare("moon", "Moon", texts)
    described.prepare("sun", "Sun", few)
    (long,) = described.long.values()
    assert long.inputs.name == "Moon"
    assert described.of("sun", few).text == " ".join(few)
    assert len(described.of("moon", texts).text) <= LONGEST_OF_RULES
    described.summaries[long.hash] = "All about the Moon."
    assert described.of("moon", texts).text == "All about the Moon."


BLOB = "a" * 64


def pictured(*names: str, blob: str | None = BLOB, component: str = "palverin#i1") -> Said:
    return Said(component, "palverin", blob, [{"name": name, "kind": "", "description": ""} for name in names], [])


def shown(**words: Any) -> dict[str, Any]:
    return {"title": "", "caption": "", "alt": "", "recognized": "", "nearby": "", "objects": [], **words}


def test_a_picture_shows_what_its_words_name_and_not_what_stands_around_it() -> None:
    words = shown(caption="The Old Bridge, seen from Kessig", nearby="Marta Colm drew it.", objects=["a white boat"])
    named = pictured("Old Bridge", "Kessig", "Marta Colm", "white boat", "Bridge of Sighs")
    one = with_picture_node(named, words, "Palverin")
    name = 'Picture "The Old Bridge, seen from Kessig"'
    assert one.entities[-1] == {"name": name, "kind": "picture", "description": "The Old Bridge, seen from Kessig"}
    assert [(t["relation"], t["tail"]) for t in one.triplets] == [
        ("belongs to", "Palverin"), ("shows", "Old Bridge"), ("shows", "Kessig"), ("shows", "white boat"),
    ]  # fmt: skip
    assert one.triplets[0]["text"] == f"{name} belongs to Palverin."


def test_the_node_holds_the_file_and_its_neighbours_are_what_it_shows() -> None:
    words = shown(caption="The Old Bridge")
    graph = merge([with_picture_node(pictured("Old Bridge"), words, "Palverin")], {"palverin": "Palverin"}, [])
    by_name = {entity.name: entity for entity in graph.entities}
    picture = by_name['Picture "The Old Bridge"']
    assert (picture.kind, picture.pictures, picture.components) == ("picture", [BLOB], ["palverin#i1"])
    ends = {(relation.relation, relation.tail) for relation in graph.relations if relation.head == picture.id}
    assert ends == {("belongs to", by_name["Palverin"].id), ("shows", by_name["Old Bridge"].id)}
    assert not any(relation.is_passing for relation in graph.relations)


def test_pictures_without_words_or_file_and_other_components_stay_as_they_are() -> None:
    plain, bare = pictured("Old Bridge"), pictured("Old Bridge", blob=None)
    assert with_picture_node(plain, shown(nearby="Only the text around it."), "Palverin") == plain
    for words in (shown(caption="The Old Bridge"), None):
        assert with_picture_node(bare, words, "Palverin").triplets == []
