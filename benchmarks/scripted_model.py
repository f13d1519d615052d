"""Fake model server on loopback: each reply is the first value that fits the requested schema.

    python benchmarks/scripted_model.py [--port 8930] [--seconds 0]

For rehearsing an evaluation at no cost: `--model openai-compatible:scripted@http://127.0.0.1:8930/v1` exercises calls,
retries and budgets as with any model, and counts tokens (four characters each). Ids are taken from those offered in
the prompt, so that most replies pass the checks; scores say nothing about a method.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CHARACTERS_PER_TOKEN = 4
_OFFERED = re.compile(r"^\s*(?:[-*]\s*)?\[?`?(?P<id>[A-Za-z0-9_][^\s\]`|]*)`?\]?[ :|]", re.M)


def first_fit(schema: Mapping[str, Any], whole: Mapping[str, Any], offered: list[str], name: str = "") -> Any:
    """Return the first value that a JSON schema allows.

    Args:
        whole: root schema for ``$ref``.
        offered: ids offered in the prompt, for fields named like one.
        name: name of the field.
    """
    if "$ref" in schema:
        return first_fit(whole["$defs"][schema["$ref"].rpartition("/")[2]], whole, offered, name)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return first_fit(schema[several][0], whole, offered, name)
    kind = schema.get("type", "object")
    if kind == "object":
        return {key: first_fit(part, whole, offered, key) for key, part in schema.get("properties", {}).items()}
    if kind == "array":
        items = [first_fit(schema.get("items", {}), whole, offered, name) for _ in range(schema.get("minItems", 1))]
        return items
    if kind == "string":
        return offered[0] if offered and name.rstrip("s") in ("id", "component", "document", "quote_id") else "scripted"
    return {"boolean": True, "integer": schema.get("minimum", 1), "number": schema.get("minimum", 1), "null": None}[
        kind
    ]


class _Model(BaseHTTPRequestHandler):
    seconds = 0.0

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        time.sleep(self.seconds)
        asked = "\n".join(_text(message["content"]) for message in body["messages"])
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        reply = json.dumps(first_fit(schema, schema, _OFFERED.findall(asked))) if schema else "scripted"
        usage = {"prompt_tokens": len(asked) // CHARACTERS_PER_TOKEN, "completion_tokens": len(reply) // 4}
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply}}
        self._say({"id": "1", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [choice],
                   "usage": {**usage, "total_tokens": sum(usage.values())}})  # fmt: skip

    def _say(self, value: Mapping[str, Any]) -> None:
        content = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Do nothing."""


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def main() -> None:
    """Serve until it is stopped."""
    parser = argparse.ArgumentParser(description="Fake model server for rehearsals.")
    parser.add_argument("--port", type=int, default=8930)
    parser.add_argument("--seconds", type=float, default=0.0, help="latency of each reply")
    chosen = parser.parse_args()
    _Model.seconds = chosen.seconds
    server = ThreadingHTTPServer(("127.0.0.1", chosen.port), _Model)
    print(f"--model openai-compatible:scripted@http://127.0.0.1:{server.server_port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
