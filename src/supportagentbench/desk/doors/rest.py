"""REST: the same desk for agents that cannot speak MCP: each tool has a path, described in OpenAPI 3.1."""

from typing import Any

import msgspec

from supportagentbench.desk.doors.exchange import (
    LARGEST_BODY,
    DeskAnswer,
    DeskRequest,
    ServedDesk,
    call_arguments,
)
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json, readable, to_json
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.version import __version__

TOOLS = "tools/"

RESULT = {
    "type": "object",
    "required": ["ok", "text", "result"],
    "properties": {
        "ok": {"type": "boolean", "description": "Whether the tool did its work."},
        "text": {"type": "string", "description": "What it found or did, or why it did not do its work."},
        "result": {"description": "What it found or did, as JSON; null if it did not do its work."},
    },
}


USAGE = {
    "type": "object",
    "description": "The usage that the model's API named, and the model.",
    "properties": {
        "model": {"type": "string"},
        "input_tokens": {"type": "integer"},
        "output_tokens": {"type": "integer"},
    },
    "required": ["input_tokens", "output_tokens"],
}


def rest_answer(request: DeskRequest, path: str, desk: ServedDesk, base: str) -> DeskAnswer:
    """The answer to a request below `base`, a desk's address."""
    if len(request.body) > LARGEST_BODY:
        return _refused(413, f"At most {LARGEST_BODY:,} bytes are accepted.")
    right = "POST" if path == "usage" or path.startswith(TOOLS) else "GET"
    if request.method != right:
        return DeskAnswer(405, allow=right)
    match path:
        case "openapi.json":
            return DeskAnswer(200, to_json(openapi(desk, base)))
        case "tools":
            return DeskAnswer(200, to_json([*desk.tools]))
        case "instructions":
            return DeskAnswer(200, desk.instructions.encode(), "text/plain; charset=utf-8")
        case "usage":
            return _spent(request.body, desk)
        case _:
            return _called(path.removeprefix(TOOLS), request.body, desk)


def _called(tool: str, body: bytes, desk: ServedDesk) -> DeskAnswer:
    """What a tool returned. What cannot be a call is noted at the desk, as from any other agent."""
    arguments: dict[str, Any] | str
    try:
        arguments = call_arguments(from_json(body, object) if body else None)
    except msgspec.DecodeError:
        arguments = body.decode(errors="replace")
    status = 404 if tool not in desk.tools else 400 if isinstance(arguments, str) else 200
    result = desk.call(tool, arguments)
    found = result.written if result.ok else None
    return DeskAnswer(status, msgspec.json.encode({"ok": result.ok, "text": result.text, "result": found}))


def _spent(body: bytes, desk: ServedDesk) -> DeskAnswer:
    try:
        desk.spend(from_json(body, dict[str, Any]))
    except msgspec.DecodeError as error:
        return _refused(400, f"The usage cannot be read: {error}.")
    except Problem as problem:
        return _refused(400, str(problem))
    return DeskAnswer(204)


def _refused(status: int, words: str) -> DeskAnswer:
    return DeskAnswer(status, to_json({"error": words}))


def openapi(desk: ServedDesk, base: str) -> dict[str, Any]:
    """The description of a desk at this address for programs."""
    usage = {
        "operationId": "usage",
        "description": "Report the tokens of one model call.",
        "requestBody": {"required": True, **_json(USAGE)},
        "responses": {"204": {"description": "Noted."}},
    }
    paths = {f"/{TOOLS}{name}": {"post": _operation(tool)} for name, tool in desk.tools.items()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Desk", "version": __version__},
        "servers": [{"url": readable(base)}],
        "paths": paths | {"/usage": {"post": usage}},
    }


def _operation(tool: ToolSpec) -> dict[str, Any]:
    answer = {"description": "What the tool returned.", **_json(RESULT)}
    return {
        "operationId": tool.name,
        "description": tool.about,
        "requestBody": {"required": True, **_json(tool.schema)},
        "responses": {"200": answer},
    }


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}}
