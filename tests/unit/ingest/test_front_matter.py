import pytest

from backtrail.ingest.sites.bounded_yaml import UnreadableYaml, load_yaml
from backtrail.ingest.sites.front_matter import LONGEST, split_front_matter


def test_yaml_and_toml_say_the_same():
    yaml = "---\ntitle: T\ndescription: D\naliases: [/old/, older.md]\nslug: s\nweight: 3\n---\nbody"
    toml = '+++\ntitle = "T"\ndescription = "D"\naliases = ["/old/", "older.md"]\nslug = "s"\nweight = 3\n+++\nbody'
    for text in (yaml, toml):
        front, body = split_front_matter(text)
        found = (front.title, front.description, front.aliases, front.address, front.weight, body)
        assert found == ("T", "D", ("/old/", "older.md"), "s", 3.0, "body")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Broken: yaml\nx: [\n---\nb", "Broken: yaml"),
        ("---\r\nTitle: 'A'\r\n---\r\nb", "A"),
        ("---\nlinkTitle: short\n---\nb", "short"),
        ("---\ntitle: [a]\n---\nb", ""),
        ("---\ntitle: !!python/object/apply:os.system [x]\n---\nb", ""),
    ],
)
def test_titles_of_untidy_front_matter(text, title):
    front, body = split_front_matter(text)
    assert (front.title, body) == (title, "b")


@pytest.mark.parametrize("text", ["---\nno entries\n---\nx", "---\n- a\n---\nx", "--- \n", "a\n---\nb: c\n---\n"])
def test_what_is_no_front_matter_stays_text(text):
    assert split_front_matter(text)[1] == text


def test_front_matter_without_end_or_of_great_length_is_text():
    for text in ("---\ntitle: T\n", "---\n" + "a: b\n" * (LONGEST // 4) + "---\n"):
        assert split_front_matter(text)[1] == text


def test_a_billion_laughs_cost_nothing():
    lines = ["a0: &a0 [lol, lol]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
    front, body = split_front_matter("---\n" + "\n".join(lines) + "\ntitle: T\naliases: *a59\n---\nbody")
    assert (front.title, front.aliases, body) == ("T", (), "body")


def test_merges_do_not_multiply():
    lines = ["a0: &a0 {k: 1}"] + [f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, 60)]
    assert load_yaml("\n".join(lines))["a1"].keys() == {"<<"}


@pytest.mark.parametrize("text", ["[" * 5000, "- " * 5000 + "x", "a: {b" * 5000, "? " * 5000, "x: 1e9999999\ny: @"])
def test_bottomless_or_broken_yaml_is_refused(text):
    with pytest.raises(UnreadableYaml):
        load_yaml(text)


@pytest.mark.parametrize(
    ("entries", "byline"),
    [
        ("author: Ann", "By Ann"),
        ("authors: [Ann, Bo]\ndate: 2025-01-02T10:00:00Z", "By Ann, Bo, 2025-01-02"),
        ("authors:\n  - name: Ann\n    title: Dr\n  - {x: 1}\ndate: [1]", "By Ann"),
        ("date: 2025-01-02", ""),
        ("author: {a: 1}", ""),
    ],
)
def test_bylines(entries, byline):
    assert split_front_matter(f"---\n{entries}\n---\nx")[0].byline == byline
