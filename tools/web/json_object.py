"""Answers of services as JSON objects."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def json_object(body: bytes) -> Mapping[str, Any]:
    """The JSON object in an answer; an empty one when there is none, as in errors of proxies."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, Mapping) else {}
