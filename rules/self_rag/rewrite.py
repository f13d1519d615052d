"""Rewrite a query: its content words, then its parts, then its names."""

from __future__ import annotations

from backtrail.language.picture_references import without_pointing
from backtrail.language.spans import names_in
from backtrail.language.terms import words
from backtrail.rules.decompose import decompose
from backtrail.state.decompose_decisions import DecomposeInputs
from backtrail.state.hop import intent
from backtrail.state.self_rag.decisions import RewriteInputs, Rewritten


def rewrite(inputs: RewriteInputs) -> Rewritten:
    """Return the first form of the question that was not searched yet; the last query if there is none."""
    question = " ".join(inputs.question.split()) or "?"
    parts = [subquery.text for subquery in decompose(DecomposeInputs(question=question)).subqueries]
    forms = [without_pointing(question), *parts, " ".join(words(question)), " ".join(names_in(question))]
    done = {intent(query) for query in inputs.queries}
    fresh = [form[:400] for form in forms if form.strip() and intent(form[:400]) not in done]
    return Rewritten(query=fresh[0] if fresh else (inputs.queries or [question])[-1][:400] or "?")
