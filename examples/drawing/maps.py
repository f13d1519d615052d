"""Maps on a plain grid of latitude and longitude."""

from dataclasses import dataclass

from examples.drawing.canvas import BLUE, GREY, INK, RED, Canvas, Picture, Point
from examples.drawing.coasts import COASTS


@dataclass(frozen=True)
class Grid:
    """Places longitudes and latitudes on a canvas."""

    left: float
    top: float
    west: float
    north: float
    scale: float

    def at(self, longitude: float, latitude: float) -> Point:
        """The point of the canvas for a place."""
        return self.left + (longitude - self.west) * self.scale, self.top + (self.north - latitude) * self.scale


@dataclass(frozen=True)
class Site:
    """A named dot; the name stands at a shift from it."""

    name: str
    longitude: float
    latitude: float
    shift: Point = (10, 0)
    anchor: str = "lm"


WORLD = Grid(left=20, top=60, west=-180, north=80, scale=2.11)


def mars() -> Canvas:
    """East longitudes from -180 to 180, 60 degrees south to 60 degrees north."""
    canvas = Canvas(height=370, paper="#f4e0cc")
    canvas.title("Landing sites on Mars")
    grid = Grid(left=50, top=60, west=-180, north=60, scale=1.98)
    canvas.box(grid.at(-180, 60), grid.at(180, -60), "#e3b58d")
    for longitude in range(-180, 181, 60):
        canvas.line([grid.at(longitude, 60), grid.at(longitude, -60)], "#c9966b", 1)
        canvas.text((grid.at(longitude, -60)[0], grid.at(0, -60)[1] + 6), f"{longitude}°", 14, GREY, "ma")
    for latitude in range(-60, 61, 30):
        canvas.line([grid.at(-180, latitude), grid.at(180, latitude)], "#c9966b", 1)
        canvas.text((44, grid.at(0, latitude)[1]), f"{latitude}°", 14, GREY, "rm")
    canvas.text((420, 350), "degrees east", 14, GREY, "ma")
    sites = [
        Site("Viking 1", -48, 22.5, (-10, -6), "rm"),
        Site("Viking 2", 134, 48),
        Site("Pathfinder", -33.2, 19.1, (8, 8)),
        Site("Spirit", 175.5, -14.6, (-10, 8), "rm"),
        Site("Opportunity", -5.5, -2, (0, 16), "mm"),
        Site("Curiosity", 137.4, -4.6, (-10, 0), "rm"),
        Site("Perseverance", 77.5, 18.4),
    ]
    show(canvas, grid, sites)
    return canvas


def show(canvas: Canvas, grid: Grid, sites: list[Site]) -> None:
    """Draw the dots and their names."""
    for site in sites:
        x, y = grid.at(site.longitude, site.latitude)
        canvas.disc((x, y), 5, RED, "white", 1.5)
        canvas.text((x + site.shift[0], y + site.shift[1]), site.name, 16, INK, site.anchor)


def world(title: str) -> Canvas:
    """The Earth with its coasts, ready for sites."""
    canvas = Canvas(height=390, paper="white")
    canvas.title(title)
    canvas.box(WORLD.at(-180, 80), WORLD.at(180, -60), "#dcebf5")
    for coast in COASTS:
        canvas.polygon([WORLD.at(*point) for point in coast], "#e9e2cf", "#b8ad90")
    return canvas


def dsn() -> Canvas:
    """Three stations and their longitudes, which stand only in the picture."""
    canvas = world("The three stations of the Deep Space Network")
    sites = [
        Site("Goldstone", -116.9, 35.4, (-8, -14), "rm"),
        Site("Madrid", -4.2, 40.4, (10, -12)),
        Site("Canberra", 149, -35.4, (-10, 12), "rm"),
    ]
    for site in sites:
        canvas.dashed([WORLD.at(site.longitude, 80), WORLD.at(site.longitude, -60)], BLUE, 1.5)
        side = "E" if site.longitude > 0 else "W"
        place = WORLD.at(site.longitude, -54)
        canvas.text(place, f"{abs(site.longitude):.0f}° {side}", 15, BLUE, "mm", halo="#dcebf5")
    show(canvas, WORLD, sites)
    canvas.text(
        (400, 372),
        "from one station to the next: about a third of a turn of the Earth",
        15,
        GREY,
        "mm",
    )
    return canvas


def launch_sites() -> Canvas:
    """Launch sites with their latitudes, which stand only in the picture."""
    canvas = world("Where probes have left the Earth")
    canvas.line([WORLD.at(-180, 0), WORLD.at(180, 0)], GREY, 1)
    canvas.text(WORLD.at(-176, 4), "equator", 14, GREY, "lm")
    sites = [
        Site("Cape Canaveral, 28.5° N", -80.6, 28.5, (10, 0)),
        Site("Kourou, 5.2° N", -52.8, 5.2, (10, -4)),
        Site("Baikonur, 46° N", 63.3, 46, (-10, 0), "rm"),
        Site("Wenchang, 19.6° N", 111, 19.6, (-10, 6), "rm"),
        Site("Tanegashima, 30.4° N", 131, 30.4, (14, -16), "mm"),
    ]
    show(canvas, WORLD, sites)
    canvas.text((400, 372), "coasts are drawn coarsely", 14, GREY, "mm")
    return canvas


PICTURES: dict[str, Picture] = {
    "mars-landing-map.png": mars,
    "dsn-map.png": dsn,
    "launch-sites.png": launch_sites,
}
