"""small_talk: replies to messages that are no questions, and to questions about the corpus itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from langchain_core.messages import AIMessage

from backtrail.language.small_talk import SmallTalk
from backtrail.nodes.streaming.escape_markdown import line
from backtrail.nodes.streaming.small_talk_replies import REPLIES, describe_collection
from backtrail.state.answer import Answer
from backtrail.state.chat.answer_payload import PAYLOAD_KEY, AnswerPayload
from backtrail.state.settings import Settings
from backtrail.tools.corpus.describe import describe
from backtrail.tools.corpus.errors import CorpusNotFound
from backtrail.tools.corpus.sample import sampled_titles

AT_ONCE: Literal["answered at once"] = "answered at once"
"""Stop reason of a turn that was answered without a search."""
TITLES = 12

NOT_SEARCHED = "The web was not searched, as you decided."
WEB = "I search the web for answers."


def reply_at_once(talk: SmallTalk, settings: Settings) -> tuple[Answer, AIMessage]:
    """Return the answer and its message. Questions about the collection read the corpus (blocking).

    Raises:
        CorpusError: the corpus does not exist or cannot be read.
    """
    titles: Sequence[str] = []
    if talk.kind == "about":
        text, among, titles = _about(talk.language, settings)
        listed = "\n".join([f"{among}", "", *(f"- {line(title)}" for title in titles)]) if titles else ""
        content = "\n\n".join(part for part in (line(text), listed) if part)
        text = "\n".join([text, *([f"{among} {'; '.join(titles)}"] if titles else [])])
    else:
        content = text = REPLIES[talk.language][talk.kind]
    return _reply(text, content)


def not_searched() -> tuple[Answer, AIMessage]:
    """Return the reply after the web search was rejected."""
    return _reply(NOT_SEARCHED, NOT_SEARCHED)


def _reply(text: str, content: str) -> tuple[Answer, AIMessage]:
    reply: Answer = {"short": "", "text": text, "citations": [], "confidence": 0.0, "abstained": False}
    payload: AnswerPayload = {
        "question": "", "short": "", "text": text, "abstained": False, "sources": [], "not_found": [],
        "open_subqueries": [], "stop_reason": AT_ONCE, "thread": "", "trace": "",
    }  # fmt: skip
    return reply, AIMessage(content, additional_kwargs={PAYLOAD_KEY: payload})


def _about(language: str, settings: Settings) -> tuple[str, str, Sequence[str]]:
    """Return a sentence on the corpus, the words before titles, and titles from all over the corpus."""
    try:
        description, titles = describe(settings.corpus), sampled_titles(settings.corpus, TITLES)
    except CorpusNotFound:
        if settings.web.provider in ("corpus", "none"):
            raise
        return WEB, "", []
    return *describe_collection(language, settings.corpus, description.documents, description.components), titles
