"""Code lines: lines of code blocks, each with what the sentence that announces it says that it does.

A command says little of what it is for. "Start the server with:" does, and stands before it: in the sentence that
ends in a colon, in a comment over it, in the heading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from backtrail.language.questions import QuestionShape
from backtrail.language.terms import content_terms
from backtrail.rules.reader.announced import leads_in
from backtrail.rules.reader.support import Piece, told_more
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText
from backtrail.state.offline.extract import ExtractInputs

# A command that is read is at most as long.
LINE_CHARACTERS = 300
# The sentences right before a block tell what it is for.
_TELLING = 2
_PROMPT = re.compile(r"^(?:[\w@:~-]*[$%]|>|PS>|C:\\>)\s+")
_MERGED = re.compile(r"(?<!\s)\s+\$\s+")
_COMMENT = re.compile(r"^\s*(?:#|//|--|;|<!--)\s")
_STOPS = (".", "!", "?", ":", "。")
_PROGRAMS = (
    r"sudo|pip3?|pipx|npm|npx|yarn|pnpm|docker|podman|kubectl|helm|git|apt(?:-get)?|brew|dnf|yum|apk|choco|winget|pacman|snap"
    r"|curl|wget|cd|mkdir|cp|mv|rm|chmod|chown|export|source|make|cmake|python3?|node|go|cargo|rustup|poetry|uv|conda|ssh"
    r"|scp|rsync|systemctl|service|openssl|tar|unzip|cat|echo|ls|mysql|psql|redis-cli|terraform|ansible(?:-playbook)?"
    r"|bundle|gem"
)
_COMMAND = re.compile(rf"(?:{_PROGRAMS})\s+\S|(?:\./|[a-z])[\w./-]*(?:\s+\S+)*?\s+--?[A-Za-z][\w-]*|\./\S+")
_PROSE = re.compile(r"\b(?:the|is|are|was|you|this|that|with an?|will|should|must|can)\b")
# "Use the `etcdutl snapshot status` command instead", "run npm ci".
_GOES_ON = r"(?:to|and|in|on|or|from|as|against|before|after|which|for|instead|if|when|with|the|is)\b"
_INLINE = re.compile(
    r"\b(?:the|a|an|following)\s+(?P<one>(?!following\b|next\b|same\b|above\b|below\b)[a-z][\w.-]*"
    r"(?:\s+[\w./<>=-]+){0,4})\s+command\b"
    r"|\b(?:run|running|execute|type|use|using|with|via|by|call|enter)\s+"
    rf"(?P<two>(?:{_PROGRAMS})(?:\s+(?!{_GOES_ON})[\w./<>=:@-]+){{1,6}})"
)
_ASKS_COMMAND = re.compile(
    r"\b(?:(?:what|which)(?:\s+\w+){0,2}\s+(?:command|commands|one-liner|line|invocation)|one-liner|command[- ]line"
    r"|(?:what|which\s+\w+)\s+(?:do|should|would|must|can)\s+(?:i|we|you)\s+(?:\w+\s+)?(?:type|run|execute|enter))\b",
    re.IGNORECASE,
)
_ASKS_HOW = re.compile(
    r"\bhow\s+(?:do|can|should|would|to)\s*(?:i|we|you|one)?\s+(?:\w+ly\s+)?(?:run|install|start|stop|build|create|launch"
    r"|execute|uninstall|upgrade|update|list|check|verify|generate|compile|deploy|restart|clone|serve|publish|set\s+up|test"
    r"|remove|add)\b",
    re.IGNORECASE,
)


def asks_command(shape: QuestionShape) -> float:
    """How surely a question is answered by a command: 1 where it asks for one, less where it asks how."""
    if _ASKS_COMMAND.search(shape.text):
        return 1.0
    return 0.6 if _ASKS_HOW.search(shape.text) else 0.0


def told_by_lead(
    listed: Sequence[Piece], inputs: AnswerInputs, is_line: Callable[[str], bool] | None = None
) -> list[Piece]:
    """Pieces; the lines of code among them with the words of what announces them.

    Args:
        is_line: what is such a line, if it is no command.
    """
    before, asked = _Before(inputs), is_line or is_code
    return [_told(piece, before) if piece.row is None and asked(piece.text) else piece for piece in listed]


def commands(text: str) -> Iterator[tuple[str, float]]:
    """The commands that a line or a sentence holds, each with how surely it is one, in [0, 1]."""
    text = text.strip()
    if is_code(text):
        for part in _MERGED.split(_PROMPT.sub("", text)):
            if part and len(part) <= LINE_CHARACTERS:
                yield part, 1.0
        return
    for match in _INLINE.finditer(text):
        found = (match["one"] or match["two"] or "").strip(" .,;:")
        if found:
            yield found, 0.8


def is_code(line: str) -> bool:
    """Whether a line is one of a block of commands: it has a prompt, or begins like one and is no sentence."""
    text = line.strip()
    if _COMMENT.match(text) and not text.startswith("# "):
        return False
    bare = _PROMPT.sub("", text)
    if bare != text:
        return bool(bare)
    return bool(_COMMAND.match(text)) and not text.endswith(_STOPS) and not _PROSE.search(text)


class _Before:
    """What stands right before a line: on its block, and in the component before."""

    def __init__(self, inputs: AnswerInputs) -> None:
        beside = inputs.beside if isinstance(inputs, ExtractInputs) else []
        self._by_place: Mapping[tuple[str, int], EvidenceText] = {
            (one.page, one.order): one for one in [*beside, *inputs.evidence] if one.order is not None
        }

    def of(self, piece: Piece) -> str:
        """The comment over a line, and the sentences that announce its block."""
        item, place = piece.evidence, piece.sentence or 0
        own = item.sentences[:place]
        comment = own[-1:] if own and (_COMMENT.match(own[-1]) or own[-1].rstrip().endswith(":")) else []
        if any(not is_code(line) and leads_in(replace(piece, text=line)) for line in own):
            return " ".join(comment)
        back = self._by_place.get((item.page, item.order - 1)) if item.order is not None else None
        steps = 1
        while (
            back is not None and back.sentences and all(map(_is_of_block, back.sentences)) and steps < 3 and item.order
        ):
            steps += 1
            back = self._by_place.get((item.page, item.order - steps))
        told = back.sentences[-_TELLING:] if back is not None and back.section == item.section and not back.rows else []
        return " ".join([*told, *comment])


def _is_of_block(line: str) -> bool:
    return is_code(line) or bool(_COMMENT.match(line))


def _told(piece: Piece, before: _Before) -> Piece:
    return told_more(piece, content_terms(before.of(piece)))
