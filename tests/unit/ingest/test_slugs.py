import pytest

from backtrail.ingest.sites.slugs import github, heading_ids, jekyll, mkdocs, sphinx, vitepress


@pytest.mark.parametrize(
    ("rule", "slugs"),
    [
        (github, ["hello-world", "a_b-c--d", "12-x", "über-uns", "日本"]),
        (mkdocs, ["hello-world", "a_b-c-d", "12-x", "uber-uns", ""]),
        (sphinx, ["hello-world", "a-b-c-d", "x", "uber-uns", ""]),
        (vitepress, ["hello-world", "a-b-c-d", "_1-2-x", "uber-uns", "日本"]),
        (jekyll, ["hello-world", "ab-c--d", "x", "ber-uns", ""]),
    ],
)
def test_each_generator_has_its_rule(rule, slugs):
    assert [rule(name) for name in ("Hello, World!", "A_b-c  d", "1.2 x", "Über uns", "日本")] == slugs


def test_the_own_rule_comes_first_and_repeated_headings_are_numbered():
    assert heading_ids(["A b", "A b"], "mkdocs") == [["a-b"], ["a-b_1", "a-b-1"]]
    assert heading_ids(["A b", "A b"], "hugo") == [["a-b"], ["a-b-1", "a-b_1"]]


def test_another_rule_never_takes_the_own_id_of_a_heading():
    first, second = heading_ids(["1. Über", "Uber"], "unknown")
    assert first[0] == "1-über"
    assert second == ["uber", "uber-1"]
    assert "uber" not in first
