"""A corpus of stations, and questions of which each has an answer of its own, so that a wrong one is seen."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from pathlib import Path

from fixtures.tiny_corpora import write_bundle  # pyright: ignore[reportMissingImports] - of the tests

CORPUS = "stations"
FIRST_YEAR = 1801
_SYLLABLES = ("bal", "wen", "dor", "kem", "ulf", "rit", "sav", "mol", "pex", "tig")
STATIONS = ["".join(two).capitalize() + "en" for two in itertools.permutations(_SYLLABLES, 2)]
_ASKED = re.compile(r"When was the station (\w+) opened\? Ticket (\w+)\.")


@dataclass(frozen=True)
class Question:
    """A question with the ticket that tells it from all others, and the year that answers it."""

    ticket: str
    text: str
    year: str


def question(number: int, ticket: str) -> Question:
    """The question of that number; stations come round again, tickets do not."""
    at = number % len(STATIONS)
    return Question(ticket, f"When was the station {STATIONS[at]} opened? Ticket {ticket}.", str(FIRST_YEAR + at))


def asked_in(prompt: str) -> tuple[str, str]:
    """The question in a prompt and its ticket; empty where there is none."""
    found = _ASKED.search(prompt)
    return (found[0], found[2]) if found else ("", "")


def write_corpus(folder: Path) -> Path:
    """A bundle with a page for each station."""
    pages = {
        name: [f"{name} is a station on the northern line.", f"The station {name} was opened in {FIRST_YEAR + at}."]
        for at, name in enumerate(STATIONS)
    }
    return write_bundle(folder, pages)
