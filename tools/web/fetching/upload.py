"""Publish the picture of a question, as Google Lens accepts addresses, not files.

Only by the operator's hook: a command that gets the file and prints an address, or an address that accepts
the file by POST and answers with one, as text or {"url": …}. Without a hook nothing is published.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
from pathlib import Path

import httpx

from backtrail.tools.untrusted_values import read_json
from backtrail.tools.web.environment import UPLOAD_COMMAND, UPLOAD_URL
from backtrail.tools.web.errors import Refused, SearchRejected, SearchUnavailable
from backtrail.tools.web.fetching.addresses import web_address
from backtrail.tools.web.fetching.fetch import Tally, tls
from backtrail.tools.web.sanitize_text import one_line

MOST_BYTES = 100_000


def hook() -> str:
    """Return the variable that configures a hook; empty if there is none."""
    return next((name for name in (UPLOAD_COMMAND, UPLOAD_URL) if os.environ.get(name)), "")


async def public_address(file: Path, timeout: float, tally: Tally) -> str:
    """Publish the picture and return its public address.

    Raises:
        SearchRejected: no hook is configured, or it gave no address.
        SearchUnavailable: the hook did not end in time.
    """
    if command := os.environ.get(UPLOAD_COMMAND):
        address = await asyncio.to_thread(_run, command, file, timeout)
    elif url := os.environ.get(UPLOAD_URL):
        address = await _post(url, file, timeout, tally)
    else:
        raise SearchRejected(
            "A search by picture needs a public address of the question's picture, and nothing publishes it. Set "
            f"{UPLOAD_COMMAND} to a command that gets the file and prints an address, or {UPLOAD_URL} to an "
            "address that accepts it by POST; or set web.provider to corpus."
        )
    try:
        return str(web_address(address.strip()))
    except Refused as error:
        raise SearchRejected(f"The upload hook gave no usable address for the picture: {error}") from error


def _run(command: str, file: Path, timeout: float) -> str:
    try:
        words = shlex.split(command)
        done = subprocess.run([*words, str(file)], capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise SearchUnavailable(f"The command in {UPLOAD_COMMAND} did not end within {timeout:g} seconds.") from None
    except (OSError, ValueError, IndexError) as error:
        raise SearchRejected(f"The command in {UPLOAD_COMMAND} cannot be run ({error}).") from error
    if done.returncode:
        message = one_line(done.stderr[-500:].decode("utf-8", "replace"), 300)
        raise SearchRejected(f"The command in {UPLOAD_COMMAND} failed with status {done.returncode}: {message}")
    return done.stdout[:MOST_BYTES].decode("utf-8", "replace")


async def _post(url: str, file: Path, timeout: float, tally: Tally) -> str:
    content = await asyncio.to_thread(file.read_bytes)
    context = await asyncio.to_thread(tls)
    try:
        async with asyncio.timeout(timeout), httpx.AsyncClient(verify=context, timeout=timeout) as client:
            tally.requests += 1
            answer = await client.post(url, content=content, headers={"Content-Type": "application/octet-stream"})
    except TimeoutError:
        raise SearchUnavailable(f"{UPLOAD_URL} did not answer within {timeout:g} seconds.") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise SearchUnavailable(f"{UPLOAD_URL} could not be reached ({type(error).__name__}).") from error
    if not answer.is_success:
        raise SearchRejected(f"{UPLOAD_URL} did not accept the picture (HTTP {answer.status_code}).")
    try:
        return str(read_json(answer.text)["url"])
    except (ValueError, KeyError, TypeError):
        return answer.text
