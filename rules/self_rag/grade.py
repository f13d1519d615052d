"""Grade documents by their coverage of the question."""

from __future__ import annotations

from backtrail.language.terms import content_terms, coverage
from backtrail.state.self_rag.decisions import GradeInputs, Grades

# A document with this share of the best one's coverage is relevant too (ours) ...
_OF_THE_BEST = 0.6
# ... if the best one covers at least this share of the question (ours).
_LEAST = 0.25


def grade(inputs: GradeInputs) -> Grades:
    """Return the documents with the best coverage of the question, in search order."""
    wanted = content_terms(inputs.question) | content_terms(inputs.query)
    shares = {
        document.id: coverage(wanted, content_terms(f"{document.title} {document.text}"), dict.fromkeys(wanted, 1.0))
        for document in inputs.documents
    }
    best = max(shares.values(), default=0.0)
    if best < _LEAST:
        return Grades(relevant=[], why=f"The best document says {best:.0%} of what is asked.")
    relevant = [id_ for id_, share in shares.items() if share >= _OF_THE_BEST * best]
    return Grades(relevant=relevant, why=f"The best document says {best:.0%} of what is asked.")
