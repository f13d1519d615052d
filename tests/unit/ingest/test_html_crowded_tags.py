"""Tags with crowds of attributes lose some, and pages without such tags stay as they are."""

from hypothesis import given
from hypothesis import strategies as st

from backtrail.ingest.html.markup import parse_markup
from backtrail.tools.web.crowded_tags import without_crowds


def test_a_page_is_read_whatever_its_tags_have_and_what_they_lost_is_said() -> None:
    many = " ".join(f"b{number}='>'" for number in range(300))
    tree, losses = parse_markup(f"<body><p id=here {many} class=x>last</p><p>end</p></body>")
    first, last = tree.iter("p")
    assert (first.get("id"), first.get("b254"), first.get("b255"), first.text, last.text) == (
        "here", ">", None, "last", "end",
    )  # fmt: skip
    assert losses == ["attributes beyond 256 of one tag were left out (tags: 1)"]


@given(st.lists(st.sampled_from(["<a b='c>'>", '<p ">', "five words of a text ", "it's ", '"', "</a>", "a < b"])))
def test_tags_of_pages_are_told_apart_and_left_alone(parts: list[str]) -> None:
    markup = "".join(parts * 300)
    assert without_crowds(markup) == (markup, 0)
