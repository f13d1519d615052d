"""Likelihoods from a server that speaks OpenAI's format, in the first of three ways that it knows.

1. The text is sent as the reply so far, and the server tells the log-probabilities of the prompt's own tokens
   (vLLM's ``prompt_logprobs``): one request a text, exact.
2. A plain prompt is completed by nothing and echoed with its log-probabilities (``echo`` of the older completions):
   one request a text, exact, without pictures.
3. One token after another is asked for with the likeliest in its place (``top_logprobs``), and the text is followed
   through them: a request a token, exact as long as each token is among those that are named.
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
"""How vLLM is told that the last message goes on; llama.cpp does so by itself, and passes this over."""
_MOST_STEPS = 512


class ServedLikelihood:
    """Scores texts by a model that is named as in settings. What a server cannot do is asked of it once.

    Args:
        model: ``openai-compatible:NAME@URL`` or ``openai:MODEL``. OpenAI's own servers begin a reply anew instead of
            going on with one, so that there only texts of one token can be scored.

    Raises:
        SettingsError: another provider, a model that is not allowed here, or no key for it.
    """

    def __init__(self, model: str) -> None:
        from openai import AsyncOpenAI  # slow to import

        name = parse_model_name(model)
        check_allowed(name)
        if name.provider not in ("openai", "openai-compatible"):
            raise SettingsError(f"{model!r} cannot be asked for likelihoods: name openai-compatible:NAME@URL.")
        key = environment.api_key(name)
        self.name = model
        self._model = name.model
        self._goes_on = name.provider == "openai-compatible"
        self._secrets = (key,) if key else ()
        self._client = AsyncOpenAI(
            api_key=key or "no-key-configured", base_url=environment.base_url(name), timeout=environment.timeout(),
            max_retries=environment.tries() - 1, default_headers={"Connection": "close"},
        )  # fmt: skip
        self._ways: dict[str, Way] = {
            "prompt_logprobs": self._told,
            "echo": self._echoed,
            "top_logprobs": self._followed,
        }
        self._unknown: dict[str, str] = {}
        self._spent = charge()

    @property
    def spent(self) -> Charge:
        """Requests and tokens so far; what they cost is not known."""
        return self._spent

    async def score(self, prompt: Prompt, candidates: Sequence[str], *, at_once: int = 4) -> list[Likelihood]:
        """How likely the model would say each text after the prompt, in their order.

        Args:
            prompt: messages, with pictures as data URLs; or a plain text that is gone on with.
            at_once: requests that may be open.

        Raises:
            LikelihoodUnavailable: the server knows none of the three ways.
            ModelUnavailable, ModelRejected: it cannot be reached, or refuses the prompt itself.
        """
        if not candidates or not all(one.strip() for one in candidates):
            raise SettingsError("There is nothing to score: name texts, none of them empty.")
        first = await self._one(prompt, candidates[0])  # learns what the server knows
        gate = asyncio.Semaphore(at_once)

        async def scored(text: str) -> Likelihood:
            async with gate:
                return await self._one(prompt, text)

        return [first, *await asyncio.gather(*(scored(text) for text in candidates[1:]))]

    async def _one(self, prompt: Prompt, text: str) -> Likelihood:
        for name, way in self._ways.items():
            if name in self._unknown or (name == "echo" and not isinstance(prompt, str)):
                continue
            if name == "prompt_logprobs" and (isinstance(prompt, str) or not self._goes_on):
                continue
            try:
                found = await way(prompt, text)
            except ModelRejected as error:
                if error.status not in (400, 404, 405, 422, 501):
                    raise
                self._unknown[name] = str(error)
                continue
            if found is not None:
                return found
            self._unknown.setdefault(name, "the reply told none")
        tried = "; ".join(f"{name}: {why}" for name, why in self._unknown.items()) or "nothing it takes could be asked"
        raise LikelihoodUnavailable(
            f"{self.name} does not say how likely given texts are ({tried}). Serve the model with vLLM or llama.cpp, "
            "or let it choose by a letter."
        )

    async def _told(self, prompt: Prompt, text: str) -> Likelihood | None:
        reply = await self._chat(prompt, text, max_tokens=1, extra={**_CONTINUED, "prompt_logprobs": 0})
        return replies.from_prompt(reply, text)

    async def _echoed(self, prompt: Prompt, text: str) -> Likelihood | None:
        assert isinstance(prompt, str)
        reply = await self._complete(prompt + text, max_tokens=0, logprobs=1, echo=True)
        return replies.from_echo(reply, prompt, text)

    async def _followed(self, prompt: Prompt, text: str) -> Likelihood | None:
        """The text token by token, each found among the likeliest in its place."""
        said, total, tokens = "", 0.0, 0
        while said != text and tokens < _MOST_STEPS:
            if said and not self._goes_on:
                raise LikelihoodUnavailable(
                    f"{self.name} begins each reply anew, and {text!r} is more than one token: its likelihood cannot "
                    "be asked for. Score letters or single words, or serve a model of your own."
                )
            likely = await self._next(prompt, said)
            if not likely:
                return None
            step = replies.step_along(likely, text[len(said) :])
            tokens += 1
            if step is None:
                return Likelihood(text, total + min(likely.values()), tokens, exact=False)
            total += step.logprob
            said += step.text
        return Likelihood(text, total, tokens, exact=said == text)

    async def _next(self, prompt: Prompt, said: str) -> Mapping[str, float]:
        if isinstance(prompt, str):
            return replies.likely_in_completion(await self._complete(prompt + said, max_tokens=1, logprobs=20))
        extra = _CONTINUED if said else {}
        reply = await self._chat(prompt, said, max_tokens=1, extra=extra, logprobs=True, top_logprobs=20)
        return replies.likely_in_chat(reply)

    async def _chat(self, prompt: Prompt, said: str, *, extra: Mapping[str, Any], **options: Any) -> dict[str, Any]:
        messages = prompt if not isinstance(prompt, str) else []
        told: Any = convert_to_openai_messages(list(messages))
        begun: list[Any] = [{"role": "assistant", "content": said}] if said else []
        return await self._sent(
            self._client.chat.completions.create(
                model=self._model, messages=[*told, *begun], temperature=0, extra_body=dict(extra) or None, **options
            )
        )

    async def _complete(self, prompt: str, **options: Any) -> dict[str, Any]:
        return await self._sent(
            self._client.completions.create(model=self._model, prompt=prompt, temperature=0, **options)
        )

    async def _sent(self, request: Awaitable[Any]) -> dict[str, Any]:
        try:
            reply = (await request).model_dump(warnings=False)  # what is amiss is looked at below
        except Exception as error:  # the client's own; unknown ones are raised again
            trouble = request_trouble(error, self._secrets)
            if trouble is None:
                raise
            told: ModelError = trouble.error(self.name)
            raise told from error
        sent, written = replies.tokens_used(reply)
        self._spent["calls"] += 1
        self._spent["input_tokens"] += sent
        self._spent["output_tokens"] += written
        return reply
