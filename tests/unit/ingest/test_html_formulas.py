import pytest
from fixtures.parsed import texts

from backtrail.ingest.html.links import LinkTargets

MATHML = "<math {}><semantics><msup><mi>a</mi><mn>2</mn></msup>{}</semantics></math>"
ANNOTATED = MATHML.format("", '<annotation encoding="application/x-tex">a^{2}</annotation>')


@pytest.mark.parametrize(
    "formula",
    [
        ANNOTATED,
        MATHML.format('alttext="{\\displaystyle a^{2}}"', ""),
        f'<span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none">{ANNOTATED}</span>'
        '<img src="x.svg" class="mwe-math-fallback-image-inline" alt="a^{2}"></span>',
        '<span class="MathJax_Preview"></span><span class="MathJax" id="e1"><nobr>a2</nobr></span>'
        '<script type="math/tex" id="e2">a^{2}</script>',
    ],
)
def test_a_formula_is_read_once_as_its_tex(page, formula):
    parsed = page(f"<p>Let {formula} be.</p>")
    assert texts(parsed) == ["Let $a^{2}$ be."]
    assert not any(component.image for component in parsed.components)


@pytest.mark.parametrize(
    ("mathml", "text"),
    [
        ("<mi>x</mi><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "x = (a+b)/2"),
        ("<msqrt><msup><mi>x</mi><mn>2</mn></msup></msqrt>", "√(x^2)"),
    ],
)  # fmt: skip
def test_mathml_without_tex_is_one_line(page, mathml, text):
    assert texts(page(f"<p>{'So '}<math>{mathml}</math></p>")) == [f"So {text}"]
    assert page("<p>x</p><math>" + "<mrow>" * 200 + "<mi>y</mi>").components, "what is nested beyond all bounds ends"
    assert texts(page(f"<p>So <mjx-container><svg></svg><mjx-assistive-mml><math>{mathml}</math>"
                      "</mjx-assistive-mml></mjx-container></p>")) == [f"So {text}"]  # fmt: skip


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('said.<sup><a href="#n3">3</a></sup> Acme<sup>TM</sup>', "said.[3] AcmeTM"),
        ("5 km<sup>2</sup>, x<sup>n+1</sup>, 10<sup>-3</sup>", "5 km^2, x^(n+1), 10^-3"),
        ("the 19<sup>th</sup> and 1<sup>er</sup>, M<sup>me</sup> Curie", "the 19th and 1er, Mme Curie"),
        ("H<sub>2</sub>O, x<sub>i</sub>, log<sub>2</sub> of 10<sub>2</sub>", "H2O, x_i, log2 of 10_2"),
        ("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>を", "漢字を"),
    ],
)
def test_raised_and_lowered_text_stays_apart(page, markup, text):
    assert texts(page(f"<p>{markup}</p>")) == [text]


@pytest.mark.parametrize(
    ("href", "target", "fragment", "kind"),
    [
        ("./b.html?x=1#f%20g", "guide/b.html", "f g", "internal"),
        ("../b%20c.html", "b c.html", None, "internal"),
        ("/top.html", "top.html", None, "internal"),
        ("?q#f", "guide/a.html", "f", "internal"),
        ("sub/", "guide/sub/index.html", None, "internal"),
        ("../../out.html", "../../out.html", None, "dead"),
        ("https://e.org/a#b", "https://e.org/a#b", None, "external"),
    ],
)
def test_where_hrefs_lead(href, target, fragment, kind):
    link = LinkTargets("guide/a.html").link(href, "t")
    assert link is not None
    assert (link.target, link.component, link.kind) == (target, fragment, kind)


@pytest.mark.parametrize(
    ("base", "target"),
    [
        ("docs/", "guide/docs/b.html"),
        ("../", "b.html"),
        ("https://e.org/", "guide/b.html"),
        ("../../../", "guide/b.html"),
    ],
)
def test_only_a_relative_base_inside_the_folder_counts(base, target):
    link = LinkTargets("guide/a.html", base).link("b.html")
    assert link is not None
    assert link.target == target


def test_scripts_and_empty_links_are_dropped():
    hrefs = ("javascript:void(0)", "JAVA\nSCRIPT:x", "data:text/html,x", "", "#", "  ")
    assert [LinkTargets("a.html").link(href) for href in hrefs] == [None] * 6


def test_links_keep_their_text_and_component(page):
    parsed = page(
        "<p>see <a href=b.html>the <b>b</b></a>, <a href='javascript:x'>no</a></p><h2><a href=h.html>H</a></h2><p>q</p>"
        "<a href=b.html><div>one</div><div>two</div></a>"
    )
    assert [[(link.target, link.anchor) for link in one.links] for one in parsed.components] == [
        [("b.html", "the b")], [("h.html", "H")], [("b.html", "one")], [("b.html", "two")],
    ]  # fmt: skip
