"""Self-RAG's decisions: relevance of documents, support and use of a draft, and a new query.

Asai et al., Self-RAG (2023), in the form that CogPlanner compares with (section 6.1.1): a loop of prompts.
"""

from __future__ import annotations

from pydantic import Field

from backtrail.state.decision import Decision, Offers, Part, quote_ids


class Retrieved(Part):
    """A document as graders see it."""

    id: str
    modality: str
    title: str
    text: str


class GradeInputs(Part):
    """The question, and the results of one search, best first."""

    question: str
    query: str
    documents: list[Retrieved]


class Grades(Part):
    """The documents that bear on the question, best first."""

    relevant: list[str]
    why: str = Field(default="", max_length=1000)


def offered(inputs: GradeInputs, grades: Grades) -> list[str]:
    """Check that relevant documents were offered."""
    known = [document.id for document in inputs.documents]
    return [
        f"Document {quote_ids(id_)} was not offered; offered are {known}."
        for id_ in grades.relevant
        if id_ not in known
    ]


def offered_documents(inputs: GradeInputs) -> Offers:
    """Return the ids of the documents that were found."""
    return {"relevant": [document.id for document in inputs.documents]}


GRADE = Decision("self_rag_grade", GradeInputs, Grades, "planner", offered, offers=offered_documents)


class CheckInputs(Part):
    """A drafted answer with the documents it was drafted from."""

    question: str
    answer: str
    documents: list[Retrieved]


class Checked(Part):
    """Whether the documents support the answer, and whether it answers the question."""

    grounded: bool
    useful: bool
    why: str = Field(default="", max_length=1000)


CHECK = Decision("self_rag_check", CheckInputs, Checked, "planner")
"""Both judgements of a draft in one call; the usual loop takes the two that follow."""


class SupportInputs(Part):
    """A drafted answer with the documents it was drafted from, without the question."""

    answer: str
    documents: list[Retrieved]


class Supported(Part):
    """Whether the documents support the answer."""

    grounded: bool
    why: str = Field(default="", max_length=1000)


SUPPORT = Decision("self_rag_support", SupportInputs, Supported, "planner")


class UseInputs(Part):
    """A supported draft, and the question."""

    question: str
    answer: str


class OfUse(Part):
    """Whether the answer resolves the question."""

    useful: bool
    why: str = Field(default="", max_length=1000)


USE = Decision("self_rag_use", UseInputs, OfUse, "planner")


class RewriteInputs(Part):
    """The question, the queries so far, oldest first, and the last problem."""

    question: str
    has_picture: bool
    queries: list[str]
    problem: str


class Rewritten(Part):
    """The next query."""

    query: str = Field(min_length=1, max_length=400)


REWRITE = Decision("self_rag_rewrite", RewriteInputs, Rewritten, "planner")
