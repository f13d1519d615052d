"""Boilerplate: sentences by which a site addresses its readers ("Edit Titan on our site").

A site inserts the page's title, so on each page the sentence differs by a name. In a statement ("Titan is a moon", "the
capital of Peru") texts that differ by a name are different.
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
    re.VERBOSE,  # for folded text: ignoring case would double the time
)
_HEAD_OF_TITLE = re.compile(r"\s[|·•–—:-]{1,2}\s")
LEAST_TITLE = 3
"""Least letters of a title; a shorter one may be any word."""


@lru_cache(maxsize=4_096)  # hops find the same texts repeatedly
def may_be_boilerplate(text: str) -> bool:
    """Return whether a text may be boilerplate: it offers actions on its page, or refers to the page."""
    return _SPOKEN.search(text.casefold()) is not None


def without_own_title(text: str, title: str) -> str:
    """Remove the page's title, or its part before the site's name, from boilerplate.

    A text that begins with its title as its subject is returned unchanged, and so is one that is no boilerplate.
    """
    if not may_be_boilerplate(text):
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
