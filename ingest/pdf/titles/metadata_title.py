"""The title in a PDF's metadata, unless it is a file name or a program's default."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MOST = 300  # letters of a title
_PRINTED = re.compile(r"^(microsoft )?(word|powerpoint|excel|publisher|visio|outlook|onenote)\s+[-–]\s+", re.I)
_FILE = re.compile(
    r"\.(docx?|dotx?|docm|rtf|odt|pages|wpd|txt|pdf|eps|ps|tex|dvi|indd|indb|qxd|qxp|fm|pmd|p65|ai|cdr|graffle|vsdx?|"
    r"dwg|pub|pptx?|ppsx?|odp|key|xlsx?|xlsm|ods|numbers|csv|html?|aspx?|php|jpe?g|png|gif|tiff?)$", re.I)  # fmt: skip
_DEFAULT = re.compile(
    r"^\W*$|^\(?(untitled|anonymous|unspecified|unbenannt|sans titre|sin t[ií]tulo|senza titolo|title|none|null)\b"
    r"|^(new |neues )?(microsoft )?(word|excel|powerpoint)([ -](document|dokument|workbook))?\W*\d*$"
    r"|^(?=.{0,60}$)(?=.*\bpowerpoint\b)(?=.*(pr[eéä]s|презентация|プレゼン|演示|프레젠))"
    r"|^(document|dokument|slide|folie|diapositiv[ae]|layout|page|seite|sheet|book|mappe|classeur|drawing|print( job)?|"
    r"scan|scanned (document|image)|image|fax|output|report|template|blank|doc)[ _-]?\d*$"
    r"|^(activereports|crystal ?reports?|jasperreports?)\b", re.I)  # fmt: skip
_CODE = re.compile(r"_|^\S*[\d\-./\\]\S*$")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class MetadataTitle:
    """A metadata title; ``is_name`` if it is, or looks like, the name of a file."""

    text: str = ""
    is_name: bool = False

    @property
    def words(self) -> list[str]:
        """Its words in lower case."""
        return words_of(self.text)


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text in lower case."""
    return [word.casefold() for word in _WORD.findall(text)]


def clean_metadata_title(given: str) -> MetadataTitle:
    """Clean a metadata title of what programs add; empty if it is only a program's default."""
    text = " ".join(given.replace("\0", "").split())[:_MOST]
    text, printed = _PRINTED.subn("", text)
    text, named = _FILE.subn("", text)
    if _DEFAULT.search(text) or not any(map(str.isalpha, text)):
        return MetadataTitle()
    return MetadataTitle(text, bool(printed or named or _CODE.search(text)))
