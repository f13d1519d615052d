"""What reads a saved page takes time in proportion to its length, whatever it repeats."""

import pytest
from fixtures.growth import MOST, growth

from backtrail.ingest.html.furniture import mark_furniture
from backtrail.ingest.html.markup import parse_markup

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
]


def read(markup: str) -> object:
    tree, _ = parse_markup(markup)
    body = tree.find("body")
    return mark_furniture(body)


@pytest.mark.parametrize("repeated", REPEATED)
def test_time_grows_with_the_length(repeated: str) -> None:
    def page(characters: int) -> str:
        return f"<body><div><h1>t</h1>{repeated * (characters // len(repeated))}<img src=z></div></body>"

    assert growth(read, page, 30_000) < MOST


def test_nothing_is_copied_again_and_again_where_much_is_taken_out() -> None:
    assert growth(parse_markup, lambda size: f"<pre>{'<button>c</button>xxxxxxxx' * (size // 26)}</pre>", 50_000) < MOST
