"""Lines of sight, arrows of speed and a map of pulsars."""

from examples.drawing.canvas import (
    BLUE,
    GREY,
    INK,
    NIGHT,
    ORANGE,
    RED,
    SKY,
    STAR,
    STEEL,
    YELLOW,
    Canvas,
    Picture,
    on_circle,
    stars,
)


def gravity_assist() -> Canvas:
    """The same turn drawn twice: as seen from the planet and as seen from the Sun."""
    canvas = Canvas(height=480)
    canvas.title("Why a fly-by changes the speed")
    canvas.text((200, 75), "seen from the planet", 18, BLUE, "mm")
    canvas.text((590, 75), "seen from the Sun", 18, BLUE, "mm")
    canvas.line([(395, 70), (395, 450)], GREY, 1)
    canvas.disc((150, 240), 42, ORANGE, INK)
    canvas.arrow((300, 420), (250, 290), RED, 3, 14)
    canvas.line([(250, 290), (232, 235), (238, 190)], RED, 3)
    canvas.arrow((238, 190), (305, 105), RED, 3, 14)
    canvas.text((290, 360), "in", 17, RED, "lm")
    canvas.text((285, 165), "out:\nsame speed", 17, RED, "lm")
    for y, drift, total, name in (
        (400, (120, 0), (55, -150), "before"),
        (200, (120, 0), (225, -77), "after"),
    ):
        start = (450.0, float(y))
        tip = (start[0] + drift[0], start[1])
        end = (start[0] + total[0], start[1] + total[1]) if name == "after" else (tip[0] - 50, tip[1] - 120)
        canvas.arrow(start, tip, ORANGE, 3, 12)
        canvas.arrow(tip, end, RED, 3, 12)
        canvas.arrow(start, end, INK, 4, 14)
        canvas.text((450, y + 16), name, 17, INK)
    canvas.text(
        (600, 330),
        "orange: the planet\nred: relative to the planet\nblack: relative to the Sun",
        16,
        GREY,
    )
    return canvas


def magellan() -> Canvas:
    """The two antennas of the radar and where they look."""
    canvas = Canvas(height=480, paper="#f7ead0")
    canvas.title("How Magellan looked through the clouds")
    canvas.box((0, 170), (800, 230), "#e8cf8e")
    canvas.text((776, 200), "clouds", 18, GREY, "rm")
    canvas.polygon(
        [
            (0, 420),
            (180, 410),
            (330, 424),
            (500, 400),
            (620, 422),
            (800, 408),
            (800, 480),
            (0, 480),
        ],
        "#a5653c",
    )
    canvas.polygon([(250, 120), (470, 404), (600, 420)], "#cfe0ee")
    canvas.polygon([(236, 124), (210, 412), (262, 414)], "#dfd3ee")
    canvas.box((215, 92), (262, 120), STEEL, INK)
    canvas.polygon([(256, 96), (285, 108), (262, 136)], "white", INK)
    canvas.box((150, 98), (210, 112), BLUE, INK)
    canvas.box((268, 84), (328, 94), BLUE, INK)
    canvas.line([(470, 432), (600, 432)], "white", 4)
    canvas.text((535, 455), "strip, about 25 km wide", 16, "white", "mm")
    canvas.text((430, 285), "dish: picture\n(looks sideways)", 16, INK, "lm")
    canvas.text((200, 300), "horn: height\n(looks down)", 16, INK, "rm")
    canvas.text((350, 100), "flight direction: into the page", 15, GREY, "lm")
    return canvas


def relay() -> Canvas:
    """The line of sight from the far side of the Moon to Earth."""
    canvas = Canvas(height=430, paper=NIGHT)
    stars(canvas)
    canvas.title("A relay behind the Moon", STAR)
    canvas.disc((90, 230), 52, BLUE, SKY, 2)
    canvas.text((90, 230), "Earth", 17, STAR, "mm")
    canvas.disc((480, 230), 36, STEEL, STAR)
    canvas.wedge((480, 230), 36, -90, 90, "#5c6673")
    canvas.text((480, 286), "Moon", 17, STAR, "mm")
    canvas.disc((516, 230), 5, RED)
    canvas.label((500, 330), (517, 234), "lander of Chang'e 4", "la", STAR)
    canvas.disc((650, 230), 42, None, YELLOW, 1.5, flat=2.2)
    canvas.dashed([(632, 234), (668, 226)], GREY)
    canvas.text((662, 230), "L2", 18, YELLOW, "lm")
    canvas.box((640, 128), (660, 148), ORANGE, STAR)
    canvas.text((672, 120), "Queqiao", 18, ORANGE, "lm")
    canvas.dashed([(516, 226), (642, 142)], RED, 2)
    canvas.dashed([(640, 136), (140, 214)], SKY, 2)
    canvas.arrow((486, 390), (650, 390), STAR)
    canvas.arrow((650, 390), (486, 390), STAR)
    canvas.text((568, 410), "about 65,000 km", 16, STAR, "mm")
    canvas.text((300, 320), "not to scale", 14, GREY, "mm")
    return canvas


def pulsars() -> Canvas:
    """Directions and lengths are invented; the real plate gives true ones."""
    canvas = Canvas(height=520, paper="#e7c877")
    canvas.title("Fourteen pulsars point to the Sun (simplified)")
    centre = (400.0, 290.0)
    lengths = (190, 120, 160, 210, 140, 95, 175, 200, 130, 165, 110, 185, 150, 205)
    for index, length in enumerate(lengths):
        angle = 8 + index * 360 / 14 + (index * 37) % 11
        canvas.line([on_circle(centre, 10, angle), on_circle(centre, length, angle)], "#6b4a12", 2.5)
        for bit in range(8):
            place = on_circle(centre, length - 8 - bit * 9, angle)
            high = (index * 5 + bit * 3) % 4 < 2
            ends = [on_circle(place, 5, angle + 90), on_circle(place, 5 if high else 0, angle - 90)]
            canvas.line(ends, "#6b4a12", 2)
    canvas.disc(centre, 9, "#6b4a12")
    canvas.text((776, 470), "where the lines meet: the Sun", 16, INK, "rm")
    canvas.text((24, 470), "ticks: period of the pulsar in binary digits", 16, INK, "lm")
    canvas.text((24, 495), "unit: a radiation of hydrogen", 16, INK, "lm")
    return canvas


PICTURES: dict[str, Picture] = {
    "gravity-assist-vectors.png": gravity_assist,
    "magellan-radar.png": magellan,
    "change-relay.png": relay,
    "pulsar-map.png": pulsars,
}
