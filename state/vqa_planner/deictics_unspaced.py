"""Deictic phrases in Chinese and Japanese queries.

A demonstrative with a measure word points, unless a clause before it says which is meant (…的那座桥). A pronoun
points if only question words, particles and, after 谁 or 誰が, the verb precede it: then nothing it can refer to is
named. Unclear cases are accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_MEASURES = "个張张座位种幅部款只棵家支辆件本条栋艘架头匹朵首台把块颗间"
_IN_PICTURE = re.compile(r"图中|图片中|照片中|照片里|图片里|圖中|(?:画像|写真)(?:の中|内|に写)")
_CHINESE = re.compile(
    rf"(?<!的)(?:[这該该此])[{_MEASURES}](?!年|月|周|星期|世纪|季)"
    rf"|(?<!的)那[{_MEASURES}](?!年|月|周|星期|世纪|季|\w{{5,30}}的)"
    rf"|(?<!的)这些(?!\w{{5,30}}的)|(?<!的)这(?=[是叫]|$)|(?<![在到去从的])这[里儿]"
)
_AT_THE_START = re.compile(
    r"^(?:请问|那么|在|从)*+(?P<word>那(?=[是叫])|那[里儿些](?!的)"
    r"|[该該](?=[桥楼塔人国城山河湖车船机画书寺店厂馆校])|此(?=[桥楼塔人国城山河湖车船机画书寺店厂馆校]))"
)
_THIRD_PERSON = re.compile(
    r"(?<![吉其利马耳犹維维])(?:他|她|它|牠)们?(?![汀加信乡杀人])|(?<![土耳尤极与莫何更及])其(?![他她它中实次余間间])"
)
# Words that name nothing: question words, particles, "to be", "can".
_NAMES_NOTHING = re.compile(
    r"(?:请问|什么时候|什么时间|什么地方|什么|何时|何地|何处|哪一年|哪年|哪里|哪儿|哪个|哪|为什么|为何|怎么|怎样|如何"
    r"|多少|谁|是|在|从|由|被|把|给|会|能|可以|曾经|曾|已经|到底|究竟|和|与|[，、的了过])*+"
)
_WHO_DID = re.compile(r"(?:请问|是|由){0,4}+(?:谁|哪位|什么人)[^和与及跟同把被让对的，、\W]{1,4}[了过着给]?")
_KANA = re.compile("[\u3041-\u30ff]")
_JAPANESE = re.compile(
    r"(?<![\u30a0-\u30ff])この(?!年|月|週|世紀|時代|季節|頃|ころ|前|後|間|夏|冬|春|秋|まま|他|ほか|ため|よう|世)"
)
_JAPANESE_PRONOUN = re.compile(
    r"これ(?!まで|から)ら?|それ(?!ぞれ|とも|で|から|に)ら?|あれ|その(?!他|ほか|ため|後|まま)|あの|彼(?:女|ら)?(?![岸方])"
    r"|[こそあ]こ(?=[はがをにでの])"
)
_JAPANESE_NOTHING = re.compile(
    r"(?:誰|どこ|いつ|なぜ|どうして|どのように|どう|何年|何時|何|[がはをにへでのともか、])*+"
)


def pointing_places(query: str) -> Iterator[tuple[int, str]]:
    """Yield the positions of words that point outside the query, each with the word as written."""
    yield from ((match.start(), match[0]) for match in _IN_PICTURE.finditer(query))
    if _KANA.search(query):
        yield from ((match.start(), match[0]) for match in _JAPANESE.finditer(query))
        yield from _unexplained(query, _JAPANESE_PRONOUN, _JAPANESE_NOTHING)
        return
    yield from ((match.start(), match[0]) for match in _CHINESE.finditer(query))
    if start := _AT_THE_START.match(query):
        yield start.start("word"), start["word"]
    yield from _unexplained(query, _THIRD_PERSON, _NAMES_NOTHING, _WHO_DID)


def _unexplained(query: str, pronoun: re.Pattern[str], *nothing: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Yield the first pronoun if nothing is named before it; a later one can refer to what is between."""
    if (found := pronoun.search(query)) and any(one.fullmatch(query, 0, found.start()) for one in nothing):
        yield found.start(), found[0]
