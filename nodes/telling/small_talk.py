"""small_talk: the reply to a message that is no question to documents, and what a corpus can be asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from langchain_core.messages import AIMessage

from backtrail.language.small_talk import SmallTalk, Talk
from backtrail.nodes.telling.markdown import line
from backtrail.state.answer import Answer
from backtrail.state.chat.told import TOLD, Told
from backtrail.state.settings import Settings
from backtrail.tools.corpus.describe import describe
from backtrail.tools.corpus.errors import CorpusNotFound
from backtrail.tools.corpus.sample import sampled_titles

AT_ONCE: Literal["told at once"] = "told at once"
"""The stop reason of a turn that was answered without a search."""
TITLES = 12

REPLIES: Mapping[str, Mapping[Talk, str]] = {
    "en": {"greeting": "Hello. What would you like to know?", "thanks": "You are welcome.", "farewell": "Goodbye."},
    "de": {"greeting": "Hallo. Was möchten Sie wissen?", "thanks": "Gern geschehen.", "farewell": "Auf Wiedersehen."},
    "fr": {"greeting": "Bonjour. Que voulez-vous savoir ?", "thanks": "Je vous en prie.", "farewell": "Au revoir."},
    "es": {"greeting": "Hola. ¿Qué desea saber?", "thanks": "De nada.", "farewell": "Adiós."},
    "it": {"greeting": "Buongiorno. Che cosa desidera sapere?", "thanks": "Prego.", "farewell": "Arrivederci."},
    "pt": {"greeting": "Olá. O que deseja saber?", "thanks": "De nada.", "farewell": "Até logo."},
    "nl": {"greeting": "Hallo. Wat wilt u weten?", "thanks": "Graag gedaan.", "farewell": "Tot ziens."},
    "ru": {"greeting": "Здравствуйте. Что вы хотите узнать?", "thanks": "Пожалуйста.", "farewell": "До свидания."},
    "zh": {"greeting": "您好。您想了解什么?", "thanks": "不客气。", "farewell": "再见。"},
    "ja": {
        "greeting": "こんにちは。何をお知りになりたいですか。",
        "thanks": "どういたしまして。",
        "farewell": "さようなら。",
    },
}
ABOUT: Mapping[str, tuple[str, str]] = {
    "en": ("I answer questions from the collection {name}: {documents} documents with {kinds}.", "Among them:"),
    "de": ("Ich beantworte Fragen aus der Sammlung {name}: {documents} Dokumente mit {kinds}.", "Darunter:"),
    "fr": ("Je réponds à partir de la collection {name} : {documents} documents avec {kinds}.", "Parmi eux :"),
    "es": ("Respondo a partir de la colección {name}: {documents} documentos con {kinds}.", "Entre ellos:"),
    "it": ("Rispondo a partire dalla raccolta {name}: {documents} documenti con {kinds}.", "Tra questi:"),
    "pt": ("Respondo a partir da coleção {name}: {documents} documentos com {kinds}.", "Entre eles:"),
    "nl": ("Ik antwoord uit de verzameling {name}: {documents} documenten met {kinds}.", "Daaronder:"),
}
KINDS: Mapping[str, Mapping[str, str]] = {
    "en": {"text": "{} texts", "table": "{} tables", "image": "{} pictures"},
    "de": {"text": "{} Texten", "table": "{} Tabellen", "image": "{} Bildern"},
    "fr": {"text": "{} textes", "table": "{} tableaux", "image": "{} images"},
    "es": {"text": "{} textos", "table": "{} tablas", "image": "{} imágenes"},
    "it": {"text": "{} testi", "table": "{} tabelle", "image": "{} immagini"},
    "pt": {"text": "{} textos", "table": "{} tabelas", "image": "{} imagens"},
    "nl": {"text": "{} teksten", "table": "{} tabellen", "image": "{} afbeeldingen"},
}
"""Languages without words of their own here are told in English."""
NOT_SEARCHED = "The web was not searched, as you decided."
WEB = "I look for answers on the web."


def reply_at_once(talk: SmallTalk, settings: Settings) -> tuple[Answer, AIMessage]:
    """The answer and its message. Of questions about the collection it reads the corpus (blocking).

    Raises:
        CorpusError: the corpus that is asked about is not there, or cannot be read.
    """
    titles: Sequence[str] = []
    if talk.kind == "about":
        text, among, titles = _about(talk.language, settings)
        listed = "\n".join([f"{among}", "", *(f"- {line(title)}" for title in titles)]) if titles else ""
        content = "\n\n".join(part for part in (line(text), listed) if part)
        text = "\n".join([text, *([f"{among} {'; '.join(titles)}"] if titles else [])])
    else:
        content = text = REPLIES[talk.language][talk.kind]
    return _said(text, content)


def not_searched() -> tuple[Answer, AIMessage]:
    """What is said where the web was not to be searched."""
    return _said(NOT_SEARCHED, NOT_SEARCHED)


def _said(text: str, content: str) -> tuple[Answer, AIMessage]:
    reply: Answer = {"short": "", "text": text, "citations": [], "confidence": 0.0, "abstained": False}
    told: Told = {
        "question": "", "short": "", "text": text, "abstained": False, "sources": [], "unborne": [], "still_open": [],
        "stop_reason": AT_ONCE, "thread": "", "trace": "",
    }  # fmt: skip
    return reply, AIMessage(content, additional_kwargs={TOLD: told})


def _about(language: str, settings: Settings) -> tuple[str, str, Sequence[str]]:
    """What can be asked about in a sentence, the words before titles, and titles from all over the corpus."""
    language = language if language in ABOUT else "en"
    try:
        held, titles = describe(settings.corpus), sampled_titles(settings.corpus, TITLES)
    except CorpusNotFound:
        if settings.web.provider in ("corpus", "none"):
            raise
        return WEB, "", []
    sentence, among = ABOUT[language]
    words, counted = KINDS[language], held.components
    kinds = ", ".join(words[kind].format(f"{counted[kind]:,}") for kind in words if counted.get(kind))
    return sentence.format(name=settings.corpus, documents=f"{held.documents:,}", kinds=kinds or "0"), among, titles
