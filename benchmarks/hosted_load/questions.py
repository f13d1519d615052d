"""Corpus of stations, and questions with distinct answers, so that mixed-up answers are detected."""

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
    """A question with its unique ticket, and the year that answers it."""

    ticket: str
    text: str
    year: str


def question(number: int, ticket: str) -> Question:
    """Return the question of that number; stations repeat, tickets do not."""
    at = number % len(STATIONS)
    return Question(ticket, f"When was the station {STATIONS[at]} opened? Ticket {ticket}.", str(FIRST_YEAR + at))


def asked_in(prompt: str) -> tuple[str, str]:
    """Return the question in a prompt and its ticket; empty where there is none."""
    found = _ASKED.search(prompt)
    return (found[0], found[2]) if found else ("", "")


def write_corpus(folder: Path) -> Path:
    """Write a bundle with a page for each station."""
    pages = {
        name: [f"{name} is a station on the northern line.", f"The station {name} was opened in {FIRST_YEAR + at}."]
        for at, name in enumerate(STATIONS)
    }
    return write_bundle(folder, pages)
