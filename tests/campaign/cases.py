"""One file that is broken or means harm, with what lies beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

SECRET = "The-secret-of-the-neighbour-7f3a"
"""Stands in a file outside the ingested folder; it must be in nothing that is read."""


@dataclass(frozen=True)
class Case:
    """A file to ingest. ``{url}`` and ``{secret}`` in the contents stand for an address and a path never to be asked.

    Attributes:
        defect: what is wrong with it, in a word or two.
        ending: extension of the file.
        content: of the file, or what makes it: some take a second.
        beside: further files of the folder.
    """

    defect: str
    ending: str
    content: bytes | Callable[[], bytes]
    beside: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Kind and defect."""
        return f"{self.ending} {self.defect}"


def lay_out(case: Case, folder: Path, url: str) -> Path:
    """Write a case below a folder; the folder to ingest."""
    secret, given = folder / "secret.txt", folder / "in"
    given.mkdir(parents=True)
    secret.write_text(SECRET)
    whole = case.content if isinstance(case.content, bytes) else case.content()
    for name, content in {f"file{case.ending}": whole, **case.beside}.items():
        (given / name).parent.mkdir(parents=True, exist_ok=True)
        (given / name).write_bytes(content.replace(b"{url}", url.encode()).replace(b"{secret}", str(secret).encode()))
    return given
