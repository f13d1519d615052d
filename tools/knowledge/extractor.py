"""Who reads a corpus into its graph: the identity that decides whether a chunk was read before."""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.prompts.render import load_prompt
from backtrail.rules.extract_knowledge import RULES_VERSION
from backtrail.state.knowledge_decisions import EXTRACT_KNOWLEDGE
from backtrail.state.settings import OFFLINE


@dataclass(frozen=True)
class Extractor:
    """``name`` of the model, "offline" for the rules; what another ``fingerprint`` read is read anew."""

    name: str
    fingerprint: str

    @property
    def is_offline(self) -> bool:
        """Whether it is the rules: they cost nothing and leave nothing to be done."""
        return self.name == OFFLINE


def extractor_named(name: str) -> Extractor:
    """The extractor over a model. Another wording of the prompt is another extractor, and so are other rules."""
    made_of = f"rules {RULES_VERSION}" if name == OFFLINE else load_prompt(EXTRACT_KNOWLEDGE.name).file.hash[:16]
    return Extractor(name, f"{name} {made_of}")
