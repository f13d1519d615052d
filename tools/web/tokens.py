"""Count and cut tokens by the tokenizer of the default embedder.

CogPlanner does not name its tokenizer. MiniLM's WordPiece needs no download; for English it gives about a tenth more
tokens than chat models, and for Chinese one per character, so that a page does not exceed its limit.
"""

from __future__ import annotations

import functools

from tokenizers import Tokenizer

from backtrail.tools.embedders.minilm_weights import weights_folder
from backtrail.tools.home import cache_folder

# Longer than any token of ordinary text; avoids tokenising a megabyte that is then cut.
_CHARACTERS_PER_TOKEN = 40


def first_tokens(text: str, most: int) -> str:
    """Cut a text after ``most`` tokens. Blocking.

    Raises:
        EmbedderWeightsMissing: the package with the vocabulary is not installed.
    """
    text = text[: most * _CHARACTERS_PER_TOKEN].encode("utf-8", "replace").decode()
    encoding = _tokenizer().encode(text, add_special_tokens=False)
    if len(encoding.ids) <= most:
        return text
    return text[: encoding.offsets[most - 1][1]].rstrip()


def token_count(text: str) -> int:
    """Count the tokens of a text. Blocking; raises as ``first_tokens``."""
    return len(_tokenizer().encode(text.encode("utf-8", "replace").decode(), add_special_tokens=False).ids)


@functools.cache
def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(weights_folder(cache_folder()) / "tokenizer.json"))
    # Set once, here: changing a tokenizer while another thread uses it is an error.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
