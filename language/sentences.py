"""Offline sentence splitter for prose of many languages and tokenised text (" . ").

It uses marks that mean the same in every language, so that the split does not depend on the current language.

Source: ours. The joined parts equal the input except for white space at the cuts.
"""

from __future__ import annotations

import re

_END = re.compile(r"""[.!?…؟۔।]+[)\]"'”’»“‹›]*|[。！？｡]+[」』”）]*|\n+""")
_TOKENISED_CLOSER = re.compile(r"""\s(?:''|[”’»)\]])(?=\s|$)""")
_STRAIGHT_CLOSER = re.compile(r"""\s"(?=\s|$)""")
_LOOK_BACK = 40
_ITEM_BACK = 400  # letters: the number of the list item before is looked for within them
_WORD_BEFORE = re.compile(rf"""[^\s(\["'“‘«]{{1,{_LOOK_BACK}}}$""")
_ACRONYM = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_ONE_LETTER = re.compile(r"[^\W\d_]\.,?")
_LONGEST_ORDINAL = 2

_TITLES = frozenset(
    {
        "mr", "mrs", "ms", "dr", "prof", "st", "ste", "mt", "ft", "gen", "col", "sgt", "lt", "cpl", "capt", "cmdr",
        "maj", "adm", "rev", "hon", "gov", "sen", "rep", "pres", "supt", "messrs", "mme", "mlle", "fr",
    }
)  # fmt: skip
"""Followed by a name, whatever its first letter."""

_INNER = _TITLES | {"vs", "v", "e.g", "i.e", "cf", "viz", "ca", "approx", "esp", "incl", "resp", "al", "op", "trans"}
"""Never the last word of a sentence."""

_BEFORE_NUMBERS = frozenset(
    {
        "no", "nos", "fig", "figs", "eq", "eqs", "vol", "vols", "p", "pp", "ch", "sec", "art", "pt", "c", "b", "d",
        "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "ed", "est", "tel", "ref",
    }
)  # fmt: skip
"""Inner when a number follows ("No. 5", "c. 1900"); otherwise an ordinary word or an abbreviation at the end."""

_INNER |= {
    "z.b", "d.h", "u.a", "bzw", "bspw", "ggf", "evtl", "inkl", "vgl", "sog", "p.ex", "sra", "dra", "núm", "pág", "т.е",
    "т.к", "им", "ул", "просп", "рис", "табл",
}  # fmt: skip
"""Of German, French, Spanish and Russian."""

_BEFORE_NUMBERS |= {
    "nr", "abs", "núm", "abb", "kap", "abschn", "bd", "chap", "tabl", "secc", "sez", "pag", "lám",
    "стр", "гл", "п", "разд", "прил", "№",
}  # fmt: skip

_REFERENCES = frozenset({"table", "tab", "figure", "chapter", "section", "sect", "appendix", "app", "eqn", "cap"})
"""Inner before a number if they are capitalised without an article: "in Table. 3", not "on the table. 3 people"."""

_NUMBERED = re.compile(r"[A-Z]{0,2}\d")
_ARTICLES = frozenset({"the", "a", "an", "this", "that"})
_ITEM = re.compile(r"\(?(?:\d+(?:\.\d+)*|[a-z]|[ivx]+|[IVX]+)|[^\W\d_a-z]\w+ \d{1,3}")
"""The number of a list item, or the label of a heading or caption: "Step 2. Save it.", "Table 1. Rates by year."."""

_BEFORE_ORDINALS = frozenset(
    {"am", "im", "vom", "zum", "zur", "der", "die", "das", "den", "dem", "des", "beim", "bis", "ab", "seit", "und"}
)
"""German words before an ordinal, which is written with a full stop: "am 3. Oktober", "im 19. Jahrhundert"."""

_LATE = frozenset(
    {
        "inc", "ltd", "co", "corp", "bros", "llc", "plc", "jr", "sr", "esq", "ph.d", "etc", "dept", "univ", "assn",
        "ave", "blvd", "rd", "mfg", "intl", "gmbh",
    }
)  # fmt: skip
"""May end a sentence, and often does not: decided by what follows, as for initials and acronyms."""

_OPENERS = frozenset(
    {
        "the", "a", "an", "he", "she", "it", "they", "we", "i", "you", "his", "her", "its", "their", "our", "this",
        "that", "these", "those", "there", "in", "on", "at", "by", "for", "from", "after", "before", "during", "since",
        "when", "while", "as", "if", "although", "though", "but", "and", "however", "both", "all", "some", "many",
        "most", "no", "one", "two", "other", "another", "each", "with", "under", "between", "until", "today", "also",
        "then", "later", "because", "despite", "following", "according", "who", "what", "where", "why", "how", "to",
    }
)  # fmt: skip
"""Words that begin sentences and hardly ever are part of a name."""


def split_sentences(text: str) -> list[str]:
    """Split a text into sentences, stripped of white space; a line break always ends one.

    A full stop ends no sentence after titles and initials ("Dr. J. K. Smith"), inside numbers and acronyms, or before
    a lower-case word.
    """
    sentences: list[str] = []
    start = 0
    for match in _END.finditer(text):
        if match.start() < start:
            continue
        end = _end_of_sentence(text, start, match)
        if end:
            sentences.append(text[start:end].strip())
            start = end
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]


def _end_of_sentence(text: str, start: int, match: re.Match[str]) -> int:
    """Return the end of the sentence if this mark ends one; otherwise 0."""
    mark = match.group()[0]
    end = match.end()
    if mark in "\n。！？｡؟۔।":
        return end
    closer = _TOKENISED_CLOSER.match(text, end)
    if closer is None:
        straight = _STRAIGHT_CLOSER.match(text, end)
        closer = straight if straight and text.count('"', start, end) % 2 else None
    if closer:
        end = closer.end()
    if end < len(text) and not text[end].isspace():
        return end if _is_cjk(text[end]) else 0
    ahead = text[end : end + _LOOK_BACK]
    following = ahead.split(maxsplit=1)
    if not following or "\n" in ahead[: len(ahead) - len(ahead.lstrip())]:
        return end
    word = following[0].lstrip("(['\"“‘«¿¡`")
    if word[:1].islower():
        return 0
    if match.group().rstrip(")]\"'”’»") == "." and not _full_stop_ends(text, start, match.start(), word):
        return 0
    return end


def _full_stop_ends(text: str, start: int, stop: int, following: str) -> bool:
    """Whether a single full stop ends a sentence, by the words on both sides."""
    spaced = stop > start and text[stop - 1].isspace()
    before = _WORD_BEFORE.search(text[max(start, stop - _LOOK_BACK) : stop].rstrip())
    if before is None:
        return True
    word = before.group()
    plain = word.lower().rstrip(".")
    opens = following.rstrip(".,;:!?'\"”’").lower() in _OPENERS
    if plain in _TITLES:
        return False
    preceding = text[max(start, stop - _ITEM_BACK) : stop - len(word)]
    if _NUMBERED.match(following) and (plain in _BEFORE_NUMBERS or _is_reference(word, preceding)):
        return False
    if spaced:  # tokenised text: abbreviations keep their full stop, a separate one ends the sentence
        return True
    if plain in _INNER:
        return plain == "al" and opens
    if _ITEM.fullmatch(f"{preceding}{word}".strip()) or _is_next_item(plain, preceding):
        return False
    if plain.isdigit() and len(plain) <= _LONGEST_ORDINAL and _last_word(preceding) in _BEFORE_ORDINALS:
        return False
    if len(word) == 1 and word.islower():
        paired = following, _last_word(preceding)
        if any(_ONE_LETTER.fullmatch(beside) for beside in paired):
            return False  # "z. B.", "d. h."
    if plain == "г":  # after a year it may end the sentence, after a town it does not
        return _last_word(preceding).isdigit()
    initial = len(word) == 1 and word.isalpha() and word.isupper()
    if initial or plain in _LATE or _ACRONYM.fullmatch(word):
        return opens
    return True


def _is_reference(word: str, preceding: str) -> bool:
    return word.lower() in _REFERENCES and word[0].isupper() and _last_word(preceding) not in _ARTICLES


def _is_next_item(number: str, preceding: str) -> bool:
    """Whether a number continues a list within a sentence: "There are two: 1. Open it; 2. Save it."."""
    if not (number.isdigit() and len(number) <= _LONGEST_ORDINAL and preceding.rstrip()[-1:] in (":", ";", ",")):
        return False
    return int(number) == 1 or f" {int(number) - 1}. " in preceding


def _last_word(text: str) -> str:
    found = text[-_LOOK_BACK:].split()
    return found[-1].casefold() if found else ""


def _is_cjk(character: str) -> bool:
    return "\u3040" <= character <= "\u9fff"
