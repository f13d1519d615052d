"""Detect small talk and questions about the collection itself, which need no documents.

Only whole messages match, so that a question after a greeting stays a question. Case, punctuation, symbols and emoji
are ignored; messages in languages that are not listed are questions.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Literal, NamedTuple

Talk = Literal["greeting", "thanks", "farewell", "about"]
LONGEST = 80
"""Characters; every phrase is shorter (ours)."""


class SmallTalk(NamedTuple):
    """Kind of small talk, and its language (ISO 639-1)."""

    kind: Talk
    language: str


_PHRASES: Mapping[str, Mapping[Talk, str]] = {
    "en": {
        "greeting": "hi|hello|hey|hi there|hello there|hey there|good morning|good afternoon|good evening|hiya|howdy|"
        "how are you|hi how are you|hello how are you",
        "thanks": "thanks|thank you|thx|ty|many thanks|thanks a lot|thank you very much|thank you so much|cheers|great|"
        "great thanks|ok thanks|okay thanks|perfect|perfect thanks|nice|cool|ok|okay|got it|good to know",
        "farewell": "bye|goodbye|good bye|bye bye|see you|see you later|good night|have a nice day|ciao",
        "about": "help|what can you answer|what can you do|what can you tell me|what can i ask|what can i ask you|"
        "what do you know|what do you know about|what are you|who are you|what is this|what can you help me with|"
        "what questions can you answer|which questions can you answer|what is in the corpus|whats in the corpus|"
        "what is in this corpus|what documents do you have|which documents do you have|which documents are there|"
        "what documents are there|what do you have|what are your sources|list the documents|list your documents|"
        "show me the documents|what is in the collection|how many documents do you have|how many documents are there|"
        "what topics do you cover|which topics do you cover|what can i ask about",
    },
    "de": {
        "greeting": "hallo|hi|guten tag|guten morgen|guten abend|moin|servus|grüß gott|wie geht es dir|wie gehts",
        "thanks": "danke|danke schön|dankeschön|vielen dank|danke dir|besten dank|super|super danke|prima|alles klar",
        "farewell": "tschüss|tschüs|auf wiedersehen|bis bald|bis später|gute nacht|schönen tag noch",
        "about": "hilfe|was kannst du|was kannst du beantworten|was können sie beantworten|was weißt du|wer bist du|"
        "was bist du|was kann ich fragen|was kann ich dich fragen|welche dokumente hast du|welche dokumente gibt es|"
        "worüber weißt du etwas|welche fragen kannst du beantworten|was steht im korpus",
    },
    "fr": {
        "greeting": "bonjour|salut|bonsoir|coucou|comment ça va|ça va",
        "thanks": "merci|merci beaucoup|merci bien|grand merci|parfait|super",
        "farewell": "au revoir|à bientôt|à plus|bonne nuit|bonne journée",
        "about": "aide|que sais tu|que savez vous|que peux tu répondre|que pouvez vous répondre|qui es tu|"
        "qui êtes vous|"
        "que puis je demander|quels documents as tu|quels documents avez vous|à quoi peux tu répondre|"
        "que peux tu faire",
    },
    "es": {
        "greeting": "hola|buenos días|buenas tardes|buenas noches|buenas|qué tal|cómo estás",
        "thanks": "gracias|muchas gracias|mil gracias|perfecto|genial|vale",
        "farewell": "adiós|hasta luego|hasta pronto|nos vemos|chao",
        "about": "ayuda|qué puedes responder|qué sabes|qué puedo preguntar|quién eres|qué eres|qué puedes hacer|"
        "qué documentos tienes|qué documentos hay|sobre qué puedo preguntar",
    },
    "it": {
        "greeting": "ciao|salve|buongiorno|buonasera|come stai",
        "thanks": "grazie|grazie mille|molte grazie|perfetto|ottimo",
        "farewell": "arrivederci|a presto|buonanotte|a dopo",
        "about": "aiuto|che cosa sai|cosa sai|cosa puoi rispondere|a cosa puoi rispondere|chi sei|cosa posso chiedere|"
        "quali documenti hai|quali documenti ci sono|cosa puoi fare",
    },
    "pt": {
        "greeting": "olá|oi|bom dia|boa tarde|boa noite|tudo bem",
        "thanks": "obrigado|obrigada|muito obrigado|muito obrigada|perfeito|ótimo",
        "farewell": "tchau|adeus|até logo|até breve",
        "about": "ajuda|o que sabes|o que você sabe|o que posso perguntar|quem é você|quem és tu|"
        "que perguntas podes responder|o que você pode responder|que documentos tens|quais documentos você tem",
    },
    "nl": {
        "greeting": "hoi|goedemorgen|goedemiddag|goedenavond|dag|hoe gaat het",
        "thanks": "bedankt|dank je|dank je wel|dank u|hartelijk dank|top",
        "farewell": "tot ziens|doei|tot later|welterusten",
        "about": "wat kun je beantwoorden|wat weet je|wat kan ik vragen|wie ben je|wat kun je|welke documenten heb je|"
        "welke documenten zijn er",
    },
    "ru": {
        "greeting": "привет|здравствуйте|здравствуй|добрый день|доброе утро|добрый вечер",
        "thanks": "спасибо|большое спасибо|благодарю",
        "farewell": "пока|до свидания|до встречи",
        "about": "помощь|что ты знаешь|что ты умеешь|кто ты|что можно спросить|какие документы есть",
    },
    "zh": {
        "greeting": "你好|您好|嗨|早上好|晚上好",
        "thanks": "谢谢|谢谢你|多谢|非常感谢",
        "farewell": "再见|拜拜",
        "about": "帮助|你能回答什么|你能做什么|你知道什么|你是谁|我可以问什么|有哪些文档",
    },
    "ja": {
        "greeting": "こんにちは|おはよう|おはようございます|こんばんは",
        "thanks": "ありがとう|ありがとうございます|どうも",
        "farewell": "さようなら|またね",
        "about": "ヘルプ|何ができますか|何を知っていますか|何を聞けますか|あなたは誰ですか|何に答えられますか",
    },
}


def small_talk(message: str) -> SmallTalk | None:
    """Classify a message as small talk; None for anything else or longer than ``LONGEST``."""
    return _BY_PHRASE.get(_plain(message)) if len(message) <= LONGEST else None


def _plain(text: str) -> str:
    """Reduce a message to words of letters, digits and combining marks."""
    folded = unicodedata.normalize("NFC", text).casefold().replace("'", "").replace("’", "")
    return " ".join("".join(sign if unicodedata.category(sign)[0] in "LNM" else " " for sign in folded).split())


_BY_PHRASE = {
    _plain(phrase): SmallTalk(kind, language)
    for language, kinds in reversed(_PHRASES.items())  # a phrase shared by several languages counts for the first one
    for kind, phrases in kinds.items()
    for phrase in phrases.split("|")
}
