"""Identity of an extractor, which decides whether a chunk was read before."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.prompts.render import load_prompt
from backtrail.rules.knowledge.extract_knowledge import RULES_VERSION
from backtrail.state.knowledge.decisions import EXTRACT_KNOWLEDGE
from backtrail.state.settings import OFFLINE

_SAME_READING = ("39be65f91faa2d6b",)
"""Hashes of earlier wordings of the prompt that ask for the same knowledge: their extractions stay valid. Never add a
wording that asks for something else."""


@dataclass(frozen=True)
class Extractor:
    """An extractor; ``name`` is the model's, "offline" for the rules.

    Extractions are stored with ``fingerprint``; those with neither that nor one of ``earlier`` are repeated.
    """

    name: str
    fingerprint: str
    earlier: tuple[str, ...] = ()

    @property
    def accepted(self) -> tuple[str, ...]:
        """Fingerprints of valid extractions, the current one first."""
        return (self.fingerprint, *self.earlier)

    @property
    def is_offline(self) -> bool:
        """Whether the extractor is the rules."""
        return self.name == OFFLINE


def extractor_named(name: str) -> Extractor:
    """Return the extractor of a model. A changed prompt or changed rules make another extractor."""
    if name == OFFLINE:
        return Extractor(name, f"{name} rules {RULES_VERSION}")
    prompt = load_prompt(EXTRACT_KNOWLEDGE.name).file.hash[:16]
    return Extractor(name, f"{name} {prompt}", tuple(f"{name} {earlier}" for earlier in _SAME_READING))
