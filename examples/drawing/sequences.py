"""Events drawn step by step."""

from examples.drawing.canvas import (
    BLUE,
    BROWN,
    GREEN,
    GREY,
    INK,
    NIGHT,
    ORANGE,
    PALE,
    RED,
    SAND,
    STAR,
    STEEL,
    YELLOW,
    Canvas,
    Picture,
    Point,
    along,
    stars,
)


def number(canvas: Canvas, at: Point, digit: int, text: str, colour: str = INK) -> None:
    """A numbered step with its name."""
    canvas.disc((at[0], at[1]), 12, BLUE)
    canvas.text(at, str(digit), 16, "white", "mm")
    canvas.text((at[0] + 18, at[1]), text, 15, colour, "lm")


def rover(canvas: Canvas, x: float, y: float) -> None:
    """A small rover on its wheels."""
    canvas.box((x - 26, y - 16), (x + 26, y), "white", INK)
    canvas.line([(x + 16, y - 16), (x + 16, y - 34)], INK, 3)
    for shift in (-22, 0, 22):
        canvas.disc((x + shift, y + 8), 8, GREY, INK)


def platform(canvas: Canvas, x: float, y: float) -> None:
    """The rocket platform with its flames."""
    canvas.box((x - 32, y - 10), (x + 32, y + 6), SAND, INK)
    for side in (-28, 28):
        canvas.polygon([(x + side, y + 6), (x + side * 1.8, y + 44), (x + side * 1.2, y + 46)], YELLOW, ORANGE)


def sky_crane() -> Canvas:
    """From capsule to wheels on the ground."""
    canvas = Canvas(width=900, height=480, paper="#f3dcc4")
    canvas.title("The sky crane in five steps")
    canvas.box((0, 410), (900, 480), "#b5673f")
    canvas.wedge((90, 125), 42, 0, 180, BROWN)
    canvas.polygon([(48, 125), (132, 125), (110, 95), (70, 95)], STEEL, INK)
    number(canvas, (40, 205), 1, "heat shield")
    canvas.wedge((265, 115), 55, 180, 360, ORANGE)
    canvas.line([(210, 115), (265, 215), (320, 115)], INK, 1)
    canvas.polygon([(240, 240), (290, 240), (280, 212), (250, 212)], STEEL, INK)
    number(canvas, (215, 275), 2, "parachute")
    platform(canvas, 440, 190)
    rover(canvas, 440, 222)
    number(canvas, (375, 290), 3, "rocket platform")
    platform(canvas, 620, 190)
    for shift in (-18, 0, 18):
        canvas.line([(620 + shift, 196), (620 + shift, 372)], INK, 1.5)
    rover(canvas, 620, 392)
    number(canvas, (650, 290), 4, "three cords")
    rover(canvas, 800, 400)
    canvas.dashed([(800, 330), (850, 180), (880, 130)], GREY)
    platform(canvas, 830, 120)
    number(canvas, (745, 440), 5, "platform leaves", "white")
    return canvas


def osiris() -> Canvas:
    """Down, gas, and away."""
    canvas = Canvas(width=840, height=430, paper=NIGHT)
    stars(canvas, lowest=0.7)
    canvas.title("Touch and go on Bennu", STAR)
    canvas.polygon(
        [
            (0, 350),
            (150, 338),
            (300, 352),
            (450, 340),
            (640, 352),
            (840, 336),
            (840, 430),
            (0, 430),
        ],
        "#4b4a4a",
    )
    for x, y in ((140, 150), (420, 190), (700, 130)):
        canvas.box((x - 30, y - 28), (x + 30, y + 20), SAND, STAR)
        canvas.box((x - 88, y - 20), (x - 34, y - 10), BLUE, STAR)
        canvas.box((x + 34, y - 20), (x + 88, y - 10), BLUE, STAR)
        canvas.line([(x, y + 20), (x, y + 146)], STEEL, 4)
        canvas.disc((x, y + 150), 16, STEEL, STAR, flat=0.4)
    for shift in (-60, -40, -22, 22, 40, 60):
        canvas.arrow((420, 342), (420 + shift, 342 - 70 + abs(shift) / 2), PALE, 1.5, 7)
    canvas.arrow((220, 150), (220, 210), YELLOW)
    canvas.arrow((800, 200), (800, 140), YELLOW)
    canvas.text((20, 240), "arm 3.35 m", 16, STAR, "lm")
    for x, digit, text in (
        (60, 1, "come down slowly"),
        (330, 2, "blow nitrogen, trap grains"),
        (630, 3, "back away at once"),
    ):
        number(canvas, (x, 396), digit, text, STAR)
    return canvas


def impact() -> Canvas:
    """Four panels, each with the round body below."""
    canvas = Canvas(width=900, height=400, paper=NIGHT)
    canvas.title("An artificial crater on Ryugu, 5 April 2019", STAR)
    names = ("launcher let go", "craft hides", "explosion, shot", "crater, camera")
    for index, name in enumerate(names):
        x = 115 + index * 224
        canvas.line([(x + 112, 70), (x + 112, 380)], "#33405c", 1)
        canvas.polygon([(x, 190), (x + 75, 265), (x, 335), (x - 75, 265)], "#6a6a6e", STEEL)
        number(canvas, (x - 90, 372), index + 1, name, STAR)
    canvas.box((95, 84), (135, 108), SAND, STAR)
    canvas.disc((115, 140), 9, RED)
    canvas.arrow((115, 152), (115, 178), STAR)
    canvas.disc((339, 140), 9, RED)
    canvas.arrow((380, 100), (428, 190), STAR)
    canvas.box((410, 240), (444, 262), SAND, STAR)
    for turn in ((-26, -14), (26, -14), (0, -30), (-20, 12), (20, 12)):
        canvas.line([(563, 130), (563 + turn[0], 130 + turn[1])], YELLOW, 3)
    canvas.arrow((563, 140), (563, 188), ORANGE, 4, 12)
    canvas.text((575, 160), "2 km/s", 15, STAR, "lm")
    canvas.disc((787, 196), 18, "#2b2b2e", None, flat=0.5)
    canvas.polygon([(775, 190), (740, 120), (834, 120), (799, 190)], "#55555c")
    canvas.box((846, 150), (864, 166), GREEN, STAR)
    return canvas


def philae() -> Canvas:
    """Two bounces; the clock times stand only in the picture."""
    canvas = Canvas(width=860, height=450, paper=NIGHT)
    stars(canvas, lowest=0.6)
    canvas.title("Three touchdowns of Philae", STAR)
    ground = [
        (0, 360),
        (150, 350),
        (300, 365),
        (430, 345),
        (600, 352),
        (680, 350),
        (690, 200),
        (780, 170),
        (860, 190),
    ]
    canvas.polygon([*ground, (860, 450), (0, 450)], "#56585e")
    canvas.polygon([(600, 352), (680, 350), (690, 200)], "#26272b")
    marks: list[Point] = [(120, 350), (540, 346), (650, 350)]
    for start, end, height in (
        ((40.0, 90.0), marks[0], 0),
        (marks[0], marks[1], 195),
        (marks[1], marks[2], 36),
    ):
        arc = [along(start, end, step / 30) for step in range(31)]
        lift = [4 * height * (step / 30) * (1 - step / 30) for step in range(31)]
        canvas.line([(x, y - up) for (x, y), up in zip(arc, lift, strict=True)], YELLOW, 2)
    for digit, mark in enumerate(marks, 1):
        canvas.disc(mark, 9, RED, STAR)
        canvas.text(mark, str(digit), 13, "white", "mm")
    canvas.text((120, 385), "Agilkia,\n15:34 UTC", 16, STAR, "ma")
    canvas.text((330, 76), "first bounce: almost two hours,\nabout one kilometre high", 16, STAR, "ma")
    canvas.text((640, 390), "Abydos, in the shade, 17:31 UTC", 16, STAR, "mm")
    canvas.text((780, 240), "cliff", 16, STAR, "mm")
    return canvas


def viking() -> Canvas:
    """What was done to the soil and what came out."""
    canvas = Canvas(height=480)
    canvas.title("Three tests for life in one scoop of soil")
    canvas.polygon([(360, 70), (440, 70), (425, 112), (375, 112)], "#b5673f", INK)
    canvas.text((400, 92), "soil", 17, "white", "mm")
    tests = [
        (
            145,
            "gas exchange",
            "add water and food,\nwatch the gases",
            "oxygen came off,\nbut in the dark too",
            PALE,
        ),
        (
            400,
            "labelled release",
            "add food with\ncarbon-14",
            "marked gas came off\nat once",
            "#cfe6cf",
        ),
        (
            655,
            "pyrolytic release",
            "give marked air and\nlight, then heat",
            "very little carbon\nbound",
            PALE,
        ),
    ]
    for x, name, doing, result, colour in tests:
        canvas.arrow((400, 114), (x, 158), GREY)
        canvas.box((x - 115, 162), (x + 115, 300), "white", INK, 2, 10)
        canvas.text((x, 190), name, 19, BLUE, "mm", bold=True)
        canvas.text((x, 245), doing, 17, INK, "mm")
        canvas.arrow((x, 304), (x, 345), GREY)
        canvas.box((x - 115, 350), (x + 115, 430), colour, INK, 1.5, 10)
        canvas.text((x, 390), result, 17, INK, "mm")
    canvas.text((400, 455), "green: as expected of living cells", 15, GREY, "mm")
    return canvas


PICTURES: dict[str, Picture] = {
    "sky-crane.png": sky_crane,
    "osiris-tag.png": osiris,
    "hayabusa2-impact.png": impact,
    "philae-bounces.png": philae,
    "viking-biology.png": viking,
}
