import pytest

from backtrail.ingest.sites.bounded_yaml import UnreadableYaml, load_yaml
from backtrail.ingest.sites.front_matter import LONGEST, split_front_matter, without_front_matter
from backtrail.ingest.sites.label_links import label_links
from backtrail.tools.untrusted_values import ValueTooLarge


def test_yaml_and_toml_say_the_same():
    yaml = "---\ntitle: T\ndescription: D\nweight: 3\n---\nbody"
    toml = '+++\ntitle = "T"\ndescription = "D"\nweight = 3\n+++\nbody'
    for text in (yaml, toml):
        front, body = split_front_matter(text)
        assert (front.title, front.description, front.weight, body) == ("T", "D", 3.0, "body")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Broken: yaml\nx: [\n---\nb", "Broken: yaml"),
        ("---\r\nTitle: 'A'\r\n---\r\nb", "A"),
        ("---\ntitle: &here A\nother: [*here]\n---\nb", "A"),
        ("---\ntitle: !!python/object/apply:os.system [x]\n---\nb", ""),
    ],
)
def test_titles_of_untidy_front_matter(text, title):
    front, body = split_front_matter(text)
    assert (front.title, body) == (title, "b")


LONG = "---\n" + "a: b\n" * (LONGEST // 4) + "---\n"


def test_what_is_no_front_matter_stays_text():
    for text in ("---\nno entries\n---\nx", "---\n- a\n---\nx", "a\n---\nb: c\n---\n", "---\ntitle: T\n", LONG):
        assert split_front_matter(text)[1] == text


LAUGHS = "".join(["a0: &a0 [lol, lol]\n"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60)])


@pytest.mark.parametrize(
    ("rule", "entries", "limit"),
    [
        ("---", LAUGHS, "aliases written out it is larger than 65,536 characters"),
        ("---", "a: &a [*a]\n", "an alias refers to a value that contains it"),
        ("---", f"a: {'[' * 5000}\n", "more than 100 levels deep"),
        ("+++", f"a = {'[' * 5000}\n", "more than 100 levels deep"),
    ],
)
def test_front_matter_beyond_a_limit_is_refused_and_can_be_left_out(rule, entries, limit):
    text = f"{rule}\n{entries}{rule}\nbody"
    with pytest.raises(ValueTooLarge, match=limit):
        split_front_matter(text)
    assert without_front_matter(text) == "body"


def test_merges_do_not_multiply_a_time_is_a_text_and_bottomless_yaml_is_refused():
    for bottomless in ("[" * 5000, "- " * 5000 + "x", "? " * 5000):
        with pytest.raises(ValueTooLarge):
            load_yaml(bottomless, LONGEST)
    lines = ["a0: &a0 {k: 1}"] + [f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, 10)]
    assert load_yaml("\n".join(lines), LONGEST)["a1"].keys() == {"<<"}
    assert load_yaml(f"at: 12:30:59\nlong: 1{':1' * 30_000}", 100_000)["at"] == "12:30:59"


@pytest.mark.parametrize("value", ["1e9999999\ny: @", "!!int ''", "!!timestamp 'x'", "!!bool 'x'"])
def test_broken_yaml_is_refused(value):
    with pytest.raises(UnreadableYaml):
        load_yaml(f"x: {value}", LONGEST)


def test_spaces_between_dashes_are_read_in_one_way():
    """Else the ways to divide them between two neighbours multiply from dash to dash."""
    front, body = split_front_matter(f"---\ntitle: T\n{('-' + ' ' * 10) * 40}{'x' * 300}\n---\nbody")
    assert (front.title, body) == ("T", "body")


def test_labels_are_the_entries_of_all_lists_of_tags_and_the_day():
    for entries, labels in (
        ("tags: [reports, Annual Reports, {x: 1}, reports]\ncategories: news", ["reports", "Annual Reports", "news"]),
        ("keywords: a, b c ,, 2023\ndate: 2025-01-02T10:00:00Z", ["a", "b c", "2023", "2025-01-02"]),
        ("date:\n  created: 2025-03-04", ["2025-03-04"]),
        ("tags:\ndate: May 2025", []),
    ):
        front, _ = split_front_matter(f"---\n{entries}\n---\nx")
        assert [link.target for link in label_links(front.values)] == labels
