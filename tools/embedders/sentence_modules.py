"""Parse a sentence-transformers folder: modules.json and the files it points to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backtrail.tools.embedders.checkpoint_json import read_json, read_object
from backtrail.tools.embedders.errors import EmbedderUnknown, EmbedderUnsupported, EmbedderWeightsMissing
from backtrail.tools.embedders.pooling import Pooling, pooling_mode

SUPPORTED = ("Transformer", "Pooling", "Dense", "Normalize")


@dataclass(frozen=True)
class SentenceModules:
    """A parsed folder.

    Attributes:
        transformer: folder of the transformers checkpoint.
        max_tokens: the module's limit; None means the tokenizer's.
        lower_case: whether texts are lower-cased before the tokenizer.
        prompt: prefix of every text ("" for none).
        prompts: all prompts of the folder, by name.
        dense: folders of the linear layers after pooling, in order.
        definition: the files besides weights that determine the vectors.
    """

    transformer: Path
    pooling: Pooling
    max_tokens: int | None
    lower_case: bool
    prompt: str
    prompts: dict[str, str]
    dense: tuple[Path, ...]
    definition: tuple[Path, ...]


def read_modules(folder: Path) -> SentenceModules:
    """Parse a folder.

    Raises EmbedderWeightsMissing, EmbedderUnsupported (naming the module) or EmbedderUnknown (the default prompt).
    """
    if not folder.is_dir():
        raise EmbedderWeightsMissing(f"The checkpoint folder {str(folder)!r} does not exist.")
    chain = _module_paths(folder)
    paths = dict(chain)
    dense = tuple(path for kind, path in chain if kind == "Dense")
    transformer, pooling_file = paths["Transformer"], paths["Pooling"] / "config.json"
    limits = read_object(transformer / "sentence_bert_config.json", required=False)
    pooling = read_object(pooling_file)
    config = read_object(folder / "config_sentence_transformers.json", required=False)
    prompt = _prompt(config)
    if prompt and not pooling.get("include_prompt", True):
        raise EmbedderUnsupported(f"{str(pooling_file)!r} excludes the prompt from pooling, which is not supported.")
    definition = [folder / "modules.json", pooling_file, transformer / "config.json"]
    definition += [path / "config.json" for path in dense]
    optional = [transformer / "tokenizer.json", transformer / "sentence_bert_config.json"]
    return SentenceModules(
        transformer=transformer,
        pooling=pooling_mode(pooling),
        max_tokens=limits.get("max_seq_length"),
        lower_case=bool(limits.get("do_lower_case", False)),
        prompt=prompt,
        prompts=dict(config.get("prompts") or {}),
        dense=dense,
        definition=tuple(definition + [path for path in optional if path.is_file()]),
    )


def _module_paths(folder: Path) -> list[tuple[str, Path]]:
    """Return each module's kind and folder; accepts only Transformer, Pooling[, Dense …][, Normalize]."""
    modules = read_json(folder / "modules.json")
    try:
        named = [(str(module["type"]).rsplit(".", 1)[-1], folder / str(module["path"])) for module in modules]
    except (TypeError, KeyError) as error:
        raise EmbedderUnsupported(
            f"{str(folder / 'modules.json')!r} is not a list of modules with a type and a path."
        ) from error
    kinds = tuple(kind for kind, _ in named)
    for kind in kinds:
        if kind not in SUPPORTED:
            raise EmbedderUnsupported(
                f"{str(folder)!r} uses the module {kind!r}, which is not supported; supported are {SUPPORTED}."
            )
    behind = kinds[2:-1] if kinds[-1:] == ("Normalize",) else kinds[2:]
    if kinds[:2] != SUPPORTED[:2] or set(behind) - {"Dense"}:
        raise EmbedderUnsupported(f"{str(folder)!r} chains {kinds}; only {SUPPORTED} in this order is supported.")
    return named


def _prompt(config: dict[str, Any]) -> str:
    """Return the folder's default prompt, if any."""
    prompts: dict[str, str] = config.get("prompts") or {}
    chosen = config.get("default_prompt_name")
    if chosen is None:
        return ""
    if chosen not in prompts:
        raise EmbedderUnknown(f"The folder has no prompt {chosen!r}; it has {sorted(prompts)}.")
    return prompts[chosen]
