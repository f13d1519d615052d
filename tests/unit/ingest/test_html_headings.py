"""Headings under which nothing stands: what they say is text, with the headings above as its section."""

import pytest


def read(parsed):
    return [(component.section, component.text) for component in parsed.components]


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        ("<h3>Join us</h3><h5>May 9 at 9:30</h5><h5>Room 4</h5><h3>Agendas</h3><h5>May</h5><h5>March</h5>",
         [("Join us", "May 9 at 9:30\nRoom 4"), ("Agendas", "May\nMarch")]),
        ("<h2>2019</h2><h3>April 8</h3><h4>Minutes</h4><h3>May 13</h3><h4>Minutes</h4><h2>Fees</h2><p>None.",
         [("2019 > April 8", "Minutes"), ("2019 > May 13", "Minutes"), ("Fees", "None.")]),
        ("<h2>Oils<p>Rape.<h2>Lamps are lit at dusk and put out at dawn.</h2><h2>Wicks</h2><ul><li>Cotton</ul>",
         [("Oils", "Rape."), ("", "Lamps are lit at dusk and put out at dawn."), ("Wicks", "Cotton")]),
        ("<h1>page</h1><p>a</p><h1>page</h1>", [("", "a")]),
        ("<p>a</p><h3>Most read</h3><p>b</p><h3>Comments</h3>", [("", "a"), ("Most read", "b")]),
        ("<h3>Most read</h3><h2>Oils</h2><p>b</p>", [("Oils", "b")]),
        ("<h2>We sell</h2><h3>Lamps</h3><h3>Wicks</h3><h3>Rape oil</h3><p>b</p>",
         [("We sell", "Lamps\nWicks"), ("We sell > Rape oil", "b")]),
        ("<h2>Ships</h2><h3>Lost</h3><h1>1,016</h1><h3>Saved</h3><h2>$ 12 M</h2><h3>Since</h3><h2>1984</h2><p>b",
         [("Ships > Lost", "1,016"), ("Ships > Saved", "$ 12 M"), ("1984", "b")]),
        ("<h2>Ships</h2><div>Lost<h1>16</h1></div><div>Saved<h1>3</h1></div><p>So far.",
         [("Ships", "Lost\n16"), ("Ships", "Saved\n3"), ("Ships", "So far.")]),
        ("<h2>One<p>a<h2>2<p>b<h2>3<p>c", [("One", "a"), ("2", "b"), ("3", "c")]),
    ],
    ids=["leaves", "nested", "sentence", "title", "names", "name-above", "services", "figures", "boxes", "chapters"],
)  # fmt: skip
def test_what_stands_in_a_heading_is_found(page, markup, found):
    assert read(page(markup)) == found


def test_a_long_row_of_headings_is_no_endless_text(page):
    parsed = page("".join(f"<h4>Item {number} of a long agenda, read out</h4>" for number in range(100)))
    assert sum(component.text.count("Item") for component in parsed.components) == 100
    assert max(len(component.text) for component in parsed.components) <= 1_001


def test_links_and_names_of_a_bare_heading_lead_to_its_text(page):
    parsed = page('<p>a</p><h5 id="may"><a href="m.html">May</a></h5><h5 id="june"><a href="j.html">June</a></h5><p>b')
    agenda = parsed.components[1]
    assert (agenda.text, [link.target for link in agenda.links]) == ("May", ["m.html"])
    assert parsed.fragments["may"] == agenda.id
    assert parsed.fragments["june"] == parsed.components[2].id


def test_an_invitation_over_links_elsewhere_is_left_out_with_them(page):
    below = '<nav><a href="a">Other</a></nav>'
    assert read(page(f"<p>a</p><h2>You may also like one of these!</h2>{below}")) == [("", "a")]
    assert read(page(f"<p>a</p><h2>On May 9 we meet!</h2>{below}")) == [("", "a"), ("", "On May 9 we meet!")]


@pytest.mark.parametrize("below", ["<nav>a</nav>", '<div class="related"><a href="a">Other</a></div>', "<form><input>"])
def test_the_name_of_what_is_left_out_is_left_out_too(page, below):
    assert read(page(f"<p>a</p><h2>Related</h2>{below}")) == [("", "a")]
