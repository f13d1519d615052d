from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from backtrail.rules.knowledge.entity_names import Names, alike, exact, is_value

EXACTLY = [
    ("South Bend , Indiana", "South Bend, Indiana"), ("ARMY–Navy Game", "Army-Navy  game"), ("“Heroes”", "heroes"),
    ("Brazil 's first", "Brazil's first"), ("Loyola ( IL )", "Loyola (IL)"), ("Ｆｕｌｌ Width", "full width"),
]  # fmt: skip
ALIKE = [("The Beatles", "Beatles"), ("Grammy Awards", "Grammy Award"), ("Cities", "City"), ("the Boxes", "Box")]
NO_PLURALS = ["Paris", "Texas", "Swiss", "Series", "Bus", "Mars", "The"]


def test_spelling_articles_and_plurals_do_not_tell_names_apart() -> None:
    assert [exact(one) for one, _ in EXACTLY] == [exact(other) for _, other in EXACTLY]
    assert [alike(exact(one)) for one, _ in ALIKE] == [alike(exact(other)) for _, other in ALIKE]
    assert [alike(exact(name)) for name in NO_PLURALS] == [exact(name) for name in NO_PLURALS]


def test_titles_are_never_merged() -> None:
    names = Names(["The Rolling Stones", "Rolling Stone", "Mercury (planet)", "Mercury (element)"], {}, {})
    assert names.resolve("the rolling stones").name == "The Rolling Stones"
    assert names.resolve("Rolling Stone").name == "Rolling Stone"
    assert not names.resolve("Mercury").is_title


def test_one_qualifier_is_no_difference_and_two_are() -> None:
    one = Names(["Glee (TV series)"], {}, {"Glee": 2})
    assert one.resolve("Glee").name == "Glee (TV series)"
    two = Names(["Glee (TV series)"], {}, {"Glee": 2, "Glee (music)": 1})
    assert two.resolve("Glee").name == "Glee"
    spoken = Names([], {}, {"Glee": 2, "Glee (music)": 1})
    assert spoken.resolve("glee (Music)") == spoken.resolve("Glee")


def test_redirects_lead_to_titles_and_titles_to_themselves() -> None:
    names = Names(["United States", "USA"], {"US": "United States", "USA": "United States", "Oz": "Nowhere"}, {})
    assert names.resolve("US").name == "United States"
    assert names.resolve("usa").name == "USA"
    assert names.resolve("Oz").name == "Oz"


VALUES = ["1994", "12.5 %", "October 7", "28 May 1976", "7:32", "$ 1,200", "3-2", "5 km", "—"]
NAMES = ["Apollo 11", "Formula 1", "1994 Winter Olympics", "W 32-6", "May Day"]


def test_values_are_told_from_names_with_numbers_and_plural_numbers_from_single_ones() -> None:
    assert [text for text in [*VALUES, *NAMES] if is_value(exact(text))] == VALUES
    names = Names([], {}, {"1990s": 1, "1990": 1, "12": 1})
    assert names.resolve("1990").key != names.resolve("1990s").key


NAMED = (
    "Moon",
    "moon",
    "The Moon",
    "Moons",
    "Moon (satellite)",
    "Moon (film)",
    "Suns",
    "1994",
    "the",
    "A  Sun",
    "¨",
    "'Sun'",
)
written = st.sampled_from(NAMED) | st.text(max_size=12)


@given(st.lists(written, max_size=6), st.dictionaries(written, written, max_size=4), st.lists(written, max_size=12))
def test_a_resolved_name_resolves_to_itself(titles: list[str], redirects: dict[str, str], said: list[str]) -> None:
    names = Names(titles, redirects, Counter(said))
    for name in {*titles, *redirects, *redirects.values(), *said, "Moon", "other"}:
        meaning = names.resolve(name)
        assert names.resolve(meaning.name) == meaning


@given(st.lists(written, max_size=6), st.lists(written, max_size=12))
def test_meaning_does_not_depend_on_order_and_distinct_titles_stay_distinct(titles: list[str], said: list[str]) -> None:
    names = Names(titles, {}, Counter(said))
    turned = Names(reversed(titles), {}, Counter(reversed(said)))
    for name in {*titles, *said}:
        assert names.resolve(name) == turned.resolve(name)
    assert len({names.resolve(title).key for title in titles}) == len({exact(title) for title in titles})
