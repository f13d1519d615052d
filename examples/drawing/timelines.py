"""Time lines."""

from collections.abc import Sequence

from examples.drawing.canvas import BLUE, GREEN, GREY, INK, ORANGE, PALE, RED, Canvas, Picture

Mark = tuple[float, str]


def axis(canvas: Canvas, y: float, first: int, last: int, step: int) -> None:
    """Years along the bottom with faint lines upward."""
    for year in range(first, last + 1, step):
        x = place(year, first, last)
        canvas.line([(x, 70), (x, y)], PALE, 1)
        canvas.text((x, y + 8), str(year), 15, GREY, "ma")


def place(year: float, first: int, last: int) -> float:
    """The x of a year."""
    return 60 + (year - first) / (last - first) * 680


def life(canvas: Canvas, y: float, name: str, marks: Sequence[Mark], colour: str) -> None:
    """One craft: a bar from its first to its last mark, words above and below in turn."""
    first, last = 1972, 2004
    canvas.line([(place(marks[0][0], first, last), y), (place(marks[-1][0], first, last), y)], colour, 8)
    canvas.text((place(marks[-1][0], first, last), y - 52), name, 20, colour, "rm", bold=True)
    for index, (year, text) in enumerate(marks):
        x = place(year, first, last)
        canvas.disc((x, y), 7, "white", colour, 3)
        anchor = "ra" if index == len(marks) - 1 else "la"
        drop = 14 + 22 * (index % 3) if index < len(marks) - 1 else 14
        canvas.text((x - 4 if anchor == "la" else x + 6, y + drop), text, 15, INK, anchor)


def pioneer() -> Canvas:
    """Two lives side by side."""
    canvas = Canvas(height=430)
    canvas.title("Pioneer 10 and Pioneer 11")
    axis(canvas, 380, 1972, 2004, 4)
    ten = [
        (1972.17, "launch, March 1972"),
        (1973.92, "Jupiter, December 1973"),
        (2003.06, "last signal, 23 January 2003"),
    ]
    eleven = [
        (1973.27, "launch, April 1973"),
        (1974.92, "Jupiter, December 1974"),
        (1979.67, "Saturn, 1 September 1979"),
        (1995.9, "last contact, November 1995"),
    ]
    life(canvas, 150, "Pioneer 10", ten, BLUE)
    life(canvas, 285, "Pioneer 11", eleven, RED)
    return canvas


def luna() -> Canvas:
    """Eight milestones, above and below one line."""
    canvas = Canvas(height=470)
    canvas.title("Luna, 1959 to 1976")
    first, last = 1958, 1978
    axis(canvas, 420, first, last, 4)
    canvas.line([(60, 245), (740, 245)], INK, 4)
    marks = [
        (1959.7, "Luna 2\nimpact", -70, BLUE),
        (1959.8, "Luna 3\nfar side", 70, BLUE),
        (1966.1, "Luna 9\nsoft landing", -70, GREEN),
        (1966.25, "Luna 10\norbit", 70, GREEN),
        (1970.7, "Luna 16\nsamples 101 g", -120, ORANGE),
        (1970.88, "Luna 17\nLunokhod 1", 120, RED),
        (1973.04, "Luna 21\nLunokhod 2", 60, RED),
        (1976.63, "Luna 24\nsamples 170 g", -70, ORANGE),
    ]
    for year, text, reach, colour in marks:
        x = place(year, first, last)
        canvas.line([(x, 245), (x, 245 + reach)], colour, 2)
        canvas.disc((x, 245), 7, colour)
        canvas.text((x, 245 + reach + (26 if reach > 0 else -24)), text, 16, INK, "mm")
    return canvas


PICTURES: dict[str, Picture] = {"pioneer-timeline.png": pioneer, "luna-timeline.png": luna}
