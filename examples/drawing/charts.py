"""Bar and line charts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from examples.drawing.canvas import BLUE, GREEN, GREY, INK, ORANGE, PALE, RED, STEEL, YELLOW, Canvas, Picture

LEFT, RIGHT, TOP, BOTTOM = 190, 690, 80, 50


@dataclass(frozen=True)
class Bar:
    """One bar; what is written beside it may say more than its length."""

    name: str
    value: float
    shown: str
    colour: str = BLUE


def bars(title: str, unit: str, rows: Sequence[Bar], ticks: Sequence[float], logarithmic: bool = False) -> Canvas:
    """Horizontal bars with the value written at the end of each."""
    canvas = Canvas(height=TOP + BOTTOM + 56 * len(rows) + 10)
    canvas.title(title)
    low = min(ticks) if logarithmic else 0

    def x_of(value: float) -> float:
        logs = math.log10(value / low) / math.log10(max(ticks) / low) if logarithmic else 0
        return LEFT + (logs if logarithmic else value / max(ticks)) * (RIGHT - LEFT)

    floor = canvas.height - BOTTOM
    for tick in ticks:
        canvas.line([(x_of(tick), TOP), (x_of(tick), floor)], PALE, 1)
        canvas.text((x_of(tick), floor + 8), f"{tick:,.0f}", 14, GREY, "ma")
    canvas.text((RIGHT + 36, floor + 8), unit, 14, GREY, "la")
    for index, bar in enumerate(rows):
        middle = TOP + 34 + index * 56
        canvas.box((LEFT, middle - 16), (max(x_of(bar.value), LEFT + 3), middle + 16), bar.colour)
        canvas.text((LEFT - 12, middle), bar.name, 17, INK, "rm")
        canvas.text((x_of(bar.value) + 8, middle), bar.shown, 17, INK, "lm")
    canvas.line([(LEFT, TOP), (LEFT, floor)], INK, 2)
    return canvas


def rover_distances() -> Canvas:
    """The record for driving off the Earth, by world."""
    rows = [
        Bar("Opportunity", 45.16, "45.16 km", RED),
        Bar("Lunokhod 2", 39, "39 km", STEEL),
        Bar("Lunokhod 1", 10.5, "10.5 km", STEEL),
        Bar("Spirit", 7.73, "7.73 km", RED),
        Bar("Sojourner", 0.1, "0.1 km", RED),
    ]
    canvas = bars("Driven on other worlds (finished missions)", "km", rows, [0, 10, 20, 30, 40, 50])
    canvas.box((560, 270), (574, 284), RED)
    canvas.text((582, 277), "on Mars", 15, INK, "lm")
    canvas.box((560, 294), (574, 308), STEEL)
    canvas.text((582, 301), "on the Moon", 15, INK, "lm")
    return canvas


def rover_masses() -> Canvas:
    """How the Mars rovers grew, with the year of landing only drawn here."""
    rows = [
        Bar("Sojourner", 10.6, "10.6 kg  (1997)", ORANGE),
        Bar("Spirit", 185, "185 kg  (2004)", ORANGE),
        Bar("Opportunity", 185, "185 kg  (2004)", ORANGE),
        Bar("Curiosity", 899, "899 kg  (2012)", RED),
        Bar("Perseverance", 1025, "1,025 kg  (2021)", RED),
    ]
    return bars("Mass of NASA's Mars rovers and year of landing", "kg", rows, [0, 300, 600, 900, 1200])


def venera_lifetimes() -> Canvas:
    """Survival on the ground of Venus."""
    rows = [
        Bar("Venera 7", 23, "23 min", YELLOW),
        Bar("Venera 9", 53, "53 min", ORANGE),
        Bar("Venera 10", 65, "65 min", ORANGE),
        Bar("Venera 13", 127, "127 min", RED),
        Bar("Venera 14", 57, "57 min", ORANGE),
    ]
    return bars("How long the landers lived on Venus", "min", rows, [0, 30, 60, 90, 120, 150])


def sample_masses() -> Canvas:
    """Amounts returned; a log scale, as they span three powers of ten."""
    rows = [
        Bar("Hayabusa2", 5.4, "5.4 g", GREEN),
        Bar("Luna 16", 101, "101 g", STEEL),
        Bar("OSIRIS-REx", 121.6, "121.6 g", GREEN),
        Bar("Luna 24", 170, "170 g", STEEL),
        Bar("Chang'e 5", 1731, "1,731 g", STEEL),
        Bar("Chang'e 6", 1935, "1,935 g", STEEL),
    ]
    canvas = bars("Samples brought home by machines", "g", rows, [1, 10, 100, 1000, 10000], logarithmic=True)
    canvas.text((520, 96), "green: asteroids", 15, GREEN)
    canvas.text((520, 118), "grey: Moon", 15, GREY)
    return canvas


def rtg_decay() -> Canvas:
    """Heat from plutonium-238 over 120 years, half after each 87.7."""
    canvas = Canvas(height=440)
    canvas.title("Heat left in a plutonium-238 generator")

    def at(year: float, share: float) -> tuple[float, float]:
        return 90 + year * 5.5, 370 - share * 280

    for percent in (0, 25, 50, 75, 100):
        canvas.line([at(0, percent / 100), at(120, percent / 100)], PALE, 1)
        canvas.text((80, at(0, percent / 100)[1]), f"{percent} %", 14, GREY, "rm")
    for year in range(0, 121, 20):
        canvas.text((at(year, 0)[0], 380), str(year), 14, GREY, "ma")
    canvas.text((at(60, 0)[0], 405), "years after filling", 15, GREY, "ma")
    canvas.line([at(year, 0.5 ** (year / 87.7)) for year in range(0, 121)], RED, 3)
    for year, text in (
        (45, "Voyager after 45 years: about 70 %"),
        (87.7, "half-life 87.7 years: 50 %"),
    ):
        point = at(year, 0.5 ** (year / 87.7))
        canvas.dashed([point, (point[0], 370)], GREY, 1.5)
        canvas.disc(point, 6, RED)
        canvas.text((point[0] + 10, point[1] - 14), text, 16, INK, "lm")
    canvas.line([at(0, 1), at(0, 0), at(120, 0)], INK, 2)
    return canvas


PICTURES: dict[str, Picture] = {
    "rover-distances.png": rover_distances,
    "rover-masses.png": rover_masses,
    "venera-lifetimes.png": venera_lifetimes,
    "sample-masses.png": sample_masses,
    "rtg-decay.png": rtg_decay,
}
