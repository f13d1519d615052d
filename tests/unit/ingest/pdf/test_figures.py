from __future__ import annotations

import io

from fixtures.drawn_pdf import lines
from PIL import Image

PROSE = ("The measures of the eleven years are drawn below, and what they", "mean is said in the text that follows it.")


def images(document):
    return [component for component in document.components if component.image is not None]


def chart(sheet, x, y):
    """A curve on two axes with ticks and labels, 200 by 100 points, its lower left corner at x, y."""
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


def test_a_drawing_is_rendered_with_its_words_and_its_caption(drawn):
    def draw(sheet):
        lines(sheet, 40, 460, *PROSE)
        chart(sheet, 60, 300)
        lines(sheet, 60, 275, "Figure 1: Flow by quarter")

    parsed = drawn(draw, title="T")
    (image,) = images(parsed)
    assert (image.image.caption, image.image.alt) == ("Figure 1: Flow by quarter", "q1 q2 q3 q4")
    x0, top, x1, bottom = image.locator.box
    assert 55 < x0 < 61
    assert 98 < top < 110
    assert 258 < x1 < 266
    assert 200 < bottom < 212
    assert Image.open(io.BytesIO(parsed.blobs[image.image.blob])).width > 2 * 190
    assert [component.text for component in parsed.components if component.text] == [" ".join(PROSE)]


def test_boxes_and_arrows_are_a_picture_where_their_caption_says_figure(drawn):
    def draw(sheet):
        for number, name in enumerate(("Parser", "Planner", "Reader")):
            sheet.rect(40 + 110 * number, 300, 80, 40)
            lines(sheet, 55 + 110 * number, 316, name)
            if number:
                sheet.line(120 + 110 * (number - 1), 320, 40 + 110 * number, 320)
        lines(sheet, 40, 280, "Figure 2. Parts of the whole")

    parsed = drawn(draw, title="T")
    (image,) = parsed.components
    assert (image.image.caption, image.image.alt) == ("Figure 2. Parts of the whole", "Parser Planner Reader")


def test_a_caption_above_and_one_beside(drawn):
    def picture():
        stream = io.BytesIO()
        Image.effect_noise((80, 60), 80).convert("RGB").save(stream, format="PNG")
        stream.seek(0)
        from reportlab.lib.utils import ImageReader

        return ImageReader(stream)

    def draw(sheet):
        lines(sheet, 40, 470, "Fig. 1. Above it")
        sheet.drawImage(picture(), 40, 370, 120, 90)
        sheet.drawImage(picture(), 40, 200, 120, 90)
        lines(sheet, 170, 250, "Fig. 2. Beside it")

    captions = [component.image.caption for component in drawn(draw, title="T").components]
    assert captions == ["Fig. 1. Above it", "Fig. 2. Beside it"]


def test_rules_and_frames_around_text_are_no_pictures(drawn):
    def draw(sheet):
        sheet.roundRect(30, 380, 340, 90, 8)
        lines(sheet, 40, 450, *PROSE, *PROSE)
        sheet.line(40, 360, 360, 360)
        sheet.rect(5, 5, 390, 490)

    assert images(drawn(draw, title="T")) == []


def test_a_sentence_that_begins_with_a_reference_is_no_caption(drawn):
    def draw(sheet):
        chart(sheet, 60, 340)
        lines(sheet, 60, 310, "Figure 3 shows what became of the bank.")

    parsed = drawn(draw, title="T")
    assert [component.text for component in parsed.components if component.text] == [
        "Figure 3 shows what became of the bank."
    ]


def test_strips_of_one_picture_are_put_together(drawn):
    def draw(sheet):
        from reportlab.lib.utils import ImageReader

        lines(sheet, 40, 460, *PROSE)
        for number in range(4):
            stream = io.BytesIO()
            Image.effect_noise((160, 20), 80).convert("RGB").save(stream, format="PNG")
            stream.seek(0)
            sheet.drawImage(ImageReader(stream), 40, 200 + 20 * number, 160, 20)

    (image,) = images(drawn(draw, title="T"))
    assert image.locator.box[3] - image.locator.box[1] > 78
