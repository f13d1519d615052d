"""The short form of the campaign of hostile files; ``python -m campaigns.hostile`` is the long one."""

import pytest

from campaigns.hostile.run import Listener, tried
from campaigns.hostile.trial import Outcome, quick_names

MOST_MEGABYTES = 1500
"""What a process with all parsers loaded may reach."""
MOST_FOR_PAGES = 4500
"""What the process that lays out pages of a PDF may reach before it is ended."""


@pytest.fixture(scope="module")
def outcomes() -> tuple[list[Outcome], int]:
    names = quick_names(share=8, mutations=20)
    with Listener() as listener:
        found = list(tried(names, listener.url))
    assert len(found) == len(names) >= 100
    return found, listener.contacts


def test_files_that_are_broken_or_mean_harm_are_read_or_refused_by_name(outcomes: tuple[list[Outcome], int]) -> None:
    found, contacts = outcomes
    assert [vars(outcome) for outcome in found if not outcome.fine] == []
    assert contacts == 0, "an address that stands in a file was contacted"
    for outcome in found:
        assert outcome.megabytes < (MOST_FOR_PAGES if outcome.kind == ".pdf" else MOST_MEGABYTES), outcome.name


def test_sound_files_among_them_are_read(outcomes: tuple[list[Outcome], int]) -> None:
    sound = [outcome for outcome in outcomes[0] if outcome.name.endswith(" sound")]
    assert sound
    assert all(outcome.components for outcome in sound if outcome.kind != ".xlsb")
