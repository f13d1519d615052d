"""Pages that were saved before their scripts put the pieces where they belong, and titles that say nothing."""

import pytest


def texts(parsed):
    return [component.text for component in parsed.components if component.text]


def test_pieces_that_a_script_would_put_in_place_are_read_there(page):
    parsed = page(
        '<body><div hidden=""><template id="B:0"></template></div><h1>Lamp</h1><template id="B:1"></template>tail'
        '<p>Last.</p><div hidden="" id="S:1"><p>It is this one first.</p><template id="P:a2"></template></div> loose '
        '<div hidden="" id="S:a2"><p>It is that one then.</p></div><div hidden id="S:9"><p>Without a place.</p></div>'
    )
    assert texts(parsed) == [
        "It is this one first.", "It is that one then.", "tail", "Last.", "loose", "Without a place.",
    ]  # fmt: skip


def test_a_piece_whose_place_is_within_itself_is_read_once(page):
    assert texts(page('<body><div hidden id="S:1"><p>a</p><template id="B:1"></template></div>')) == ["a"]


def test_other_hidden_blocks_stay_hidden(page):
    assert texts(page('<body><p>a</p><div hidden id="S:x"><p>b</p></div><div hidden id="SS"><p>c</p></div>')) == ["a"]


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("<title>690</title><h1>Lamps</h1>", "Lamps"),
        ("<body><h1>690</h1><div><title>Lamps — Lights</title></div><h1>Lamps</h1>", "Lamps"),
        ('<meta property="og:title" content="Lamps"><h1>690</h1>', "Lamps"),
        ("<title>1984</title>", "1984"),
        ("<title>X</title><h1>Lamps</h1>", "Lamps"),
        ("<title>鸭</title><h1>Lamps</h1>", "鸭"),
        ("<svg><title>Icon</title></svg><h1>Lamps</h1>", "Lamps"),
    ],
    ids=["number", "outside-the-head", "shared", "nothing-else", "letter", "sign", "drawing"],
)
def test_a_title_that_says_nothing_gives_way(page, markup, title):
    assert page(f"{markup}<p>a</p>").document.title == title


def test_what_a_script_would_take_out_of_a_comment_behind_a_placeholder_is_read(page):
    table = "<table><tr><th>Oil<th>Litres<tr><td>Rape<td>4</table>"
    parsed = page(
        f'<h2>Oils</h2><div class="placeholder"></div>\n<!--\n <div>{table}</div>\n-->\n<p>a</p><!-- <p>never</p> -->'
        '<div class="placeholder">b</div><!-- <p>never</p> --><div class="placeholder"></div><!-- note --><p>c</p>'
        '<div class="placeholder"></div><!-- <p>not closed'
    )
    assert [component.table.rows for component in parsed.components if component.table] == [(("Rape", "4"),)]
    assert texts(parsed) == ["a", "b", "c"]
