"""Parse answers of services as JSON objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backtrail.tools.untrusted_values import read_json


def json_object(body: bytes) -> Mapping[str, Any]:
    """Return the JSON object in an answer; an empty one if there is none, as in errors of proxies."""
    try:
        answer = read_json(body)
    except ValueError:
        return {}
    return answer if isinstance(answer, Mapping) else {}
