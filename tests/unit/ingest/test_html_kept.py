"""What looks like furniture by its name and is read all the same: posts, letters, lists that unfold, contact data."""

import pytest

PROSE = "The lamp burns oil, and a lamp of this size burns about four litres of it in a month of long nights. " * 3
MENU = "".join(f'<li><a href="p{n}.html">Another page, number {n}</a></li>' for n in range(9))


def texts(parsed):
    return [component.text for component in parsed.components if component.text]


def sections(parsed):
    return [(component.section, component.text) for component in parsed.components]


def test_posts_of_a_forum_whose_header_is_not_closed_are_read(page):
    post = (
        '<article class="message"><h4>{}</h4><header class="attribution">Sep 18<article><div class=bbWrapper>{}</div>'
    )
    markup = "".join(post.format(*said) + "</article></article>" for said in (("Ann", "Thanks!"), ("Bea", PROSE)))
    assert texts(page(markup)) == ["Sep 18\nThanks!", "Sep 18", PROSE.strip()]


def test_a_block_of_sentences_without_paragraphs_is_read_whatever_it_is_called(page):
    said = "<div>It can be hard to keep a lamp alight in a storm, and harder still to light it again in one.</div>" * 4
    parsed = page(f'<h1>Lamp</h1><p>{PROSE}</p><p>{PROSE * 4}</p><div id="TOC_1">{said}</div>')
    assert len(texts(parsed)) == 6


def test_where_names_of_furniture_would_leave_nothing_they_are_not_believed(page):
    letters = "".join(f'<div class="adn ads"><b>Ann</b><div>Letter {n}: we meet on day {n} at the lamp.</div></div>'
                      for n in range(5))  # fmt: skip
    said = "\n".join(texts(page(f'<body><h2>Kick-off</h2>{letters}<div class="ads"><a href="a">Buy</a></div>')))
    assert all(f"Letter {n}" in said for n in range(5))
    assert "Buy" not in said


def test_the_report_tells_where_most_of_a_page_looks_like_furniture(page):
    menu = "".join(f'<div class="modal">Choose oil number {n}, or another one</div>' for n in range(40))
    parsed = page(f"<h1>Lamp</h1><p>{PROSE * 3}</p>{menu}")
    assert [part.reason for part in parsed.skipped] == [
        "1,430 of 2,342 letters outside links look like menus, banners and the like"
    ]
    assert not page(f"<h1>Lamp</h1><p>{PROSE * 9}</p>{menu}").skipped


def test_headings_that_unfold_a_list_are_no_links_elsewhere(page):
    entry = '<div class="card-header"><a href="#{0}"><h3>{0} 31</h3></a></div><div id="{0}"><ul><li>Agenda</ul></div>'
    parsed = page(f"<h2>Meetings</h2>{entry.format('May')}{entry.format('July')}")
    assert sections(parsed) == [("Meetings > May 31", "Agenda"), ("Meetings > July 31", "Agenda")]


@pytest.mark.parametrize(
    "foot",
    [
        '<footer><ul>{menu}</ul><h3>Contact</h3><div><p>Lamp Office</p><p>1 Quay, Wick</p><p>Phone: (312) 555-0199</p>'
        '</div><p>© All rights</p></footer>',
        '<div class="site-footer"><nav>{menu}</nav><h3>Contact</h3><address>Lamp Office<br>1 Quay, Wick<br>'
        '<a href="mailto:o@lamp.example">o@lamp.example</a></address></div>',
        '<div role="contentinfo"><footer><h3>Contact</h3><ul><li><b>Main:</b> <a href="tel:1">312.555.0199</a></li>'
        '<li><b>Office:</b> <a href="tel:2">312.555.0198</a></li></ul><img src="logo.png"></footer>{menu}</div>',
    ],
    ids=["phone", "mail", "list"],
)  # fmt: skip
def test_contact_data_in_a_footer_is_read_in_a_section_of_its_own(page, foot):
    parsed = page(f"<h1>Lamp</h1><h2>Oils</h2><p>{PROSE}</p>{foot.format(menu=MENU)}")
    kept = [part for part in parsed.components if part.section == "Contact"]
    said = "\n".join(part.text for part in kept)
    assert "Office" in said
    assert any(reach in said for reach in ("555-0199", "o@lamp", "555.0198"))
    assert not any(gone in " ".join(texts(parsed)) for gone in ("Another page", "rights"))


@pytest.mark.parametrize(
    "foot",
    ["<footer>© 2019 2020 2021 Lamps</footer>", "<footer hidden>Phone: (312) 555-0199</footer>",
     f"<footer><nav>{MENU} (312) 555-0199</nav></footer>", "<footer>Made with Generator 4.11.2</footer>"],
    ids=["years", "hidden", "menu", "version"],
)  # fmt: skip
def test_other_footers_stay_out(page, foot):
    assert texts(page(f"<h1>Lamp</h1><p>{PROSE}</p>{foot}")) == [PROSE.strip()]


def test_code_behind_its_script_is_no_text(page):
    spilled = "<script>a()</script>\n(function() { var b = document.c; })();</script><p>b</p>"
    assert texts(page(f"<p>a</p>{spilled}<script>c()</script> function follows form")) == [
        "a", "b", "function follows form",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "said",
    ['<div class="widget"><a href="a">Ann Lamp</a> <a href="d">May 9, 2023</a></div>',
     '<div class="post-header"><a href="a">By Ann Lamp</a></div>',
     '<div><a href="j">Lamps</a> <a href="v">Volume 3</a> <a href="p">Pages 6-9, June 1998</a> and the rest</div>'],
    ids=["date", "author", "issue"],
)  # fmt: skip
def test_who_wrote_a_page_and_when_stays_before_its_text(page, said):
    above = page(f"<article><h1>Lamp</h1>{said}<div><p>{PROSE}</p><p>{PROSE}</p></div></article>")
    assert len(texts(above)) == 3
    below = page(f"<article><h1>Lamp</h1><div><p>{PROSE}</p><p>{PROSE}</p></div>{said.replace('rest', '')}</article>")
    assert "widget" not in said or len(texts(below)) == 2
