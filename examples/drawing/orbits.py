"""Paths through the Solar System, seen from above and not to scale.

A path is a list of waypoints in polar coordinates; a smooth curve is laid
through them, and those with words get a dot and a label.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from examples.drawing.canvas import (
    BLUE,
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
    Point,
    on_circle,
    stars,
)

SUN = (285.0, 300.0)
HINT = "schematic, not to scale"


@dataclass(frozen=True)
class Stop:
    """A waypoint; those with words are numbered on the path and listed beside it."""

    angle: float
    radius: float
    text: str = ""


@dataclass(frozen=True)
class Orbit:
    """A circle round the Sun with the name of its planet written on it."""

    name: str
    radius: float
    colour: str
    name_at: float = 270


def blend(values: Sequence[float], index: int, share: float) -> float:
    """Catmull-Rom between values[index] and the next; the ends are repeated."""
    last = len(values) - 1
    a, b, c, d = (values[min(max(index + shift, 0), last)] for shift in (-1, 0, 1, 2))
    cubic = (3 * (b - c) + d - a) * share**3
    square = (2 * a - 5 * b + 4 * c - d) * share**2
    return b + 0.5 * ((c - a) * share + square + cubic)


def smooth(stops: Sequence[Stop]) -> list[Point]:
    """Points of a curve through all the stops."""
    angles, radii = [s.angle for s in stops], [s.radius for s in stops]
    steps = [(index, step / 40) for index in range(len(stops) - 1) for step in range(40)]
    path = [on_circle(SUN, blend(radii, i, t), blend(angles, i, t)) for i, t in steps]
    return [*path, on_circle(SUN, radii[-1], angles[-1])]


def cruise(title: str, orbits: Sequence[Orbit], stops: Sequence[Stop]) -> Canvas:
    """Orbits, path and the numbered list of encounters."""
    canvas = Canvas(height=560, paper=NIGHT)
    stars(canvas)
    canvas.title(title, STAR)
    canvas.disc(SUN, 11, YELLOW)
    for orbit in orbits:
        canvas.disc(SUN, orbit.radius, None, orbit.colour, 1)
    canvas.line(smooth(stops), STAR, 2.5)
    for orbit in orbits:
        place = on_circle(SUN, orbit.radius, orbit.name_at)
        canvas.text(place, orbit.name, 14, orbit.colour, "mm", halo=NIGHT)
    for number, stop in enumerate((stop for stop in stops if stop.text), 1):
        for place in (on_circle(SUN, stop.radius, stop.angle), (562.0, 90.0 + 34 * number)):
            canvas.disc(place, 10, RED, STAR, 1.5)
            canvas.text(place, str(number), 13, STAR, "mm")
        canvas.text((582, 90 + 34 * number), stop.text, 16, STAR, "lm")
    canvas.text((776, 540), HINT, 13, GREY, "rm")
    return canvas


def voyager_2() -> Canvas:
    """Four giants in twelve years."""
    orbits = [
        Orbit("Jupiter", 80, SAND),
        Orbit("Saturn", 130, YELLOW),
        Orbit("Uranus", 180, SKY),
        Orbit("Neptune", 228, BLUE),
    ]
    stops = [
        Stop(-30, 30, "launch, August 1977"),
        Stop(30, 80, "Jupiter, 9 July 1979"),
        Stop(75, 130, "Saturn, 26 August 1981"),
        Stop(128, 180, "Uranus, 24 January 1986"),
        Stop(158, 228, "Neptune, 25 August 1989"),
        Stop(168, 262),
    ]
    return cruise("The grand tour of Voyager 2", orbits, stops)


def galileo() -> Canvas:
    """Once Venus, twice Earth, then Jupiter."""
    orbits = [
        Orbit("Venus", 70, YELLOW),
        Orbit("Earth", 110, SKY, 262),
        Orbit("Jupiter", 228, SAND),
    ]
    stops = [
        Stop(0, 110, "launch, 18 October 1989"),
        Stop(95, 70, "Venus, 10 February 1990"),
        Stop(200, 92),
        Stop(285, 110, "Earth, 8 December 1990"),
        Stop(415, 165, "Gaspra, 29 October 1991"),
        Stop(540, 150),
        Stop(675, 110, "Earth, 8 December 1992"),
        Stop(755, 180, "Ida, 28 August 1993"),
        Stop(850, 228, "Jupiter, 7 December 1995"),
    ]
    return cruise("The cruise of Galileo", orbits, stops)


def cassini() -> Canvas:
    """Twice Venus, once Earth, once Jupiter, then Saturn."""
    orbits = [
        Orbit("Venus", 55, YELLOW),
        Orbit("Earth", 85, SKY, 255),
        Orbit("Jupiter", 160, SAND),
        Orbit("Saturn", 226, YELLOW),
    ]
    stops = [
        Stop(0, 85, "launch, 15 October 1997"),
        Stop(75, 55, "Venus, April 1998"),
        Stop(290, 112),
        Stop(490, 55, "Venus, June 1999"),
        Stop(570, 85, "Earth, August 1999"),
        Stop(640, 125),
        Stop(705, 160, "Jupiter, December 2000"),
        Stop(790, 226, "Saturn, 1 July 2004"),
    ]
    return cruise("The cruise of Cassini-Huygens", orbits, stops)


def messenger() -> Canvas:
    """Inward, losing speed at each pass."""
    orbits = [
        Orbit("Mercury", 70, STEEL, 255),
        Orbit("Venus", 130, YELLOW),
        Orbit("Earth", 205, SKY),
    ]
    stops = [
        Stop(-8, 205, "launch, August 2004"),
        Stop(180, 222),
        Stop(370, 205, "Earth, August 2005"),
        Stop(470, 130, "Venus, October 2006"),
        Stop(585, 110),
        Stop(690, 130, "Venus, June 2007"),
        Stop(760, 70, "Mercury, January 2008"),
        Stop(920, 108),
        Stop(1055, 70, "Mercury, October 2008"),
        Stop(1150, 95),
        Stop(1270, 70, "Mercury, September 2009"),
        Stop(1420, 80),
        Stop(1530, 70, "into orbit, March 2011"),
    ]
    return cruise("The cruise of MESSENGER", orbits, stops)


def rosetta() -> Canvas:
    """Three times Earth and once Mars."""
    orbits = [
        Orbit("Earth", 80, SKY, 255),
        Orbit("Mars", 120, ORANGE, 262),
        Orbit("Jupiter", 240, SAND),
    ]
    stops = [
        Stop(-10, 80, "launch, March 2004"),
        Stop(180, 72),
        Stop(375, 80, "Earth, March 2005"),
        Stop(560, 112),
        Stop(700, 120, "Mars, February 2007"),
        Stop(785, 80, "Earth, November 2007"),
        Stop(960, 140),
        Stop(1110, 128),
        Stop(1205, 80, "Earth, November 2009"),
        Stop(1320, 190),
        Stop(1430, 240),
        Stop(1475, 216, "comet, August 2014"),
    ]
    return cruise("Ten years to a comet: Rosetta", orbits, stops)


def dawn() -> Canvas:
    """A spiral, as the ion engines push for years."""
    orbits = [
        Orbit("Earth", 80, SKY),
        Orbit("Mars", 120, ORANGE),
        Orbit("Vesta", 175, STEEL),
        Orbit("Ceres", 228, PALE),
    ]
    stops = [
        Stop(10, 80, "launch, September 2007"),
        Stop(200, 104),
        Stop(400, 120, "Mars, February 2009"),
        Stop(600, 148),
        Stop(800, 175, "Vesta, July 2011"),
        Stop(980, 195),
        Stop(1120, 214),
        Stop(1240, 228, "Ceres, March 2015"),
    ]
    return cruise("The spiral of Dawn", orbits, stops)


def ulysses() -> Canvas:
    """Seen from the side, so that the tilt of the path shows."""
    canvas = Canvas(height=500, paper=NIGHT)
    stars(canvas)
    canvas.title("Over the poles of the Sun: Ulysses", STAR)
    canvas.disc((330, 270), 300, None, SKY, 1.5, flat=0.06)
    canvas.disc((330, 270), 190, None, SAND, 1.2, flat=0.06)
    canvas.text((40, 306), "plane of the planets", 15, SKY)
    tall = [on_circle((0, 0), 1, degrees) for degrees in range(0, 361, 4)]
    canvas.line([(445 + 185 * x - 10 * y, 270 + 165 * y) for x, y in tall], STAR, 2.5)
    canvas.disc((330, 270), 14, YELLOW)
    canvas.text((330, 298), "Sun", 15, YELLOW, "ma")
    canvas.disc((630, 270), 10, SAND)
    canvas.text((646, 262), "Jupiter,\n8 February 1992", 15, STAR, "lm")
    canvas.label((560, 470), (430, 435), "over the south pole, 1994", "lm", STAR, 15)
    canvas.label((560, 84), (430, 107), "over the north pole, 1995", "lm", STAR, 15)
    canvas.text((150, 486), HINT, 13, GREY, "rm")
    return canvas


def mariner_resonance() -> Canvas:
    """Why the same craft met the same planet three times."""
    centre = (330.0, 270.0)
    canvas = Canvas(height=500, paper=NIGHT)
    stars(canvas)
    canvas.title("Two rounds to one: Mariner 10 and Mercury", STAR)
    canvas.disc(centre, 12, YELLOW)
    canvas.disc(centre, 110, None, STEEL, 2)
    turns = [on_circle((0, 0), 1, degrees) for degrees in range(0, 361, 4)]
    canvas.line([(centre[0] - 50 + 160 * x, centre[1] + 150 * y) for x, y in turns], ORANGE, 2.5)
    canvas.disc((440, 270), 9, STEEL, STAR)
    canvas.label((520, 270), (449, 270), "meeting point: March and\nSeptember 1974, March 1975", "lm", STAR)
    canvas.label((520, 150), (418, 205), "Mercury: 88 days", "lm", STEEL)
    canvas.label((520, 390), (370, 394), "Mariner 10: 176 days", "lm", ORANGE)
    canvas.text((776, 480), HINT, 13, GREY, "rm")
    return canvas


def mercury_spin() -> Canvas:
    """Six places on one orbit; the mark turns one and a half times on the way."""
    canvas = Canvas(height=500)
    canvas.title("Mercury: three turns during two orbits")
    centre = (330.0, 280.0)
    canvas.disc(centre, 165, None, PALE, 2)
    canvas.disc(centre, 22, YELLOW, ORANGE)
    for step in range(8):
        angle = step * 45
        place = on_circle(centre, 165, angle)
        canvas.disc(place, 20, STEEL, INK)
        mark = on_circle(place, 13, angle * 1.5 + 180)
        canvas.disc(mark, 5, RED)
        canvas.text(on_circle(centre, 208, angle), str(step + 1), 16, INK, "mm")
    canvas.text((575, 180), "one orbit: 88 days", 17)
    canvas.text((575, 210), "one turn: 58.6 days", 17)
    canvas.text((575, 240), "noon to noon: 176 days", 17)
    canvas.disc((585, 290), 6, RED)
    canvas.text((600, 290), "the same spot\non the ground", 16, INK, "lm")
    return canvas


PICTURES: dict[str, Picture] = {
    "voyager-2-tour.png": voyager_2,
    "galileo-cruise.png": galileo,
    "cassini-cruise.png": cassini,
    "messenger-cruise.png": messenger,
    "rosetta-cruise.png": rosetta,
    "dawn-spiral.png": dawn,
    "ulysses-orbit.png": ulysses,
    "mariner-resonance.png": mariner_resonance,
    "mercury-spin.png": mercury_spin,
}
