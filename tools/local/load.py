"""Load a checkpoint: weights, adapter, processor, end tokens and maximum length."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from backtrail.tools.embedders.torch_local import import_local
from backtrail.tools.errors import SettingsError
from backtrail.tools.local.checkpoint import Checkpoint
from backtrail.tools.local.errors import CheckpointBroken, CheckpointUnsupported
from backtrail.tools.local.gguf import config_in
from backtrail.tools.local.gguf_cache import forget_read, keep_unpacked, read_once, unpacked_folder
from backtrail.tools.local.options import LocalOptions
from backtrail.tools.local.processor import load_processor, load_tokenizer
from backtrail.tools.local.quantized import quantization


@dataclass(frozen=True)
class LoadedModel:
    """A model ready to generate, with its processor and limits.

    Args:
        processor: prepares text and pictures; for text-only models the tokenizer.
        ends: tokens that end a reply.
        longest: maximum of tokens of prompt and reply together; None if the architecture states none.
    """

    checkpoint: Checkpoint
    model: Any
    processor: Any
    tokenizer: Any
    device: str
    ends: frozenset[int]
    longest: int | None

    @property
    def sees(self) -> bool:
        """Whether it accepts pictures."""
        return self.checkpoint.sees

    @cached_property
    def template(self) -> str | None:
        """The chat template; None for models that are not chat models."""
        for holder in (self.processor, self.tokenizer):
            found = getattr(holder, "chat_template", None)
            if isinstance(found, dict):
                found = found.get("default")
            if found:
                return str(found)
        return None

    @property
    def only_captions(self) -> bool:
        """Whether it describes pictures but follows no instructions (BLIP-2)."""
        return self.sees and self.template is None


def load_checkpoint(checkpoint: Checkpoint, options: LocalOptions) -> LoadedModel:
    """Load a checkpoint onto its device. Takes seconds to minutes: not for event loops.

    Raises:
        DependencyMissing: torch, transformers, peft or bitsandbytes is not installed.
        SettingsError: the device does not exist.
        CheckpointBroken, CheckpointUnsupported: the files cannot be loaded.
    """
    torch = import_local("torch")
    device = _device(torch, options.device)
    dtype = _dtype(torch, options.dtype)
    if checkpoint.gguf and dtype == "auto":
        dtype = torch.float32 if device == "cpu" else torch.bfloat16  # quantised weights are unpacked into it
    named = checkpoint
    if checkpoint.gguf:
        checkpoint = _unpacked(checkpoint, dtype)
    quantized = quantization(options.quantized, device)
    model = _weights(checkpoint, dtype, quantized)
    if not quantized and options.dtype == "auto" and device == "cpu" and model.dtype == torch.float16:
        model = model.float()  # half precision is slow and incomplete on CPUs
    if checkpoint.adapter is not None:
        model = _with_adapter(model, checkpoint)
    model = model if quantized else _placed(model, device)
    if checkpoint.sees:
        processor = load_processor(checkpoint.words, checkpoint.model_type)
        tokenizer = processor.tokenizer
    else:
        processor = tokenizer = load_tokenizer(checkpoint.words, checkpoint.gguf)
    _complete(processor, model.config)
    ends = _plain_generation(model, tokenizer)
    return LoadedModel(named, model, processor, tokenizer, device, ends, _longest(model))


def _unpacked(checkpoint: Checkpoint, dtype: Any) -> Checkpoint:
    """Return the cached folder of a GGUF file, made now if necessary; the file itself if it cannot be cached."""
    file = checkpoint.base / checkpoint.gguf
    folder = unpacked_folder(file, str(dtype).removeprefix("torch."))
    if not (folder / "config.json").is_file():
        try:
            with read_once():
                model = _weights(checkpoint, dtype)
                tokenizer = load_tokenizer(checkpoint.words, checkpoint.gguf)
        finally:
            forget_read()
        if keep_unpacked(folder, model, tokenizer) is None:
            return checkpoint
    return replace(checkpoint, folder=folder, base=folder, words=folder, gguf="")


def _device(torch: Any, wanted: str) -> str:
    if wanted == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    kind, _, number = wanted.partition(":")
    here = {
        "cuda": torch.cuda.device_count() if torch.cuda.is_available() else 0,
        "mps": int(torch.backends.mps.is_available()),
        "xpu": torch.xpu.device_count() if torch.xpu.is_available() else 0,
    }.get(kind, 1)
    if int(number or 0) >= here:
        raise SettingsError(f"BACKTRAIL_LOCAL_DEVICE={wanted!r} does not exist on this machine. Use auto or cpu.")
    return wanted


def _dtype(torch: Any, wanted: str) -> Any:
    return "auto" if wanted == "auto" else getattr(torch, wanted)


def _weights(checkpoint: Checkpoint, dtype: Any, quantized: Mapping[str, Any] = MappingProxyType({})) -> Any:
    transformers = import_local("transformers")
    auto = transformers.AutoModelForImageTextToText if checkpoint.sees else transformers.AutoModelForCausalLM
    shown = transformers.utils.logging.is_progress_bar_enabled()
    transformers.utils.logging.disable_progress_bar()  # it would overwrite the caller's output
    # GGUF files have another progress bar, which cannot be disabled.
    quietly = contextlib.redirect_stderr(io.StringIO()) if checkpoint.gguf else contextlib.nullcontext()
    try:
        with quietly:
            model, found = auto.from_pretrained(
                str(checkpoint.base),
                dtype=dtype,
                local_files_only=True,
                trust_remote_code=False,
                output_loading_info=True,
                **quantized,
                **_stored(checkpoint),
            )
    except ImportError as error:
        raise CheckpointUnsupported(f"The checkpoint {str(checkpoint.base)!r} needs more packages: {error}") from error
    except (OSError, ValueError, KeyError, RuntimeError, TypeError, AttributeError, AssertionError) as error:
        raise CheckpointBroken(
            f"The weights of {str(checkpoint.base)!r} cannot be loaded: {str(error).rstrip('.')}. "
            "Copy the checkpoint again."
        ) from error
    except Exception as error:
        if type(error).__name__ != "SafetensorError":  # defined in Rust; imported with safetensors only
            raise
        raise CheckpointBroken(
            f"A safetensors file of {str(checkpoint.base)!r} is damaged ({error}). Copy the checkpoint again."
        ) from error
    finally:
        if shown:
            transformers.utils.logging.enable_progress_bar()
    if missing := sorted(found["missing_keys"]):  # transformers would use random numbers instead
        raise CheckpointBroken(
            f"The checkpoint {str(checkpoint.base)!r} lacks {len(missing)} of its weights ({', '.join(missing[:3])}). "
            "Copy the whole checkpoint; a trainer must have saved it as a whole model or as an adapter."
        )
    return model.eval()


def _stored(checkpoint: Checkpoint) -> dict[str, Any]:
    """Return the loading options for safetensors, or for a GGUF file, with its configuration."""
    if not checkpoint.gguf:
        return {"use_safetensors": True}
    return {"gguf_file": checkpoint.gguf, "config": config_in(checkpoint.base / checkpoint.gguf)}


def _with_adapter(model: Any, checkpoint: Checkpoint) -> Any:
    """Merge the adapter into the model, so that it generates as fast as without."""
    peft = import_local("peft")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # peft uses a deprecated property of transformers
            warnings.filterwarnings("error", message="Found missing adapter keys")  # else they would stay untrained
            return peft.PeftModel.from_pretrained(model, str(checkpoint.adapter)).merge_and_unload().eval()
    except AttributeError as error:
        raise CheckpointUnsupported(
            f"The adapter in {str(checkpoint.adapter)!r} cannot be merged into its model; use a LoRA adapter."
        ) from error
    except (OSError, ValueError, KeyError, RuntimeError, TypeError, UserWarning) as error:
        raise CheckpointBroken(
            f"The adapter in {str(checkpoint.adapter)!r} does not fit the model in {str(checkpoint.base)!r}: "
            f"{str(error).rstrip('.')}. Check base_model_name_or_path in its adapter_config.json."
        ) from error


def _placed(model: Any, device: str) -> Any:
    try:
        return model.to(device)
    except RuntimeError as error:  # torch's out-of-memory error is one
        raise CheckpointUnsupported(
            f"The model does not fit onto {device}: {str(error).rstrip('.')}. "
            "Use BACKTRAIL_LOCAL_DTYPE=bfloat16, a smaller checkpoint, or BACKTRAIL_LOCAL_DEVICE=cpu."
        ) from error


def _complete(processor: Any, config: Any) -> None:
    """Set options of the processor that early LLaVA and BLIP-2 folders have only in the model's configuration."""
    for holder, names in (
        (config, ("num_query_tokens", "vision_feature_select_strategy")),
        (getattr(config, "vision_config", None), ("patch_size",)),
    ):
        for name in names:
            if getattr(processor, name, "") is None and hasattr(holder, name):
                setattr(processor, name, getattr(holder, name))


def _plain_generation(model: Any, tokenizer: Any) -> frozenset[int]:
    """Reset the generation options (we sample ourselves, see sampling.py); return the tokens that end a reply."""
    # BLIP-2 generates with its inner language model and that model's configuration.
    inner: Any = getattr(model, "language_model", None)
    holders: list[Any] = [one for one in (model, inner) if hasattr(one, "generation_config")]
    configs = [one.generation_config for one in holders]
    ends = {token for config in configs for token in _ids(config.eos_token_id)} | set(_ids(tokenizer.eos_token_id))
    kept = ("bos_token_id", "decoder_start_token_id", "forced_bos_token_id")
    for one, config in zip(holders, configs, strict=True):
        one.generation_config = import_local("transformers").GenerationConfig(
            eos_token_id=sorted(ends) or None,
            pad_token_id=tokenizer.pad_token_id,
            **{name: getattr(config, name, None) for name in kept},
        )
    return frozenset(ends)


def _ids(value: int | list[int] | None) -> list[int]:
    return [] if value is None else [value] if isinstance(value, int) else list(value)


def _longest(model: Any) -> int | None:
    text = model.config.get_text_config()
    bound = getattr(text, "max_position_embeddings", None)
    return int(bound) if bound else None
