import io

import pytest
from fixtures.web_search import scene
from PIL import Image

from backtrail.tools.web.errors import Refused
from backtrail.tools.web.fetching.clean_picture import LONGEST_SIDE, clean_picture, mark_of
from backtrail.tools.web.fetching.perceptual_hash import look_alike


def packed(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    held = io.BytesIO()
    image.save(held, kind, **options)
    return held.getvalue()


def framed(image: Image.Image, border: int) -> Image.Image:
    whole = Image.new("RGB", (image.width + 2 * border, image.height + 3 * border), "white")
    whole.paste(image, (border, border))
    return whole


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


@pytest.mark.parametrize(
    "copy",
    [
        packed(scene(1), "JPEG", quality=40),
        packed(scene(1).resize((160, 120))),
        packed(framed(scene(1), 60), "JPEG", quality=60),
    ],
    ids=["jpeg", "half", "framed jpeg"],
)
def test_copies_of_a_picture_look_alike(copy: bytes) -> None:
    assert look_alike(mark_of(packed(scene(1)), "one"), mark_of(copy, "other"))


def test_different_pictures_do_not_look_alike() -> None:
    marks = [mark_of(packed(scene(seed)), "scene") for seed in range(12)]
    assert not any(look_alike(one, other) for place, one in enumerate(marks) for other in marks[:place])


def test_a_white_border_is_cut_off_and_large_pictures_are_scaled_down() -> None:
    for picture in (framed(scene(2), 50), scene(2)):
        assert opened(clean_picture(packed(picture), "picture").content).size == (320, 240)
    assert max(opened(clean_picture(packed(scene(4, (3000, 1500))), "large").content).size) == LONGEST_SIDE


def test_what_is_kept_is_a_fresh_file_without_metadata() -> None:
    exif = Image.Exif()
    exif[0x010E] = "secret place"
    content = packed(scene(3), "JPEG", exif=exif)
    clean = clean_picture(content, "photo")
    assert (b"secret place" in content, b"secret place" in clean.content) == (True, False)
    assert opened(clean.content).format in ("PNG", "JPEG")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (packed(Image.new("RGB", (200, 200), "white")), "blank"),
        (packed(Image.new("RGB", (200, 200), (90, 90, 90)), "JPEG"), "blank"),
        (packed(framed(scene(5, (30, 30)), 200)), "too few"),
        (packed(scene(5))[:200], "as a picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "as a picture"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "as a picture"),
    ],
    ids=["white", "grey", "tiny in a frame", "truncated", "svg", "eps"],
)
def test_what_is_no_use_is_refused_with_the_reason(content: bytes, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        clean_picture(content, "https://example.org/picture")
