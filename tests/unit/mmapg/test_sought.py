"""What a retrieval looks for, in one text."""

from __future__ import annotations

import pytest

from backtrail.nodes.mmapg.sought import sought


@pytest.mark.parametrize(
    ("text_part", "image_part", "together"),
    [
        ("Director of the film", "Poster with a lighthouse", "Director of the film; Poster with a lighthouse"),
        ("Director of the film ", "", "Director of the film"),
        ("", "Poster with a lighthouse", "Poster with a lighthouse"),
        ("Lamps in the photo of it", "the photo of it", "Lamps in the photo of it"),
        ("Bridge", "Bridge", "Bridge"),
    ],
)
def test_both_parts_are_told_apart_and_nothing_is_said_twice(text_part: str, image_part: str, together: str) -> None:
    assert sought(text_part, image_part) == together
