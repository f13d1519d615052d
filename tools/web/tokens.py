"""The first so many tokens of a text, by a real tokenizer: the vocabulary that comes with the default embedder.

CogPlanner does not say whose tokens it counts. WordPiece of MiniLM is at hand without a download; for
English it gives about a tenth more tokens than the vocabularies of chat models, and for Chinese one a
character, so a page is never longer than asked for.
"""

from __future__ import annotations

import functools

from tokenizers import Tokenizer

from backtrail.tools.embedders.minilm import packaged_folder

# No token is longer in ordinary text; a megabyte would be tokenised only to be cut.
_CHARACTERS_PER_TOKEN = 40


def first_tokens(text: str, most: int) -> str:
    """The text, cut after so many tokens. Blocks.

    Raises:
        EmbedderWeightsMissing: the package with the vocabulary is not installed.
    """
    text = text[: most * _CHARACTERS_PER_TOKEN].encode("utf-8", "replace").decode()
    encoding = _tokenizer().encode(text, add_special_tokens=False)
    if len(encoding.ids) <= most:
        return text
    return text[: encoding.offsets[most - 1][1]].rstrip()


def token_count(text: str) -> int:
    """How many tokens a text has. Blocks; raises as ``first_tokens``."""
    return len(_tokenizer().encode(text.encode("utf-8", "replace").decode(), add_special_tokens=False).ids)


@functools.cache
def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(packaged_folder() / "tokenizer.json"))
    # Set once, here: changing a tokenizer while another thread uses it is an error.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
