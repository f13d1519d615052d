"""Machines, from the side or cut open, with their parts named."""

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
    SKY,
    STAR,
    STEEL,
    YELLOW,
    Canvas,
    Picture,
    along,
    on_circle,
    stars,
)


def lattice(canvas: Canvas, start: tuple[float, float], end: tuple[float, float], steps: int) -> None:
    """A boom drawn as a zigzag between two rails."""
    rails = [[(x, y + shift) for x, y in (start, end)] for shift in (-5, 5)]
    for rail in rails:
        canvas.line(rail, STEEL, 1.5)
    zigzag = [along(*rails[step % 2], step / steps) for step in range(steps + 1)]
    canvas.line(zigzag, STEEL, 1)


def voyager() -> Canvas:
    """The Voyager craft with its long booms."""
    canvas = Canvas(height=500, paper=NIGHT)
    stars(canvas)
    canvas.title("Voyager", STAR)
    lattice(canvas, (360, 300), (60, 430), 24)
    lattice(canvas, (440, 300), (600, 340), 14)
    canvas.line([(360, 310), (250, 250)], STEEL, 5)
    for step in range(3):
        canvas.box((598 + step * 42, 326), (634 + step * 42, 360), "#4a4f58", STEEL, radius=4)
    canvas.polygon([(345, 285), (455, 285), (470, 330), (330, 330)], "#b59b5a", STAR)
    canvas.disc((400, 190), 150, "#eef1f5", STEEL, 2, flat=0.42)
    canvas.disc((400, 198), 118, "#d4dae2", None, flat=0.36)
    canvas.line([(330, 215), (400, 110), (470, 215)], STEEL, 2)
    canvas.disc((400, 108), 10, STEEL)
    canvas.box((222, 236), (262, 270), "#6d7685", STAR)
    canvas.line([(250, 130), (550, 130)], SKY, 1)
    canvas.text((565, 130), "dish, 3.7 m", 18, STAR, "lm")
    canvas.label((560, 420), (660, 362), "three radioisotope\ngenerators", "lm", STAR)
    canvas.label((130, 460), (130, 400), "magnetometer boom, 13 m", "la", STAR)
    canvas.label((160, 230), (224, 250), "scan platform\nwith cameras", "rm", STAR)
    canvas.label((300, 400), (400, 320), "ten-sided body with the\ncomputers and the record", "la", STAR)
    return canvas


def sojourner() -> Canvas:
    """The first Mars rover with its length."""
    canvas = Canvas(height=420, paper="#f3dcc4")
    canvas.title("Sojourner, from the side")
    canvas.box((0, 340), (800, 420), "#b5673f")
    canvas.polygon([(200, 190), (560, 190), (545, 205), (215, 205)], "#27365c", INK)
    for x in range(220, 550, 30):
        canvas.line([(x, 192), (x, 203)], SKY, 1)
    canvas.box((270, 205), (500, 262), SAND, INK, radius=6)
    canvas.line([(245, 305), (330, 250), (400, 290), (520, 305)], INK, 4)
    canvas.line([(330, 250), (400, 290), (400, 305)], INK, 4)
    for x in (245, 385, 520):
        canvas.disc((x, 308), 33, STEEL, INK, 2)
        canvas.disc((x, 308), 10, GREY)
    canvas.line([(555, 192), (555, 90)], INK, 3)
    canvas.box((180, 215), (240, 245), RED, INK)
    canvas.label((80, 290), (190, 240), "spectro-\nmeter", "mm")
    canvas.label((590, 120), (555, 110), "antenna", "lm")
    canvas.label((620, 180), (540, 196), "solar panel", "lm")
    canvas.label((620, 270), (500, 240), "warm box with\nelectronics", "lm")
    canvas.arrow((380, 375), (212, 375), "white")
    canvas.arrow((380, 375), (553, 375), "white")
    canvas.text((382, 398), "65 cm, 10.6 kg", 18, "white", "mm")
    return canvas


def ingenuity() -> Canvas:
    """The Mars helicopter; its dates stand only in the picture."""
    canvas = Canvas(height=500, paper="#f0d9c0")
    canvas.title("Ingenuity")
    canvas.box((0, 450), (800, 500), "#b5673f")
    canvas.line([(330, 90), (330, 250)], INK, 6)
    canvas.box((270, 80), (390, 90), "#27365c", INK)
    for y in (140, 185):
        canvas.polygon(
            [(120, y - 4), (330, y - 8), (540, y - 4), (540, y + 4), (330, y + 8), (120, y + 4)],
            STEEL,
            INK,
        )
    canvas.box((290, 245), (370, 315), "#c9b070", INK, radius=6)
    canvas.disc((330, 296), 9, INK)
    for foot in (150, 240, 420, 510):
        canvas.line([(300 if foot < 330 else 360, 255), (foot, 449)], INK, 3)
    canvas.arrow((330, 222), (540, 222), GREY)
    canvas.arrow((330, 222), (120, 222), GREY)
    canvas.text((560, 222), "rotors: 1.2 m", 17, INK, "lm")
    canvas.label((450, 85), (388, 85), "solar panel", "lm")
    canvas.label((590, 290), (338, 296), "camera looking down", "lm")
    canvas.text(
        (590, 335),
        "mass: 1.8 kg\nplanned flights: 5\nflown: 72\n19 April 2021 to\n18 January 2024",
        17,
        INK,
    )
    canvas.label((150, 300), (222, 351), "legs of carbon", "rm")
    return canvas


def parker() -> Canvas:
    """Why one side of the probe may glow and the other not."""
    canvas = Canvas(height=450, paper="#2a1710")
    canvas.title("Parker Solar Probe in the shade of its shield", STAR)
    canvas.disc((-120, 240), 250, YELLOW, ORANGE, 4)
    for y in range(90, 391, 50):
        canvas.arrow((150, y), (300, y), YELLOW, 2)
    canvas.polygon([(330, 200), (700, 225), (700, 255), (330, 280)], "#3d2a24")
    canvas.box((310, 110), (345, 370), "#f1ece4", STAR, radius=4)
    canvas.box((390, 200), (560, 280), STEEL, STAR, radius=6)
    canvas.polygon([(420, 280), (440, 280), (500, 330), (480, 330)], BLUE, STAR)
    canvas.polygon([(420, 200), (440, 200), (500, 150), (480, 150)], BLUE, STAR)
    canvas.line([(345, 150), (390, 205)], STAR, 2)
    canvas.line([(345, 330), (390, 275)], STAR, 2)
    canvas.text((365, 80), "carbon shield, 11.4 cm thick", 18, STAR)
    canvas.text((250, 424), "about 1,400 °C", 19, YELLOW, "mm")
    canvas.text((475, 240), "about 30 °C", 18, INK, "mm")
    canvas.label((600, 340), (490, 320), "solar wings folded\nback, water-cooled", "lm", STAR)
    return canvas


def giotto() -> Canvas:
    """How two sheets stop what one cannot."""
    canvas = Canvas(height=440)
    canvas.title("The double shield of Giotto")
    canvas.box((250, 90), (262, 380), STEEL, INK)
    canvas.box((520, 90), (556, 380), SAND, INK)
    canvas.box((600, 130), (770, 340), PALE, INK, radius=10)
    canvas.text((685, 235), "instruments", 18, INK, "mm")
    canvas.arrow((60, 235), (225, 235), RED, 4, 16)
    canvas.disc((52, 235), 9, RED)
    canvas.text((50, 168), "dust grain,\n68 km/s", 17, RED)
    canvas.polygon([(262, 235), (520, 150), (520, 320)], "#f3d3b5")
    for angle in range(-16, 17, 4):
        canvas.disc(on_circle((262, 235), 170 + angle * angle % 50, angle), 3, RED)
    canvas.text((256, 395), "front sheet:\naluminium, 1 mm", 16, INK, "ma")
    canvas.text((538, 395), "rear sheet:\nKevlar", 16, INK, "ma")
    canvas.text((390, 120), "gap: cloud of fragments", 16, INK, "mm")
    return canvas


def stardust() -> Canvas:
    """The catcher, and what happens in one of its cells."""
    canvas = Canvas(height=450)
    canvas.title("The dust catcher of Stardust")
    centre = (215.0, 235.0)
    canvas.disc(centre, 150, STEEL, INK, 2)
    canvas.box((200, 382), (230, 440), STEEL, INK)
    for row in range(-2, 3):
        for column in range(-2, 3):
            if abs(row) + abs(column) < 4:
                x, y = centre[0] + column * 50, centre[1] + row * 50
                canvas.box((x - 21, y - 21), (x + 21, y + 21), "#d9ecf7", BLUE, 1)
    canvas.box((460, 120), (760, 350), "#e6f2fa", BLUE, 2)
    canvas.polygon(
        [
            (470, 200),
            (520, 190),
            (600, 205),
            (700, 232),
            (700, 238),
            (600, 250),
            (520, 262),
            (470, 240),
        ],
        "#b9c7d1",
    )
    canvas.disc((704, 235), 6, BROWN)
    canvas.arrow((385, 222), (455, 222), RED, 3, 12)
    canvas.text((420, 196), "6.1 km/s", 16, RED, "mm")
    canvas.text((610, 145), "block of aerogel, enlarged", 16, INK, "mm")
    canvas.label((640, 320), (704, 241), "grain at rest", "rm")
    canvas.text((520, 175), "track like a carrot", 15, GREY, "lm")
    canvas.text((420, 380), "aerogel: 99.8 % empty space", 18)
    return canvas


def rtg() -> Canvas:
    """Heat in the middle, cold outside, current in between."""
    canvas = Canvas(height=440)
    canvas.title("Inside a radioisotope generator")
    for y in (95, 330):
        for x in range(170, 600, 43):
            canvas.box((x, y), (x + 10, y + 55), STEEL, INK)
    canvas.box((150, 145), (620, 335), GREY, INK, 2, 10)
    canvas.box((165, 165), (605, 315), "#f1e3c4")
    for x in range(175, 600, 36):
        canvas.box((x, 170), (x + 24, 200), GREEN, INK, 1)
        canvas.box((x, 280), (x + 24, 310), GREEN, INK, 1)
    for x in range(180, 590, 70):
        canvas.box((x, 210), (x + 60, 270), RED, ORANGE, 2, 6)
    canvas.label((650, 240), (570, 240), "plutonium-238\noxide (hot)", "lm")
    canvas.label((650, 185), (590, 185), "thermocouples", "lm")
    canvas.label((650, 115), (600, 115), "cooling fins", "lm")
    canvas.label((650, 300), (612, 300), "housing", "lm")
    canvas.text((385, 412), "heat flows outward; a few per cent of it turns into current", 16, GREY, "mm")
    return canvas


PICTURES: dict[str, Picture] = {
    "voyager-craft.png": voyager,
    "sojourner.png": sojourner,
    "ingenuity.png": ingenuity,
    "parker-shield.png": parker,
    "giotto-shield.png": giotto,
    "stardust-aerogel.png": stardust,
    "rtg-cutaway.png": rtg,
}
