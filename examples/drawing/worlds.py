"""Worlds cut open, their weather and their sizes."""

from examples.drawing.canvas import (
    BLUE,
    BROWN,
    GREY,
    ICE,
    INK,
    NIGHT,
    ORANGE,
    RED,
    SAND,
    SKY,
    STAR,
    STEEL,
    YELLOW,
    Canvas,
    Picture,
    on_circle,
    stars,
)


def europa() -> Canvas:
    """A slice taken out of the sphere."""
    canvas = Canvas(height=480, paper=NIGHT)
    stars(canvas)
    canvas.title("Inside Europa", STAR)
    centre = (280.0, 265.0)
    canvas.disc(centre, 190, "#c9bda6")
    for start in (200, 245, 300):
        canvas.line([on_circle(centre, 185, start), on_circle(centre, 120, start + 25)], "#8f6b4d", 2)
    for radius, colour in ((190, ICE), (176, BLUE), (158, "#a47a5b"), (75, "#5a5f68")):
        canvas.wedge(centre, radius, -100, 60, colour)
    names = [
        (183, 30, "ice shell"),
        (167, 10, "salty ocean"),
        (120, -8, "rocky mantle"),
        (45, -20, "metal core"),
    ]
    for index, (radius, angle, name) in enumerate(names):
        canvas.label((550, 150 + 70 * index), on_circle(centre, radius, angle), name, "lm", STAR, 19)
    canvas.text((550, 425), "diameter 3,122 km", 16, STEEL)
    return canvas


def enceladus() -> Canvas:
    """From hot springs to jets."""
    canvas = Canvas(height=500, paper=NIGHT)
    stars(canvas, lowest=0.4)
    canvas.title("How Enceladus feeds its jets", STAR)
    canvas.box((0, 400), (800, 500), "#7a6a5c")
    canvas.box((0, 270), (800, 400), BLUE)
    canvas.box((0, 190), (800, 270), ICE)
    for x in (160, 260, 360, 460):
        canvas.polygon([(x - 3, 190), (x + 3, 190), (x + 10, 270), (x - 10, 270)], BLUE)
        canvas.polygon([(x, 192), (x - 26, 70), (x + 26, 70)], "#46597d")
        canvas.polygon([(x, 192), (x - 10, 90), (x + 10, 90)], STAR)
    for x in (210, 330, 430):
        canvas.polygon([(x - 16, 402), (x, 372), (x + 16, 402)], BROWN)
        canvas.arrow((x, 366), (x, 310), ORANGE, 3)
    canvas.text((560, 110), "jets of gas and ice grains\n(tiger stripe cracks)", 17, STAR)
    canvas.text((560, 230), "ice shell", 19, INK, "lm")
    canvas.text((560, 335), "global salt ocean", 19, STAR, "lm")
    canvas.text((560, 450), "rock, hot springs", 19, STAR, "lm")
    canvas.text((30, 90), "to the\nE ring", 16, SKY)
    canvas.arrow((62, 84), (62, 56), SKY)
    return canvas


def io() -> Canvas:
    """Two plumes to one scale."""
    canvas = Canvas(height=460, paper=NIGHT)
    stars(canvas)
    canvas.title("Two plumes on the edge of Io", STAR)
    centre = (400.0, 1500.0)
    for x, height, width, colour in ((260, 225, 170, "#59678a"), (560, 60, 45, "#7d8cb0")):
        ground = 1500 - (1180**2 - (x - 400) ** 2) ** 0.5
        canvas.disc((x, ground - height * 0.55), width, colour, flat=height * 0.45 / width)
        canvas.polygon([(x - 6, ground), (x + 6, ground), (x + width * 0.5, ground - height * 0.7)], colour)
        canvas.polygon([(x - 6, ground), (x + 6, ground), (x - width * 0.5, ground - height * 0.7)], colour)
        canvas.line([(x, ground), (x, ground - height)], STAR, 1.5)
    canvas.disc(centre, 1180, YELLOW, ORANGE, 2)
    for x, y, radius in ((150, 390, 26), (330, 415, 18), (480, 380, 30), (680, 410, 22)):
        canvas.disc((x, y), radius, ORANGE, flat=0.35)
    canvas.text((270, 84), "Pele: about 300 km high", 17, STAR)
    canvas.text((580, 240), "Prometheus:\nabout 80 km high", 17, STAR)
    canvas.text((24, 436), "heights to scale with each other", 14, INK, "lm")
    return canvas


def triton() -> Canvas:
    """A dark column and the streak it leaves."""
    canvas = Canvas(height=450, paper="#0e1420")
    stars(canvas, lowest=0.5)
    canvas.title("A geyser on Triton", STAR)
    canvas.polygon([(0, 360), (200, 350), (430, 358), (640, 346), (800, 356), (800, 450), (0, 450)], "#e6d6d2")
    canvas.disc((190, 358), 30, "#8a7b7b", flat=0.2)
    canvas.polygon([(184, 356), (196, 356), (200, 140), (180, 140)], "#4c4a55")
    canvas.polygon(
        [(180, 140), (200, 128), (480, 120), (740, 96), (740, 170), (460, 152), (200, 152)],
        "#4c4a55",
    )
    canvas.arrow((110, 356), (110, 140), STAR)
    canvas.arrow((110, 140), (110, 356), STAR)
    canvas.text((98, 245), "about\n8 km", 18, STAR, "rm")
    canvas.arrow((470, 210), (640, 200), SKY)
    canvas.text((470, 232), "thin wind carries the dust more than 100 km", 16, SKY)
    canvas.text((250, 310), "sunlight warms dark ground\nunder clear nitrogen ice", 16, STAR)
    canvas.text((560, 400), "surface: about minus 235 °C", 17, INK, "lm")
    return canvas


def venus_air() -> Canvas:
    """Heights run from 0 to 80 km, five and a half pixels each."""
    canvas = Canvas(height=540, paper="#f7ead0")
    canvas.title("The air of Venus from 0 to 80 km")

    def y_of(height: float) -> float:
        return 505 - height * 5.5

    canvas.box((120, y_of(70)), (560, y_of(48)), "#e8cf8e")
    canvas.box((120, y_of(1)), (560, y_of(0)), BROWN)
    for height in range(0, 81, 10):
        canvas.line([(112, y_of(height)), (120, y_of(height))], INK, 2)
        canvas.text((104, y_of(height)), f"{height} km", 15, GREY, "rm")
    canvas.line([(120, y_of(0)), (120, y_of(80))], INK, 2)
    canvas.text((140, y_of(64)), "clouds of sulphuric acid", 18, BROWN, "lm")
    canvas.disc((430, y_of(54)), 12, "white", INK)
    canvas.line([(430, y_of(54) + 12), (430, y_of(54) + 36)], INK, 1)
    canvas.box((425, y_of(54) + 36), (435, y_of(54) + 46), STEEL, INK)
    canvas.text((450, y_of(54)), "Vega balloons,\n54 km, 1985", 15, INK, "lm")
    canvas.text((140, y_of(25)), "clear, dense carbon dioxide", 18, BROWN, "lm")
    for height, text in (
        (70, "about minus 40 °C"),
        (55, "about 27 °C, 0.5 bar"),
        (30, "about 220 °C"),
        (0, "about 465 °C, 92 bar"),
    ):
        canvas.text((590, y_of(height) - (8 if height == 0 else 0)), text, 17, RED, "lm")
    return canvas


def titan() -> Canvas:
    """The way down of Huygens; the heights stand only in the picture."""
    canvas = Canvas(height=540, paper="#d08a3c")
    for index, colour in enumerate(("#3b2a3a", "#7a4a34", "#a8672f", "#c98038")):
        canvas.box((0, index * 70), (800, index * 70 + 70), colour)
    canvas.title("Huygens comes down, 14 January 2005", STAR)
    canvas.polygon([(0, 490), (250, 478), (520, 492), (800, 480), (800, 540), (0, 540)], "#6b4526")
    canvas.line([(70, 70), (150, 105), (250, 150)], STAR, 2)
    canvas.line([(250, 150), (430, 300), (560, 478)], STAR, 2)
    for x, y, radius in ((265, 163, 40), (400, 275, 22)):
        canvas.wedge((x, y - radius), radius, 180, 360, STAR)
        for side in (-radius, radius):
            canvas.line([(x + side, y - radius), (x, y + 12)], STAR, 1)
        canvas.disc((x, y + 16), 9, STEEL, INK)
    canvas.disc((560, 478), 12, STEEL, INK, flat=0.5)
    canvas.text((36, 118), "entry at 1,270 km", 17, STAR)
    canvas.text((320, 130), "main parachute, opened near 155 km", 17, STAR)
    canvas.text((440, 250), "smaller parachute, so that\nit falls faster", 17, STAR)
    canvas.text((40, 330), "from entry to the ground:\n2 hours 27 minutes", 24, STAR, bold=True)
    canvas.text((590, 440), "pebbles of\nwater ice", 17, STAR)
    for x in (610, 650, 690, 720):
        canvas.disc((x, 494), 7, "#c9b49a", flat=0.7)
    return canvas


def pluto() -> Canvas:
    """The heart and what its halves are made of."""
    canvas = Canvas(height=480, paper=NIGHT)
    stars(canvas)
    canvas.title("The heart of Pluto", STAR)
    centre = (280.0, 265.0)
    canvas.disc(centre, 190, "#a98467")
    canvas.disc((150, 330), 58, "#5c3a2e", flat=0.5)
    canvas.disc((360, 130), 60, "#c7a283", flat=0.4)
    canvas.disc((366, 252), 58, "#e0caae")
    canvas.polygon([(314, 262), (421, 272), (314, 394)], "#e0caae")
    canvas.disc((258, 252), 60, "#f4ead8")
    canvas.polygon([(200, 268), (317, 262), (314, 394)], "#f4ead8")
    canvas.label((540, 170), (262, 252), "Sputnik Planitia:\nnitrogen ice, no craters", "lm", STAR, 17)
    canvas.label((540, 275), (385, 262), "eastern half:\nthin frost on rough ground", "lm", STAR, 17)
    canvas.label((540, 370), (160, 336), "dark equatorial belt", "lm", STAR, 17)
    canvas.text((540, 430), "diameter 2,377 km", 15, STEEL)
    return canvas


def juno() -> Canvas:
    """Both poles with their rings of storms."""
    canvas = Canvas(height=450, paper=NIGHT)
    canvas.title("Storms at the poles of Jupiter", STAR)
    for x, name, amount, radius in (
        (215, "north: 8 around 1", 8, 118),
        (585, "south: 5 around 1", 5, 98),
    ):
        canvas.disc((x, 235), 172, "#33507a")
        for step in range(amount):
            swirl(canvas, on_circle((x, 235), radius, 90 + step * 360 / amount), 38)
        swirl(canvas, (x, 235), 46)
        canvas.text((x, 428), name, 18, STAR, "mm")
    return canvas


def swirl(canvas: Canvas, centre: tuple[float, float], radius: float) -> None:
    """A storm with one spiral arm."""
    canvas.disc(centre, radius, "#c7a07a")
    arms = [on_circle(centre, radius * step / 60, step * 14) for step in range(4, 60)]
    canvas.line(arms, "#f4e6d2", 3)


def asteroid_sizes() -> Canvas:
    """Two panels, as no single scale shows both Ceres and Bennu."""
    canvas = Canvas(height=560)
    canvas.title("Sizes of small bodies")
    canvas.disc((190, 185), 117, STEEL, INK)
    canvas.text((190, 185), "Ceres\n940 km", 19, "white", "mm")
    canvas.disc((420, 215), 66, SAND, INK, flat=0.88)
    canvas.text((420, 215), "Vesta\n525 km", 17, INK, "mm")
    canvas.line([(560, 270), (685, 270)], INK, 3)
    canvas.text((622, 280), "500 km", 15, INK, "ma")
    canvas.disc((530, 150), 2.2, RED)
    canvas.text((542, 150), "Eros on this scale", 15, INK, "lm")
    canvas.line([(24, 320), (776, 320)], GREY, 1)
    canvas.text((24, 332), "about 900 times enlarged", 15, GREY)
    canvas.polygon(
        [(90, 440), (120, 408), (175, 420), (215, 432), (205, 462), (140, 472), (100, 462)],
        BROWN,
        INK,
    )
    canvas.text((152, 498), "Itokawa, 0.5 km long", 16, INK, "ma")
    for x, half, name in ((350, 105, "Ryugu, about 0.9 km"), (560, 58, "Bennu, about 0.5 km")):
        middle = 425
        canvas.polygon(
            [
                (x, middle - half * 0.75),
                (x + half, middle),
                (x, middle + half * 0.75),
                (x - half, middle),
            ],
            GREY,
            INK,
        )
        canvas.text((x, 520), name, 16, INK, "ma")
    canvas.line([(660, 470), (775, 470)], INK, 3)
    canvas.text((717, 480), "0.5 km", 15, INK, "ma")
    return canvas


def comet() -> Canvas:
    """The two tails and what drives them."""
    canvas = Canvas(height=450, paper=NIGHT)
    stars(canvas)
    canvas.title("Parts of a comet", STAR)
    canvas.disc((60, 350), 46, YELLOW, ORANGE, 3)
    canvas.text((60, 350), "Sun", 18, INK, "mm")
    head = (300.0, 265.0)
    canvas.polygon([(292, 252), (312, 280), (560, 240), (760, 120), (770, 60), (540, 160)], "#8d7a5d")
    canvas.polygon([(296, 250), (304, 262), (740, 40), (700, 34)], "#3f6fae")
    canvas.disc(head, 34, "#7f93b3")
    canvas.disc(head, 18, "#b9c7dd")
    canvas.disc(head, 5, "#1a1a1a")
    canvas.text((520, 60), "ion tail", 18, SKY, "rm")
    canvas.text((640, 210), "dust tail", 18, SAND, "lm")
    canvas.label((330, 370), (308, 285), "coma: gas and dust", "lm", STAR, 17)
    canvas.label((150, 200), (297, 264), "nucleus", "rm", STAR, 17)
    canvas.arrow((110, 330), (230, 288), YELLOW, 2)
    canvas.text((120, 385), "sunlight and\nsolar wind", 15, YELLOW)
    return canvas


PICTURES: dict[str, Picture] = {
    "europa-cutaway.png": europa,
    "enceladus-plume.png": enceladus,
    "io-plumes.png": io,
    "triton-geyser.png": triton,
    "venus-atmosphere.png": venus_air,
    "titan-descent.png": titan,
    "pluto-heart.png": pluto,
    "juno-cyclones.png": juno,
    "asteroid-sizes.png": asteroid_sizes,
    "comet-anatomy.png": comet,
}
