import io

import pytest
from fixtures.drawn_pdf import framed, lines, noise, ruling, written
from fixtures.parsed import pictures, texts
from PIL import Image

PROSE = ("The measures of the eleven years are drawn below, and what they", "mean is said in the text that follows it.")


def chart(x, y):
    """A curve on two axes with ticks and labels, 200 by 100 points, its lower left corner at x, y."""

    def draw(sheet):
        sheet.line(x, y, x, y + 100)
        sheet.line(x, y, x + 200, y)
        for n in range(1, 5):
            sheet.line(x + 40 * n, y, x + 40 * n, y + 4)
            lines(sheet, x + 40 * n - 4, y - 8, f"q{n}", size=7)
            sheet.circle(x + 40 * n, y + 20 * n, 3, fill=1)
        curve = sheet.beginPath()
        curve.moveTo(x, y)
        curve.curveTo(x + 50, y + 80, x + 120, y + 10, x + 200, y + 90)
        sheet.drawPath(curve)

    return draw


def noisy(*box):
    """A picture that fills a box: x, y, width and height."""
    return lambda sheet: sheet.drawImage(noise(80, 60), *box)


def test_a_drawing_is_rendered_with_its_words_and_its_caption(drawn):
    parsed = drawn(written(40, 460, *PROSE), chart(60, 300), written(60, 275, "Figure 1: Flow by quarter"), title="T")
    assert pictures(parsed) == [("q1 q2 q3 q4", "Figure 1: Flow by quarter")]
    assert texts(parsed) == [" ".join(PROSE)]
    (image,) = (component for component in parsed.components if component.image)
    assert image.locator.box == pytest.approx((58, 104, 262, 206), abs=6)
    assert Image.open(io.BytesIO(parsed.blobs[image.image.blob])).width > 2 * 190


def test_boxes_and_arrows_are_a_picture_where_their_caption_says_figure(drawn):
    parsed = drawn(
        framed(*((40 + 110 * number, 300, 80, 40) for number in range(3))),
        ruling((120, 320, 150, 320), (230, 320, 260, 320)),
        *(written(55 + 110 * number, 316, name) for number, name in enumerate(("Parser", "Planner", "Reader"))),
        written(40, 280, "Figure 2. Parts of the whole"),
        title="T",
    )
    assert pictures(parsed) == [("Parser Planner Reader", "Figure 2. Parts of the whole")]
    assert texts(parsed) == []


def test_captions_above_and_strips_of_one_picture(drawn):
    strips = [noisy(40, 60 + 20 * number, 160, 20) for number in range(4)]
    above = [written(40, 470, "Fig. 1. Above it"), noisy(40, 370, 120, 90)]
    parsed = drawn(*above, *strips, title="T")
    assert [caption for _, caption in pictures(parsed)] == ["Fig. 1. Above it", ""]
    assert texts(parsed) == []
    box = parsed.components[-1].locator.box
    assert box[3] - box[1] > 78


def test_rules_and_frames_around_text_are_no_pictures_and_a_sentence_is_no_caption(drawn):
    sentence = "Figure 3 shows what became of the bank."
    assert texts(drawn(chart(60, 340), written(60, 310, sentence), title="T")) == [sentence]
    parsed = drawn(
        lambda sheet: sheet.roundRect(30, 380, 340, 90, 8),
        written(40, 450, *PROSE, *PROSE),
        ruling((40, 360, 360, 360)),
        framed((5, 5, 390, 490)),
        title="T",
    )
    assert pictures(parsed) == []
