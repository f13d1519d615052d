"""Annotate one question: gold query, image query, three answers, their grades, and the class (3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from backtrail.evals.questions import Question
from backtrail.state.budget import allowance, may_spend
from backtrail.state.decision import Decision
from backtrail.state.judge_decisions import JUDGE_ANSWER, JudgeInputs
from backtrail.state.own_knowledge_decisions import ANSWER_ALONE, AnswerAloneInputs
from backtrail.state.settings import OFFLINE, Settings
from backtrail.state.vqa_planner.annotation_decisions import (
    ANNOTATE_GOLD_QUERY,
    ANNOTATE_IMAGE_QUERY,
    AnnotateGoldQueryInputs,
    AnnotateImageQueryInputs,
    ImageQuery,
)
from backtrail.state.vqa_planner.decisions import GoldQuery
from backtrail.tools.deciders.protocol import BudgetExhausted, DecisionFailed, PictureAttachment
from backtrail.tools.errors import ModelError
from backtrail.tools.toolbox import Toolbox
from backtrail.training.annotate.annotation import Annotation, Trial, entity_of, fingerprint
from backtrail.training.annotate.classes import CONFLICT, PathClass, class_of
from backtrail.training.annotate.journal import Call, Journal, hash_of
from backtrail.training.errors import AnnotationStopped

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


@dataclass(frozen=True)
class Terms:
    """Options that decide the classes, besides the models.

    Args:
        threshold: lowest score of the judge for a right answer (ours).
        show_with_gold_query: show the picture with q_g too; the paper's M(y|q_g) does not (section 3.2).
    """

    threshold: int = 4
    show_with_gold_query: bool = False


class Annotator:
    """Takes the decisions for questions, reusing those in the journal."""

    def __init__(self, toolbox: Toolbox, settings: Settings, terms: Terms, journal: Journal) -> None:
        self._toolbox = toolbox
        self._settings = settings
        self._terms = terms
        self._journal = journal

    async def annotate(self, question: Question, picture: PictureAttachment) -> Annotation:
        """Annotate a question. One answered correctly without a search needs no further decision (A.8).

        Raises:
            DecisionFailed, ModelError: a decision failed; the earlier ones are kept.
            AnnotationStopped: the budget is spent.
        """
        whole = await self._try(question, question.question, question.answers, [picture])
        if whole.right:
            return _finished(question, "c1", {"question": whole})
        gold, asked = await self._queries(question, picture)
        seen = await self._try(question, asked.image_query, (asked.image_entity,), [picture])
        shown = [picture] if self._terms.show_with_gold_query else []
        known = await self._try(question, gold.gold_query, question.answers, shown)
        label = class_of(whole.right, seen.right, known.right)
        found = _finished(question, label, {"question": whole, "image_query": seen, "gold_query": known})
        return found.model_copy(update={"image_entity": asked.image_entity})

    async def _queries(self, question: Question, picture: PictureAttachment) -> tuple[GoldQuery, ImageQuery]:
        entity = entity_of(question)
        about = AnnotateGoldQueryInputs(question=question.question, answers=list(question.answers), entity=entity)
        gold = await self._take(question, ANNOTATE_GOLD_QUERY, about, [picture])
        rest = AnnotateImageQueryInputs(question=question.question, gold_query=gold.gold_query, entity=entity)
        return gold, await self._take(question, ANNOTATE_IMAGE_QUERY, rest, [picture])

    async def _try(
        self, question: Question, text: str, gold: tuple[str, ...], pictures: Sequence[PictureAttachment]
    ) -> Trial:
        """Let the learner answer as at run time without a search, and judge the answer."""
        asked = AnswerAloneInputs(question=text, has_picture=bool(pictures))
        own = await self._take(question, ANSWER_ALONE, asked, pictures)
        score = 1
        if own.known:
            grade = await self._take(
                question, JUDGE_ANSWER, JudgeInputs(question=text, gold=list(gold), answer=own.text)
            )
            score = grade.score
        right = score >= self._terms.threshold
        return Trial(question=text, gold=gold, answer=own.text, known=own.known, score=score, right=right)

    async def _take(
        self, question: Question, decision: Decision[I, O], inputs: I, pictures: Sequence[PictureAttachment] = ()
    ) -> O:
        key = hash_of(inputs, bool(pictures))
        if (before := self._journal.taken(question, decision.name, key)) is not None:
            return decision.output.model_validate(before)
        spent, budget = {"annotation": self._journal.spent}, self._settings.budget
        if not may_spend(spent, budget):
            raise AnnotationStopped("The budget is spent. Raise it with --set budget.usd=… and repeat the command.")
        decider = self._toolbox.decider(decision.role, self._settings)
        shown = pictures if self._settings.model_for(decision.role) != OFFLINE else ()
        try:
            decided = await decider.decide(decision, inputs, shown, allowance=allowance(spent, budget))
        except BudgetExhausted as error:
            self._keep_failure(question, decision.name, key, error)
            raise AnnotationStopped(str(error)) from error
        except (DecisionFailed, ModelError) as error:
            self._keep_failure(question, decision.name, key, error)
            raise
        self._journal.keep_call(
            Call(
                id=question.id,
                decision=decision.name,
                inputs=key,
                output=decided.output.model_dump(mode="json"),
                charge=decided.charge,
                decider=decided.decider,
            )
        )
        return decided.output

    def _keep_failure(
        self, question: Question, decision: str, key: str, error: BudgetExhausted | DecisionFailed | ModelError
    ) -> None:
        """Book the cost of a failed decision, which can be repeated."""
        if error.charge is not None:
            message = f"{type(error).__name__}: {error}"[:500]
            self._journal.keep_call(
                Call(id=question.id, decision=decision, inputs=key, output=None, charge=error.charge, error=message)
            )


def _finished(question: Question, label: PathClass | None, trials: dict[str, Trial]) -> Annotation:
    """Return the annotation of a question with its class, or excluded without one."""
    return Annotation(
        id=question.id,
        fingerprint=fingerprint(question),
        question=question.question,
        image=question.image,
        outcome="annotated" if label else "excluded",
        label=label,
        why="" if label else CONFLICT,
        trials=trials,
    )
