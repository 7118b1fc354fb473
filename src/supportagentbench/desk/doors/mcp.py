"""MCP: one message of the Model Context Protocol over HTTP and its answer, in both eras of the protocol.

Up to 2025-11-25 a client begins with a handshake, `initialize`. Since 2026-07-28 there is none: every request
says in its envelope which version it speaks, and in its headers what it asks for. Nothing is remembered
between two messages in either era, so there is no session id and no stream.
"""

import binascii
from base64 import b64decode
from typing import Annotated, Any, Literal

import msgspec
from multidict import CIMultiDictProxy

from supportagentbench.desk.doors.exchange import (
    LARGEST_BODY,
    DeskAnswer,
    DeskRequest,
    ServedDesk,
    call_arguments,
)
from supportagentbench.records.record import from_json, readable
from supportagentbench.records.version import __version__

HANDSHAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Versions that begin with a handshake, the oldest first."""

MODERN = ("2026-07-28",)
"""Versions without one."""

SERVER = {"name": "desk", "version": __version__}
"""What the desk says of itself: nothing by which a model could tell that it is tested."""

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022

VERSION_HEADER, METHOD_HEADER, NAME_HEADER = "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"

COMPLETE = {"resultType": "complete", "_meta": {SERVER_KEY: SERVER}}
"""What every result has since 2026-07-28."""

STALE = {"ttlMs": 0, "cacheScope": "private"}
"""For results that a client may keep: not at all, because a desk may be asked before it has its tools."""

Number = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
"""A whole number that is the same in every language."""

_encode = msgspec.json.Encoder().encode


class McpParams(msgspec.Struct, frozen=True):
    """What the methods of this server take; everything else is ignored."""

    name: Any = None
    arguments: Any = None
    version: Any = msgspec.field(default=None, name="protocolVersion")
    meta: Any = msgspec.field(default=None, name="_meta")


NONE = McpParams()


class McpMessage(msgspec.Struct, frozen=True):
    """A request, or a notification if it has no id."""

    jsonrpc: Literal["2.0"]
    method: str
    id: Number | str | msgspec.UnsetType = msgspec.UNSET
    params: McpParams | None = None


class McpFault(Exception):
    """A message that cannot be carried out."""

    def __init__(self, code: int, words: str, data: Any = None) -> None:
        super().__init__(words)
        self.code = code
        self.error = {"code": code, "message": words} | ({"data": data} if data else {})


def mcp_answer(request: DeskRequest, desk: ServedDesk) -> DeskAnswer:
    """The answer to one message; it never raises because of what the message is."""
    if request.method != "POST":
        return DeskAnswer(405, allow="POST")
    if len(request.body) > LARGEST_BODY:
        return _failed(413, McpFault(INVALID_REQUEST, f"at most {LARGEST_BODY:,} bytes are accepted"))
    try:
        message = _message(request.body)
    except McpFault as fault:
        return _failed(400, fault)
    if _is_modern(request.headers, message):
        return _modern(request.headers, message, desk)
    return _handshake(message, desk)


def _message(body: bytes) -> McpMessage:
    try:
        return from_json(body, McpMessage)
    except msgspec.ValidationError as error:
        words = "a batch is not accepted; send one message" if body.lstrip()[:1] == b"[" else str(error)
        raise McpFault(INVALID_REQUEST, words) from None
    except msgspec.DecodeError as error:
        raise McpFault(PARSE_ERROR, str(error)) from None


def _is_modern(headers: CIMultiDictProxy[str], message: McpMessage) -> bool:
    """Whether a message is of the era without a handshake; one with any sign of it has to obey its rules."""
    version = headers.get(VERSION_HEADER)
    if version is not None and version not in HANDSHAKES:
        return True
    meta = (message.params or NONE).meta
    return message.method != "initialize" and isinstance(meta, dict) and VERSION_KEY in meta


def _handshake(message: McpMessage, desk: ServedDesk) -> DeskAnswer:
    """The answer up to 2025-11-25. A fault has status 200: a 404 would mean that a session is over."""
    if message.id is msgspec.UNSET:
        return DeskAnswer(202)
    params = message.params or NONE
    try:
        match message.method:
            case "tools/call":
                result = _called(params, desk)
            case "tools/list":
                result = _listed(desk)
            case "initialize":
                result = _initialized(params, desk)
            case "ping":
                result = {}
            case _:
                raise McpFault(METHOD_NOT_FOUND, "Method not found")
    except McpFault as fault:
        return _failed(200, fault, message.id)
    return _done(message.id, result)


def _modern(headers: CIMultiDictProxy[str], message: McpMessage, desk: ServedDesk) -> DeskAnswer:
    """The answer since 2026-07-28."""
    params = message.params or NONE
    try:
        if message.id is msgspec.UNSET:
            _check_version(headers.get(VERSION_HEADER, ""))
            return DeskAnswer(202)
        _check_envelope(headers, message, params)
        match message.method:
            case "tools/call":
                result = _called(params, desk) | COMPLETE
            case "tools/list":
                result = _listed(desk) | STALE | COMPLETE
            case "server/discover":
                result = {"supportedVersions": MODERN} | _about(desk) | STALE | COMPLETE
            case _:
                raise McpFault(METHOD_NOT_FOUND, "Method not found")
    except McpFault as fault:
        return _failed(404 if fault.code == METHOD_NOT_FOUND else 400, fault, message.id)
    return _done(message.id, result)


def _check_envelope(headers: CIMultiDictProxy[str], message: McpMessage, params: McpParams) -> None:
    """Raise a fault if a request lacks what every request has to say, or says two things."""
    meta = params.meta if isinstance(params.meta, dict) else {}
    version = meta.get(VERSION_KEY)
    if not isinstance(version, str) or not isinstance(meta.get(CAPABILITIES_KEY), dict):
        raise McpFault(INVALID_PARAMS, f"params._meta needs {VERSION_KEY} and {CAPABILITIES_KEY}")
    expected = {VERSION_HEADER: version, METHOD_HEADER: message.method}
    if message.method == "tools/call" and isinstance(params.name, str):
        expected[NAME_HEADER] = params.name
    for name, value in expected.items():
        sent = headers.getall(name, ())
        if len(sent) != 1 or (_plain(sent[0]) if name == NAME_HEADER else sent[0]) != value:
            raise McpFault(HEADER_MISMATCH, f"the header {name} is not what the message says")
    _check_version(version)


def _check_version(version: str) -> None:
    if version not in MODERN:
        asked = {"supported": MODERN, "requested": readable(version)}
        raise McpFault(UNSUPPORTED_VERSION, "Unsupported protocol version", asked)


def _plain(value: str) -> str | None:
    """A header's text; one that a header cannot hold comes in base64, with marks around it."""
    if not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return b64decode(value[9:-2], validate=True).decode()
    except (binascii.Error, ValueError):
        return None


def _called(params: McpParams, desk: ServedDesk) -> dict[str, Any]:
    """What a tool returned, as a model is sent it. Also a tool that does not exist is noted at the desk."""
    if not isinstance(params.name, str):
        raise McpFault(INVALID_PARAMS, "params.name has to be the name of a tool")
    result = desk.call(params.name, call_arguments(params.arguments))
    return {"content": [{"type": "text", "text": result.text}], "isError": not result.ok}


def _listed(desk: ServedDesk) -> dict[str, Any]:
    tools = desk.tools.values()
    return {
        "tools": [{"name": one.name, "description": one.about, "inputSchema": one.schema} for one in tools]
    }


def _initialized(params: McpParams, desk: ServedDesk) -> dict[str, Any]:
    """The answer to a handshake: the client's version if it is known here, or the newest."""
    if not isinstance(params.version, str):
        raise McpFault(INVALID_PARAMS, "params.protocolVersion has to be a version")
    version = params.version if params.version in HANDSHAKES else HANDSHAKES[-1]
    return {"protocolVersion": version, "serverInfo": SERVER} | _about(desk)


def _about(desk: ServedDesk) -> dict[str, Any]:
    told = {"instructions": desk.instructions} if desk.instructions else {}
    return {"capabilities": {"tools": {}}} | told


def _done(number: Any, result: dict[str, Any]) -> DeskAnswer:
    return DeskAnswer(200, _encode({"jsonrpc": "2.0", "id": number, "result": result}))


def _failed(status: int, fault: McpFault, number: Any = None) -> DeskAnswer:
    number = None if number is msgspec.UNSET else number
    return DeskAnswer(status, _encode({"jsonrpc": "2.0", "id": number, "error": fault.error}))
