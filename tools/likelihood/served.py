"""Likelihoods from an OpenAI-compatible server, in the first of three ways that it supports.

1. ``prompt_logprobs`` (vLLM): the text is sent as the reply so far, and the server returns log probabilities of the
   prompt's tokens: one request per text, exact.
2. ``echo`` (older completions API): a plain prompt is echoed with its log probabilities, without new tokens: one
   request per text, exact, without pictures.
3. ``top_logprobs``: the next token is requested repeatedly, and the text is matched with its most likely
   alternatives: one request per token, exact as long as each token is among them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage, convert_to_openai_messages

from backtrail.state.usage import Charge, charge
from backtrail.tools.deciders import environment
from backtrail.tools.deciders.allowed import check_allowed
from backtrail.tools.deciders.model_name import parse_model_name
from backtrail.tools.deciders.requests.classify_error import request_trouble
from backtrail.tools.errors import ModelError, ModelRejected, SettingsError
from backtrail.tools.likelihood import replies
from backtrail.tools.likelihood.errors import LikelihoodUnavailable
from backtrail.tools.likelihood.likelihood import Likelihood

Prompt = str | Sequence[BaseMessage]
Way = Callable[[Prompt, str], Awaitable[Likelihood | None]]
_CONTINUED = {"add_generation_prompt": False, "continue_final_message": True}
"""Makes vLLM continue the last message; llama.cpp does so by itself and ignores this."""
_MOST_STEPS = 512


class ServedLikelihood:
    """Scores texts by a served model. Each unsupported way is tried only once.

    Args:
        model: ``openai-compatible:NAME@URL`` or ``openai:MODEL``. OpenAI's own servers cannot continue a reply, so
            that they can score only texts of one token.

    Raises:
        SettingsError: another provider, a model that is not allowed here, or no key for it.
    """

    def __init__(self, model: str) -> None:
        from openai import AsyncOpenAI  # slow to import

        name = parse_model_name(model)
        check_allowed(name)
        if name.provider not in ("openai", "openai-compatible"):
            raise SettingsError(f"{model!r} does not support likelihoods: name openai-compatible:NAME@URL.")
        key = environment.api_key(name)
        self.name = model
        self._model = name.model
        self._continues = name.provider == "openai-compatible"
        self._secrets = (key,) if key else ()
        self._client = AsyncOpenAI(
            api_key=key or "no-key-configured", base_url=environment.base_url(name), timeout=environment.timeout(),
            max_retries=environment.tries() - 1, default_headers={"Connection": "close"},
        )  # fmt: skip
        self._ways: dict[str, Way] = {
            "prompt_logprobs": self._by_prompt,
            "echo": self._by_echo,
            "top_logprobs": self._by_steps,
        }
        self._unsupported: dict[str, str] = {}
        self._spent = charge()

    @property
    def spent(self) -> Charge:
        """Requests and tokens so far, without cost."""
        return self._spent

    async def score(self, prompt: Prompt, candidates: Sequence[str], *, at_once: int = 4) -> list[Likelihood]:
        """Return the likelihood of each text after the prompt, in order.

        Args:
            prompt: messages, with pictures as data URLs; or a plain text to continue.
            at_once: concurrent requests.

        Raises:
            LikelihoodUnavailable: the server supports none of the three ways.
            ModelUnavailable, ModelRejected: it cannot be reached, or refuses the prompt itself.
        """
        if not candidates or not all(one.strip() for one in candidates):
            raise SettingsError("There is nothing to score: name at least one text, none of them empty.")
        first = await self._one(prompt, candidates[0])  # learns what the server supports
        gate = asyncio.Semaphore(at_once)

        async def scored(text: str) -> Likelihood:
            async with gate:
                return await self._one(prompt, text)

        return [first, *await asyncio.gather(*(scored(text) for text in candidates[1:]))]

    async def _one(self, prompt: Prompt, text: str) -> Likelihood:
        for name, way in self._ways.items():
            if name in self._unsupported or (name == "echo" and not isinstance(prompt, str)):
                continue
            if name == "prompt_logprobs" and (isinstance(prompt, str) or not self._continues):
                continue
            try:
                found = await way(prompt, text)
            except ModelRejected as error:
                if error.status not in (400, 404, 405, 422, 501):
                    raise
                self._unsupported[name] = str(error)
                continue
            if found is not None:
                return found
            self._unsupported.setdefault(name, "the reply has none")
        tried = "; ".join(f"{name}: {why}" for name, why in self._unsupported.items()) or "no way fits this prompt"
        raise LikelihoodUnavailable(
            f"{self.name} does not give likelihoods of given texts ({tried}). Serve the model with vLLM or llama.cpp, "
            "or let it choose by a letter."
        )

    async def _by_prompt(self, prompt: Prompt, text: str) -> Likelihood | None:
        reply = await self._chat(prompt, text, max_tokens=1, extra={**_CONTINUED, "prompt_logprobs": 0})
        return replies.from_prompt(reply, text)

    async def _by_echo(self, prompt: Prompt, text: str) -> Likelihood | None:
        assert isinstance(prompt, str)
        reply = await self._complete(prompt + text, max_tokens=0, logprobs=1, echo=True)
        return replies.from_echo(reply, prompt, text)

    async def _by_steps(self, prompt: Prompt, text: str) -> Likelihood | None:
        """Match the text token by token with the most likely next tokens."""
        written, total, tokens = "", 0.0, 0
        while written != text and tokens < _MOST_STEPS:
            if written and not self._continues:
                raise LikelihoodUnavailable(
                    f"{self.name} cannot continue a reply, and {text!r} is more than one token: its likelihood is not "
                    "available. Score letters or single words, or serve a model of your own."
                )
            likely = await self._next(prompt, written)
            if not likely:
                return None
            step = replies.step_along(likely, text[len(written) :])
            tokens += 1
            if step is None:
                return Likelihood(text, total + min(likely.values()), tokens, exact=False)
            total += step.logprob
            written += step.text
        return Likelihood(text, total, tokens, exact=written == text)

    async def _next(self, prompt: Prompt, written: str) -> Mapping[str, float]:
        if isinstance(prompt, str):
            return replies.likely_in_completion(await self._complete(prompt + written, max_tokens=1, logprobs=20))
        extra = _CONTINUED if written else {}
        reply = await self._chat(prompt, written, max_tokens=1, extra=extra, logprobs=True, top_logprobs=20)
        return replies.likely_in_chat(reply)

    async def _chat(self, prompt: Prompt, written: str, *, extra: Mapping[str, Any], **options: Any) -> dict[str, Any]:
        messages = prompt if not isinstance(prompt, str) else []
        sent: Any = convert_to_openai_messages(list(messages))
        begun: list[Any] = [{"role": "assistant", "content": written}] if written else []
        return await self._sent(
            self._client.chat.completions.create(
                model=self._model, messages=[*sent, *begun], temperature=0, extra_body=dict(extra) or None, **options
            )
        )

    async def _complete(self, prompt: str, **options: Any) -> dict[str, Any]:
        return await self._sent(
            self._client.completions.create(model=self._model, prompt=prompt, temperature=0, **options)
        )

    async def _sent(self, request: Awaitable[Any]) -> dict[str, Any]:
        try:
            reply = (await request).model_dump(warnings=False)  # malformed replies are handled below
        except Exception as error:  # the client's own; unknown ones are raised again
            trouble = request_trouble(error, self._secrets)
            if trouble is None:
                raise
            failure: ModelError = trouble.error(self.name)
            raise failure from error
        sent, written = replies.tokens_used(reply)
        self._spent["calls"] += 1
        self._spent["input_tokens"] += sent
        self._spent["output_tokens"] += written
        return reply
