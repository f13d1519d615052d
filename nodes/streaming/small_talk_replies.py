"""Replies to small talk, and descriptions of a corpus, in several languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from backtrail.language.small_talk import Talk

REPLIES: Mapping[str, Mapping[Talk, str]] = {
    language: {"greeting": greeting, "thanks": thanks, "farewell": farewell}
    for language, greeting, thanks, farewell in (
        ("en", "Hello. What would you like to know?", "You are welcome.", "Goodbye."),
        ("de", "Hallo. Was möchten Sie wissen?", "Gern geschehen.", "Auf Wiedersehen."),
        ("fr", "Bonjour. Que voulez-vous savoir ?", "Je vous en prie.", "Au revoir."),
        ("es", "Hola. ¿Qué desea saber?", "De nada.", "Adiós."),
        ("it", "Buongiorno. Che cosa desidera sapere?", "Prego.", "Arrivederci."),
        ("pt", "Olá. O que deseja saber?", "De nada.", "Até logo."),
        ("nl", "Hallo. Wat wilt u weten?", "Graag gedaan.", "Tot ziens."),
        ("ru", "Здравствуйте. Что вы хотите узнать?", "Пожалуйста.", "До свидания."),
        ("zh", "您好。您想了解什么?", "不客气。", "再见。"),
        ("ja", "こんにちは。何をお知りになりたいですか。", "どういたしまして。", "さようなら。"),
    )
}


class Collection(NamedTuple):
    """Words that describe a collection; kinds of components have a singular and a plural."""

    sentence: str
    among: str
    document: tuple[str, str]
    text: tuple[str, str]
    table: tuple[str, str]
    image: tuple[str, str]


COLLECTIONS: Mapping[str, Collection] = {
    "en": Collection(
        "I answer questions from the collection {name}: {documents} with {kinds}.", "Among them:",
        ("document", "documents"), ("text", "texts"), ("table", "tables"), ("picture", "pictures"),
    ),
    "de": Collection(
        "Ich beantworte Fragen aus der Sammlung {name}: {documents} mit {kinds}.", "Darunter:",
        ("Dokument", "Dokumente"), ("Text", "Texten"), ("Tabelle", "Tabellen"), ("Bild", "Bildern"),
    ),
    "fr": Collection(
        "Je réponds à partir de la collection {name} : {documents} avec {kinds}.", "Parmi eux :",
        ("document", "documents"), ("texte", "textes"), ("tableau", "tableaux"), ("image", "images"),
    ),
    "es": Collection(
        "Respondo a partir de la colección {name}: {documents} con {kinds}.", "Entre ellos:",
        ("documento", "documentos"), ("texto", "textos"), ("tabla", "tablas"), ("imagen", "imágenes"),
    ),
    "it": Collection(
        "Rispondo a partire dalla raccolta {name}: {documents} con {kinds}.", "Tra questi:",
        ("documento", "documenti"), ("testo", "testi"), ("tabella", "tabelle"), ("immagine", "immagini"),
    ),
    "pt": Collection(
        "Respondo a partir da coleção {name}: {documents} com {kinds}.", "Entre eles:",
        ("documento", "documentos"), ("texto", "textos"), ("tabela", "tabelas"), ("imagem", "imagens"),
    ),
    "nl": Collection(
        "Ik antwoord uit de verzameling {name}: {documents} met {kinds}.", "Daaronder:",
        ("document", "documenten"), ("tekst", "teksten"), ("tabel", "tabellen"), ("afbeelding", "afbeeldingen"),
    ),
}  # fmt: skip
"""English is used for all other languages."""


def describe_collection(language: str, name: str, documents: int, components: Mapping[str, int]) -> tuple[str, str]:
    """Return a sentence that describes a collection, and the words before titles."""
    words = COLLECTIONS.get(language, COLLECTIONS["en"])
    kinds = {"text": words.text, "table": words.table, "image": words.image}
    counts = [_counted(components[kind], forms) for kind, forms in kinds.items() if components.get(kind)]
    sentence = words.sentence.format(
        name=name, documents=_counted(documents, words.document), kinds=", ".join(counts) or "0"
    )
    return sentence, words.among


def _counted(number: int, forms: tuple[str, str]) -> str:
    return f"{number:,} {forms[0] if number == 1 else forms[1]}"
