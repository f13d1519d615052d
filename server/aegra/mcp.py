"""MCP endpoint for aegra, which has none: Streamable HTTP without sessions, with JSON responses.

The tools are those of LangGraph's server: every method and assistant, and those of ``mcp_tools``. A call starts a
run over the server's own API with the caller's key, so keys, limits and policy apply. The middleware has what both
servers share (tools by policy, the corpus as an input, short answers).
"""

from __future__ import annotations

import asyncio
import importlib
import re
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from backtrail.graphs.serving.forms import INPUTS
from backtrail.graphs.serving.hosts import graphs
from backtrail.server.internal_api import every
from backtrail.server.mcp_answers import MCP, collect
from backtrail.server.mcp_corpus import as_setting
from backtrail.server.own_api import loopback_client
from backtrail.tools.access.own_server import REFUSED, UNREACHED, refusal_text

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Protocol versions, newest first. Their differences are not used here."""

PATHS = (MCP, f"{MCP}/")
_INVALID_PARAMS, _UNKNOWN_METHOD = -32602, -32601
_RUNS = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": True}
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_.-]")


class _Refused(Exception):
    """Request that is answered by a JSON-RPC error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.answer = {"error": {"code": code, "message": message}}


async def mcp(request: Request) -> Response:
    """Answer one MCP message."""
    if request.method != "POST":
        return Response(status_code=405)  # no session to end, nothing to stream
    sent: Any = orjson.loads(await request.body() or b"null")
    if not isinstance(sent, dict) or sent.get("jsonrpc") != "2.0":
        return JSONResponse({"error": "A message must be a JSON-RPC 2.0 object."}, 400)
    if sent.get("id") is None or not isinstance(sent.get("method"), str):
        return Response(status_code=202)  # a notification, or a response without a request
    try:
        answer = {"result": await _result(request, sent["method"], sent.get("params") or {})}
    except _Refused as refused:
        answer = refused.answer
    return JSONResponse({"jsonrpc": "2.0", "id": sent["id"], **answer})


async def _result(request: Request, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        wanted = params.get("protocolVersion")
        return {
            "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": {"name": "Backtrail", "version": version("backtrail")},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": await _tools(request)}
    if method == "tools/call":
        return await _called(request, params)
    raise _Refused(_UNKNOWN_METHOD, f"Method not found: {method[:80]}")


async def _tools(request: Request) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "title": one["name"],
            "description": one.get("description") or f"Asks the assistant {one['name']}.",
            "inputSchema": await asyncio.to_thread(_input_schema, one["graph_id"]),
            "annotations": _RUNS,
        }
        for name, one in (await _assistants(request)).items()
        if one["graph_id"] in graphs()
    ]


async def _called(request: Request, params: Mapping[str, Any]) -> dict[str, Any]:
    assistant = (await _assistants(request)).get(str(params.get("name")))
    if assistant is None:
        raise _Refused(_INVALID_PARAMS, f"Unknown tool: {str(params.get('name'))[:80]}")
    if not isinstance(params.get("arguments") or {}, dict):
        raise _Refused(_INVALID_PARAMS, "'arguments' must be an object with the tool's inputs by name.")
    run = as_setting(
        {
            "assistant_id": assistant["assistant_id"],
            "input": params.get("arguments") or {},
            "context": params.get("context"),
        }
    )
    try:
        values: Any = await (await loopback_client(request)).runs.wait(
            None, run["assistant_id"], input=run["input"], context=run["context"], on_completion="keep",
            raise_error=False,
        )  # fmt: skip
    except REFUSED as error:
        values = {"__error__": {"message": refusal_text(error)}}
    except UNREACHED as error:
        values = {"__error__": {"message": f"The server cannot reach its own API: {error}"}}
    if failed := values.get("__error__"):
        return {"isError": True, "content": [{"type": "text", "text": str(failed["message"])}]}
    body = orjson.dumps(values)
    collect(body)  # the middleware replaces the state by the answer
    return {"content": [{"type": "text", "text": body.decode()}]}


async def _assistants(request: Request) -> dict[str, Mapping[str, Any]]:
    """Return the assistants that the requester may run, by tool name; the server's own take precedence."""
    client = await loopback_client(request)
    found = [one async for one in every(client.assistants.search)]
    found.sort(key=lambda one: (one.get("metadata") or {}).get("created_by") != "system")
    named: dict[str, Mapping[str, Any]] = {}
    for one in found:
        named.setdefault(_NOT_IN_NAMES.sub("", re.sub(r"\s+", "_", one["name"].strip()))[:128], one)
    return {name: one for name, one in named.items() if name}


def _input_schema(graph_id: str) -> dict[str, Any]:
    """Return a tool's input schema: its graph's, with a string for messages. Blocking."""
    module, _, name = graphs()[graph_id]["path"].partition(":")
    schema: dict[str, Any] = getattr(importlib.import_module(module), name).get_input_jsonschema()
    properties = dict(schema.get("properties", {}))
    if "messages" in properties:
        properties["messages"] = {"type": "string", "description": INPUTS["question"]}
    kept = {key: value for key, value in schema.items() if key != "$defs"}
    return {**kept, "type": "object", "properties": properties}
