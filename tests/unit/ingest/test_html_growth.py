"""What reads a saved page takes time in proportion to its length, whatever it repeats."""

import pytest
from fixtures.growth import MOST, growth
from hypothesis import given
from hypothesis import strategies as st

from backtrail.ingest.html.entries import mark_entries
from backtrail.ingest.html.furniture import mark_furniture
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.markup import parse_markup
from backtrail.ingest.html.walk import PageWalker
from backtrail.tools.web.crowded_tags import without_crowds

REPEATED = [
    "<p class=caption>x y</p>",
    "<i></i><sup>2</sup>x<sub>i</sub>",
    "<img srcset='a 1x, b 2x' class=tex>",
    "<noscript><img src=a></noscript>",
    "<svg><text>one two three</text></svg>",
    "<span class=MathJax>x</span><math><mi>x</mi></math>",
    "<div class=nav><a href=x>edit this page</a></div>",
    "<details><summary>x</summary></details><p class=admonition-title>x</p>",
    "<li class=gallerybox><img src=a><div class=gallerytext>c</div></li>",
    "<table><tr><td class=linenos>1<td>x</table>",
    "<footer><p>a@b.org or (312) 555-0199</p></footer><div>Lost<h1>16</h1>",
    "<div hidden id='S:1'>x</div><template id='B:1'></template><div class='placeholder'></div><!-- <p>x ",
    "<div class=note><table><tr><td>•<td>x</table></div><div><div>10:00</div><div>Room</div></div>",
]


def read(markup: str) -> object:
    tree, _ = parse_markup(markup)
    body = tree.find("body")
    mark_furniture(body)
    mark_entries(body)
    return PageWalker("", LinkTargets("")).walk(body)


@pytest.mark.parametrize("repeated", REPEATED)
def test_time_grows_with_the_length(repeated: str) -> None:
    def page(characters: int) -> str:
        return f"<body><div><h1>t</h1>{repeated * (characters // len(repeated))}<img src=z></div></body>"

    assert growth(read, page, 30_000) < MOST


def test_nothing_is_copied_again_and_again_where_much_is_taken_out() -> None:
    assert growth(parse_markup, lambda size: f"<pre>{'<button>c</button>xxxxxxxx' * (size // 26)}</pre>", 50_000) < MOST


@pytest.mark.parametrize("before", ["", "<?xml version='1.0'?><!DOCTYPE html>"])
@pytest.mark.parametrize("attribute", ["b{}='' ", "b{}='>' ", "b{} ", "b{}=<a"])
def test_time_grows_with_the_attributes_of_one_tag(attribute: str, before: str) -> None:
    def page(characters: int) -> str:
        many = "".join(attribute.format(number) for number in range(characters // len(attribute)))
        return f"{before}<html><body><p>first</p><p {many}>&nbsp;last</p></body></html>"

    assert growth(read, page, 60_000) < MOST


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
