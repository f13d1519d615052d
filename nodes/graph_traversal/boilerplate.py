"""Detect boilerplate: sentences in which a site talks to its readers ("Edit Titan on our site").

A site puts the page's own title into it, so on each page it differs by a name. Where a name is told of ("Titan is a
moon", "the capital of Peru") texts that differ by it are not the same, whatever else they share.
"""

from __future__ import annotations

import re
from functools import lru_cache

_SPOKEN = re.compile(
    r"""
    (?:^|[.!?|·•»\n][^\S\n]*|\W\s)(?:
        edit|print|share|subscribe|bookmark|download\s+(?:this|the\s+(?:page|pdf))|report\s+(?:an?\s+)?(?:issue|problem|error)
        |improve\s+this|(?:back|return|go)\s+to|skip\s+to|sign\s+(?:in|up)|log\s+(?:in|out)|give\s+(?:us\s+)?feedback
        |bearbeiten|teilen|drucken|abonnieren|zurück\s+zu|modifier|partager|imprimer|retour\s+à|editar|compartir|imprimir
        |volver\s+a|condividi|stampa|torna\s+a|compartilhar|voltar\s+para|delen|afdrukken|terug\s+naar
    )\b
    |\b(?:this|diese|cette|esta|questa|deze)\s+(?:web\s?)?(?:page|site|article|seite|website|página|pagina)\b
    |\b(?:rights\s+reserved|rechte\s+vorbehalten|droits\s+réservés|derechos\s+reservados|diritti\s+riservati|cookies?)\b
    |\b(?:privacy\s+policy|terms\s+of\s+(?:use|service)|last\s+(?:updated|modified|edited)|helpful\s*\?|newsletter)
    """,
    re.VERBOSE,  # of folded text: without regard to case the search takes twice the time
)
_HEAD_OF_TITLE = re.compile(r"\s[|·•–—:-]{1,2}\s")
LEAST_TITLE = 3
"""Letters of a title that is taken for one: in shorter ones it may be any word."""


@lru_cache(maxsize=4_096)  # hops find the same texts again
def speaks_of_its_page(text: str) -> bool:
    """Whether a text may be boilerplate: it tells readers what they can do with its page, or of the page itself."""
    return _SPOKEN.search(text.casefold()) is not None


def without_own_title(text: str, title: str) -> str:
    """The text with its page's title, or the title's part before the site's name, taken out where it only fills a gap.

    A text that begins with its title as what it tells of is left as it is, and so is one that speaks of no page.
    """
    if not speaks_of_its_page(text):
        return text
    for name in (title.strip(), _HEAD_OF_TITLE.split(title.strip())[0]):
        if len(name) < LEAST_TITLE:
            continue
        own = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        if re.match(rf"\W*(?:the\s+)?{re.escape(name)}\s+\w", text, re.IGNORECASE):
            return text
        if own.search(text):
            return own.sub(" ", text)
    return text
