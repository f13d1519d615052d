"""Case: a broken or harmful file with the files beside it; attacks common to several types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

SECRET = "The-secret-of-the-neighbour-7f3a"
"""Content of a file outside the ingested folder; nothing that is read may contain it."""

PATHS = (
    "../secret.txt", "{secret}", "file://{secret}", "..\\secret.txt", "/etc/passwd", "//localhost/etc/passwd",
    "..%2fsecret.txt", "%2e%2e/secret.txt", "~/secret.txt", "./a/../../secret.txt", "in\0/../secret.txt",
)  # fmt: skip
"""Paths out of the ingested folder; the last is not possible as a name in an archive."""

OUTSIDE = '<!DOCTYPE html [<!ENTITY x SYSTEM "file://{secret}"><!ENTITY y SYSTEM "{url}/entity">]>'
"""External entities: files and URLs."""

Content = str | bytes | Callable[[], bytes]


@dataclass(frozen=True)
class Case:
    """A file to ingest; ``{url}`` and ``{secret}`` in it are a URL and a path that nothing may request.

    Attributes:
        defect: the defect, in a few words.
        ending: extension of the file.
        content: content of the file, or a function that makes it, as some take a second.
        beside: further files of the folder.
    """

    defect: str
    ending: str
    content: Content
    beside: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Extension and defect."""
        return f"{self.ending} {self.defect}"


def cases(ending: str, contents: Mapping[str, Content]) -> Iterator[Case]:
    """Yield cases of one type, by defect."""
    return (Case(defect, ending, content) for defect, content in contents.items())


def lay_out(case: Case, folder: Path, url: str) -> Path:
    """Write a case below a folder; return the folder to ingest."""
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
    """Return XML with 10^9 letters in ten entities."""
    levels = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    return f'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">{levels}]><a>&i;</a>'
