"""Other scripts and directions, and unusually set letters."""

from __future__ import annotations

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from benchmarks.pdf_fidelity.layouts.parts import FULL
from benchmarks.pdf_fidelity.sheet import HEIGHT, MARGIN, WIDTH, Sheet

_UNICODE = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
_WIDE = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"
_HEBREW = "הנהר זורם אל הים דרך העמק הרחב ומביא חול ואבנים מן ההרים הגבוהים בשנת 1987 נמדד כאן הזרם החזק ביותר"
_ARABIC = "يجري النهر من الجبال العالية إلى البحر عبر الوادي الواسع ويحمل الرمل والحجارة معه في كل عام جديد"


def _font() -> str:
    if "Unicode" not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont("Unicode", _UNICODE))
    return "Unicode"


def right_to_left(sheet: Sheet) -> None:
    """Hebrew and Arabic, drawn from the right in visual order; Arabic in joined letter forms."""
    import arabic_reshaper  # pyright: ignore[reportMissingImports]
    from bidi.algorithm import get_display  # pyright: ignore[reportMissingImports]

    font, y = _font(), 80.0
    for text in (_HEBREW, _ARABIC):
        shaped = arabic_reshaper.reshape(text)
        for line in sheet.wrap(shaped, 300, 12, font):
            shown = str(get_display(line, base_dir="R"))
            sheet.canvas.setFont(font, 12)
            sheet.canvas.drawRightString(WIDTH - MARGIN, HEIGHT - y, shown)
            y += 15
        sheet.truth.paragraphs.append(text)
        y += 20


def cjk(sheet: Sheet) -> None:
    """Chinese in horizontal lines, Japanese in vertical lines from the right."""
    if "Wide" not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont("Wide", _WIDE))
    chinese = "河水从高山流向大海沿途带走泥沙和石块在平原上慢慢沉积下来形成三角洲人们在这里种植水稻"
    for number in range(0, len(chinese), 20):
        sheet.line(MARGIN, 80 + 16 * number / 20, chinese[number : number + 20], 12, "Wide")
    sheet.truth.paragraphs.append(chinese)
    japanese = "川は山から海へ流れ砂と石を運ぶ平野では土がゆっくりと積もり広い三角州をつくる"
    for column, number in enumerate(range(0, len(japanese), 14)):
        for row, letter in enumerate(japanese[number : number + 14]):
            sheet.line(400 - 20 * column, 200 + 13 * row, letter, 12, "Wide")
    sheet.truth.paragraphs.append(japanese)


def odd_letters(sheet: Sheet) -> None:
    """Fake bold by drawing twice, tracked capitals, words placed one by one without spaces, ligatures."""
    for shift in (0, 0.4):
        sheet.line(MARGIN + shift, 80, "Doubled Emphasis Heading", 14, "Times-Roman")
    sheet.truth.headings.append("Doubled Emphasis Heading")
    y = sheet.paragraph(MARGIN, 90, FULL, sheet.prose(60))
    sheet.line(MARGIN, y + 16, "TRACKED CAPITALS", 14, "Times-Bold", charSpace=4)
    sheet.truth.headings.append("TRACKED CAPITALS")
    text = sheet.prose(60)
    y += 22
    for line in sheet.wrap(text, FULL, 10, "Times-Roman"):
        x = MARGIN
        for word in line.split():
            sheet.line(x, y + 10, word)
            x += pdfmetrics.stringWidth(word, "Times-Roman", 10) + 1.9
        y += 12
    sheet.truth.paragraphs.append(text)
    text = sheet.prose(60)
    sheet.paragraph(MARGIN, y + 10, FULL, text, known=False)
    sheet.truth.paragraphs.append(text)
