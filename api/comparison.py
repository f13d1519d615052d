"""Comparison of several methods on one question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from backtrail.api.answer import Answer
    from backtrail.api.corpus import Corpus


@dataclass(frozen=True)
class Comparison:
    """Answers by method, in the order of the methods, and ``errors`` of the methods that failed."""

    question: str
    answers: Mapping[str, Answer]
    errors: Mapping[str, str]

    def _repr_html_(self) -> str:
        rows = [
            f"<tr><td>{escape(method)}</td><td>{escape(answer.short or 'no answer')}</td>"
            f"<td>{len(answer.citations)}</td><td>{answer.trace.usage.get('calls', 0)}</td></tr>"
            for method, answer in self.answers.items()
        ]
        rows += [
            f'<tr><td>{escape(name)}</td><td colspan="3">{escape(why)}</td></tr>' for name, why in self.errors.items()
        ]
        head = "<tr><th>method</th><th>answer</th><th>citations</th><th>model calls</th></tr>"
        return f"<p>{escape(self.question)}</p><table>{head}{''.join(rows)}</table>"


def compare(
    question: str,
    corpus: Corpus | str,
    methods: Sequence[str] = ("fif", "mmapg", "hybrid"),
    *,
    model: str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Comparison:
    """Ask several methods the same question in turn. A method that fails does not stop the others.

    Args:
        corpus: a corpus or its name.
        methods: names of methods, with variants as in ``Corpus.ask``.

    Raises:
        SettingsError: an unknown method, setting or model; nothing is asked.
        CorpusNotFound: there is no such corpus.
    """
    from backtrail.api.corpus import Corpus
    from backtrail.api.run import run_of
    from backtrail.state.errors import BacktrailError

    opened = Corpus.open(corpus) if isinstance(corpus, str) else corpus
    for method in methods:
        run_of(opened.name, method, model, None, settings or {})
    answers: dict[str, Answer] = {}
    errors: dict[str, str] = {}
    for method in methods:
        try:
            answers[method] = opened.ask(question, method=method, model=model, settings=settings)
        except BacktrailError as error:
            errors[method] = f"{type(error).__name__}: {error}"
    return Comparison(question, answers, errors)
