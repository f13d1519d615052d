"""Client that sends the largest permitted questions as fast as they are answered."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import random
import time
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import httpx
from PIL import Image

from hosted_load.users import CONTEXT

QUESTION, MESSAGE, REQUEST, VALUES = 10_000, 12 * 2**20, 16 * 2**20, 500_000
"""Same limits as in ``state/limits.py``."""


def bodies() -> Iterator[dict[str, Any]]:
    """Yield request bodies: long words, large pictures, many pixels, a long conversation, many values."""
    words = ("In which year was the station Balwenen opened, and " * 300)[: QUESTION - 1]
    photo, wide = _picture((2400, 1600), noisy=True), _picture((7000, 7000), noisy=False)
    several = ([photo] * 8)[: MESSAGE // len(photo) or 1]
    turns = [{"role": "user" if at % 2 else "assistant", "content": "It was opened. " * 900} for at in range(900)]
    for asked in (
        {"question": words},
        {"messages": [_shown(words, several)]},
        {"messages": [_shown("Which is larger?", [wide] * 8)]},
        {"messages": [*turns, {"role": "user", "content": words}]},
        {"question": words, "messages": [], "more": [[]] * (VALUES - 5_000)},
    ):
        body = {"assistant_id": "fif", "input": asked, "context": {**CONTEXT, "planner": "offline"}}
        assert len(json.dumps(body)) < REQUEST
        yield body


async def send_largest(url: str, key: str, ends: float) -> list[tuple[int, float]]:
    """Send requests one after the other; return the status (0 without an answer) and seconds of each."""
    done: list[tuple[int, float]] = []
    prepared = [json.dumps(body).encode() for body in bodies()]
    kind = {"Content-Type": "application/json", "x-api-key": key}
    async with httpx.AsyncClient(base_url=url, headers=kind, timeout=120) as client:
        for body in cycle(prepared):
            if time.monotonic() > ends:
                return done
            began = time.monotonic()
            try:
                status = (await client.post("/runs/wait", content=body)).status_code
            except httpx.HTTPError:
                status = 0  # no answer within two minutes
            done.append((status, time.monotonic() - began))
            await asyncio.sleep(0 if status == 200 else 0.5)  # back off when refused, as clients do
    return done


def _picture(size: tuple[int, int], *, noisy: bool) -> str:
    draw = random.Random(1)
    image = Image.frombytes("RGB", size, draw.randbytes(3 * size[0] * size[1])) if noisy else Image.new("RGBA", size)
    packed = io.BytesIO()
    image.save(packed, "JPEG", quality=30) if noisy else image.save(packed, "PNG")
    return base64.b64encode(packed.getvalue()).decode()


def _shown(text: str, pictures: list[str]) -> dict[str, Any]:
    shown = [{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{one}"}} for one in pictures]
    return {"role": "user", "content": [{"type": "text", "text": text}, *shown]}
