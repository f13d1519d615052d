"""One file that is broken or means harm, with what lies beside it; harm that has the same form in several kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

SECRET = "The-secret-of-the-neighbour-7f3a"
"""Stands in a file outside the ingested folder; it must be in nothing that is read."""

PATHS = (
    "../secret.txt", "{secret}", "file://{secret}", "..\\secret.txt", "/etc/passwd", "//localhost/etc/passwd",
    "..%2fsecret.txt", "%2e%2e/secret.txt", "~/secret.txt", "./a/../../secret.txt", "in\0/../secret.txt",
)  # fmt: skip
"""What leads out of the ingested folder; no name in an archive can hold the last."""

OUTSIDE = '<!DOCTYPE html [<!ENTITY x SYSTEM "file://{secret}"><!ENTITY y SYSTEM "{url}/entity">]>'
"""Entities that are files and addresses."""

Content = str | bytes | Callable[[], bytes]


@dataclass(frozen=True)
class Case:
    """A file to ingest. ``{url}`` and ``{secret}`` in the contents are an address and a path that nothing may request.

    Attributes:
        defect: what is wrong with it, in a word or two.
        ending: extension of the file.
        content: of the file, or what makes it: some take a second.
        beside: further files of the folder.
    """

    defect: str
    ending: str
    content: Content
    beside: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Kind and defect."""
        return f"{self.ending} {self.defect}"


def cases(ending: str, contents: Mapping[str, Content]) -> Iterator[Case]:
    """Cases of one kind, by defect."""
    return (Case(defect, ending, content) for defect, content in contents.items())


def lay_out(case: Case, folder: Path, url: str) -> Path:
    """Write a case below a folder; the folder to ingest."""
    secret, given = folder / "secret.txt", folder / "in"
    given.mkdir(parents=True)
    secret.write_text(SECRET)
    content = case.content.encode() if isinstance(case.content, str) else case.content
    whole = content if isinstance(content, bytes) else content()
    for name, part in {f"file{case.ending}": whole, **case.beside}.items():
        (given / name).parent.mkdir(parents=True, exist_ok=True)
        (given / name).write_bytes(part.replace(b"{url}", url.encode()).replace(b"{secret}", str(secret).encode()))
    return given


def entity_bomb() -> str:
    """Ten to the power of nine letters in ten entities."""
    levels = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    return f'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">{levels}]><a>&i;</a>'
