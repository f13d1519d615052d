"""Who reads a corpus into its graph: the identity that decides whether a chunk was read before."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.prompts.render import load_prompt
from backtrail.rules.knowledge.extract_knowledge import RULES_VERSION
from backtrail.state.knowledge.decisions import EXTRACT_KNOWLEDGE
from backtrail.state.settings import OFFLINE

_SAME_READING = ("39be65f91faa2d6b",)
"""Hashes of earlier wordings of the prompt that ask for the same knowledge: what models read then stays read. One
that asks for anything else must not stand here."""


@dataclass(frozen=True)
class Extractor:
    """``name`` of the model, "offline" for the rules.

    What was read is signed with ``fingerprint``; what is signed with neither that nor one of ``earlier`` is read anew.
    """

    name: str
    fingerprint: str
    earlier: tuple[str, ...] = ()

    @property
    def accepted(self) -> tuple[str, ...]:
        """The fingerprints whose reading counts, its own first."""
        return (self.fingerprint, *self.earlier)

    @property
    def is_offline(self) -> bool:
        """Whether it is the rules: they cost nothing and leave nothing to be done."""
        return self.name == OFFLINE


def extractor_named(name: str) -> Extractor:
    """The extractor over a model. A prompt that asks for other things is another extractor, and so are other rules."""
    if name == OFFLINE:
        return Extractor(name, f"{name} rules {RULES_VERSION}")
    prompt = load_prompt(EXTRACT_KNOWLEDGE.name).file.hash[:16]
    return Extractor(name, f"{name} {prompt}", tuple(f"{name} {earlier}" for earlier in _SAME_READING))
