"""MCP: both eras give an agent the same tools, the same words and the same record as any other door."""

import base64
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multidict import CIMultiDict, CIMultiDictProxy

from conversations import CASES
from outside import CASE, ORDER, Seated, in_json, message, modern, modern_headers, request, seat
from supportagentbench.desk.doors.exchange import LARGEST_BODY, DeskAnswer, DeskRequest
from supportagentbench.desk.doors.mcp import CAPABILITIES_KEY, HANDSHAKES, MODERN, VERSION_KEY, mcp_answer
from supportagentbench.desk.doors.reception import Reception
from supportagentbench.desk.session import MOST_CALLS, MOST_SURPLUS, REFUSALS, DeskSession

CANCEL = {"name": "cancel_order", "arguments": {"order": ORDER, "reason": "late"}}


@pytest.fixture
def seated() -> Seated:
    return seat(Reception())


def told(answer: DeskAnswer) -> Any:
    found = json.loads(answer.body)
    assert answer.kind == "application/json" and found["jsonrpc"] == "2.0"
    return found


def sent(seated: Seated, given: Mapping[str, Any], **headers: str) -> DeskAnswer:
    """What a message is answered; one of the new era with its headers, some of them changed."""
    is_modern = VERSION_KEY in ((given.get("params") or {}).get("_meta") or {})
    right = modern_headers(given) if is_modern else {}
    changed = {name.replace("_", "-"): value for name, value in headers.items()}
    kept = {name: value for name, value in (right | changed).items() if value}
    return mcp_answer(request(in_json(given), kept), seated.visit)


def result(answer: DeskAnswer) -> Any:
    assert answer.status == 200, answer
    return told(answer)["result"]


def fault(answer: DeskAnswer, number: Any = 1) -> tuple[int, int]:
    found = told(answer)
    assert found["id"] == number and "result" not in found and found["error"]["message"]
    return answer.status, found["error"]["code"]


both = pytest.mark.parametrize("written", [message, modern])


@pytest.mark.parametrize(
    ("asked", "version"),
    [*zip(HANDSHAKES, HANDSHAKES, strict=True), (MODERN[0], "2025-11-25"), ("2024-10-07", "2025-11-25")],
)
def test_a_handshake_agrees_on_a_version_and_tells_the_instructions(
    seated: Seated, asked: str, version: str
) -> None:
    params = {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    found = result(sent(seated, message("initialize", params)))
    assert found["protocolVersion"] == version
    assert found["instructions"] == CASES.desk_for(CASE).instructions
    assert found["capabilities"] == {"tools": {}} and found["serverInfo"]["name"] == "desk"


def test_the_new_era_discovers_the_same_without_a_handshake(seated: Seated) -> None:
    found = result(sent(seated, modern("server/discover")))
    assert found["supportedVersions"] == [*MODERN]
    assert found["instructions"] == CASES.desk_for(CASE).instructions
    assert (found["resultType"], found["ttlMs"], found["cacheScope"]) == ("complete", 0, "private")
    assert found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "desk"


def test_a_handshake_is_one_even_in_the_envelope_of_the_new_era(seated: Seated) -> None:
    asked = modern("initialize", {"protocolVersion": "2025-06-18"})
    found = result(mcp_answer(request(in_json(asked)), seated.visit))
    assert found["protocolVersion"] == "2025-06-18"


def test_before_the_first_turn_there_is_nothing_to_tell() -> None:
    visit = Reception().admit()
    asked = request(in_json(message("initialize", {"protocolVersion": "2025-06-18"})))
    assert "instructions" not in result(mcp_answer(asked, visit))
    assert result(mcp_answer(request(in_json(message("tools/list"))), visit)) == {"tools": []}
    late = result(mcp_answer(request(in_json(message("tools/call", CANCEL))), visit))
    assert late["isError"] and late["content"][0]["text"] == REFUSALS["late"]


@both
def test_every_tool_is_listed_as_a_model_is_told_of_it(seated: Seated, written: Any) -> None:
    found = result(sent(seated, written("tools/list")))
    specs = [
        {"name": tool.spec.name, "description": tool.spec.about, "inputSchema": tool.spec.schema}
        for tool in CASES.desk_for(CASE).tools.values()
    ]
    assert found["tools"] == specs and "nextCursor" not in found
    assert ("ttlMs" in found) == (written is modern)


@both
def test_a_call_returns_the_very_text_that_a_model_in_our_tool_loop_gets(
    seated: Seated, written: Any
) -> None:
    here = DeskSession(CASES.desk_for(CASE)).open_turn()
    for tool, arguments in (
        ("find_order", {"order": ORDER}),
        ("find_order", {"order": "#9"}),
        ("reship", {"order": ORDER, "line": 1, "reason": "because"}),
        ("read_policy", {}),
    ):
        found = result(sent(seated, written("tools/call", {"name": tool, "arguments": arguments})))
        same = here.call(tool, arguments)
        assert found["content"] == [{"type": "text", "text": same.text}]
        assert found["isError"] is not same.ok
        assert seated.calls()[-1] == (tool, arguments)
        assert ("resultType" in found) == (written is modern)


@both
def test_a_tool_that_does_not_exist_is_refused_in_words_and_recorded(seated: Seated, written: Any) -> None:
    found = result(sent(seated, written("tools/call", {"name": "fly", "arguments": {"to": "moon"}})))
    assert found["isError"] and "There is no tool 'fly'" in found["content"][0]["text"]
    assert seated.calls() == [("fly", {"to": "moon"})]


@both
def test_a_call_after_the_reply_is_refused_in_the_sessions_words_and_noted(
    seated: Seated, written: Any
) -> None:
    seated.close()
    found = result(sent(seated, written("tools/call", CANCEL)))
    assert found["isError"] and found["content"][0]["text"] == REFUSALS["late"]
    (noted,) = seated.session.end().listed
    assert (noted.tool, noted.arguments, noted.why) == ("cancel_order", CANCEL["arguments"], "late")


def test_calls_without_end_are_refused_and_end_the_turn(seated: Seated) -> None:
    texts = []
    for _ in range(MOST_CALLS + MOST_SURPLUS + 1):
        assert not seated.visit.overran.is_set()
        found = result(sent(seated, message("tools/call", {"name": "read_policy"})))
        texts.append(found["content"][0]["text"])
    assert set(texts[MOST_CALLS:]) == {REFUSALS["surplus"]} and REFUSALS["surplus"] not in texts[:MOST_CALLS]
    assert seated.visit.overran.is_set()


@pytest.mark.parametrize(
    ("arguments", "recorded"),
    [
        (None, {}),
        ("order=#1", "order=#1"),
        ([1], "[1]"),
        (7, "7"),
        ({"order": [[]] * 3}, {"order": [[], [], []]}),
    ],
)
def test_arguments_that_are_no_object_are_recorded_as_what_they_are(
    seated: Seated, arguments: Any, recorded: Any
) -> None:
    found = result(sent(seated, message("tools/call", {"name": "find_order", "arguments": arguments})))
    assert found["isError"] and seated.calls() == [("find_order", recorded)]


def test_deep_arguments_are_text_and_deeper_ones_no_message(seated: Seated) -> None:
    deep = (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_order","arguments":{"order":'
    )
    found = result(mcp_answer(request(deep + b"[" * 300 + b"]" * 300 + b"}}}"), seated.visit))
    assert found["isError"] and seated.calls() == [("find_order", "(nested too deeply)")]
    answer = mcp_answer(request(deep + b"[" * 50_000 + b"]" * 50_000 + b"}}}"), seated.visit)
    assert fault(answer, None) == (400, -32700)


@both
@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/cancelled", "tools/call"])
def test_notifications_are_accepted_and_do_nothing(seated: Seated, written: Any, method: str) -> None:
    note = written(method, CANCEL)
    del note["id"]
    assert sent(seated, note) == DeskAnswer(202)
    assert seated.calls() == []


def test_a_ping_is_answered_before_the_new_era_only(seated: Seated) -> None:
    assert result(sent(seated, message("ping", number="p"))) == {}
    assert fault(sent(seated, modern("ping"))) == (404, -32601)


@pytest.mark.parametrize(
    "method", ["server/discover", "resources/list", "prompts/list", "logging/setLevel", ""]
)
def test_what_the_handshake_era_does_not_know_is_no_method(seated: Seated, method: str) -> None:
    assert fault(sent(seated, message(method))) == (200, -32601)


@pytest.mark.parametrize("method", ["initialize", "prompts/list", "subscriptions/listen", "TOOLS/LIST"])
def test_what_the_new_era_does_not_know_is_not_found(seated: Seated, method: str) -> None:
    found = sent(seated, modern(method), Mcp_Protocol_Version=MODERN[0])
    assert fault(found) == (404, -32601)


@both
@pytest.mark.parametrize("name", [None, 7, ["find_order"]])
def test_a_call_needs_a_name(seated: Seated, written: Any, name: Any) -> None:
    status = 400 if written is modern else 200
    found = sent(seated, written("tools/call", {"name": name}), Mcp_Name="")
    assert fault(found) == (status, -32602) and seated.calls() == []


@pytest.mark.parametrize("params", [None, {}, {"protocolVersion": 1}])
def test_a_handshake_needs_a_version(seated: Seated, params: Any) -> None:
    assert fault(sent(seated, message("initialize", params))) == (200, -32602)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS", "HEAD"])
def test_only_post_is_answered(seated: Seated, method: str) -> None:
    assert mcp_answer(request(b"", method=method), seated.visit) == DeskAnswer(405, allow="POST")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', -32700),
        (b'{"more":' + b"[" * 100_000, -32700),
        (b"[" * 100_000, -32600),
        (b"[]", -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
        (b'"ping"', -32600),
        (b"{}", -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":' + b"9" * 4_000 + b',"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', -32600),
    ],
)
def test_what_is_no_message_is_told_so(seated: Seated, body: bytes, code: int) -> None:
    assert fault(mcp_answer(request(body), seated.visit), None) == (400, code)


def test_a_body_that_is_too_large_is_not_read(seated: Seated) -> None:
    fits = in_json(message("ping")).ljust(LARGEST_BODY)
    assert result(mcp_answer(request(fits), seated.visit)) == {}
    assert fault(mcp_answer(request(fits + b" "), seated.visit), None) == (413, -32600)


@pytest.mark.parametrize("meta", [{}, {VERSION_KEY: MODERN[0]}, {CAPABILITIES_KEY: {}}, 7, None])
def test_the_new_era_needs_its_envelope(seated: Seated, meta: Any) -> None:
    asked = message("tools/list", {"_meta": meta})
    headers = {"Mcp-Protocol-Version": MODERN[0], "Mcp-Method": "tools/list"}
    assert fault(mcp_answer(request(in_json(asked), headers), seated.visit)) == (400, -32602)


@pytest.mark.parametrize(
    "changed",
    [
        {"Mcp_Protocol_Version": ""},
        {"Mcp_Protocol_Version": "2025-11-25"},
        {"Mcp_Method": ""},
        {"Mcp_Method": "tools/list"},
        {"Mcp_Method": "TOOLS/CALL"},
        {"Mcp_Name": ""},
        {"Mcp_Name": "find_order"},
        {"Mcp_Name": "=?base64?!?="},
        {"Mcp_Name": "=?base64?/w==?="},
        {"Mcp_Name": "=?base64?Y2FuY2Vs!X29yZGVy?="},
        {"Mcp_Name": "\udcff"},
    ],
)
def test_headers_that_say_something_else_are_refused_and_nothing_is_done(
    seated: Seated, changed: dict[str, str]
) -> None:
    assert fault(sent(seated, modern("tools/call", CANCEL), **changed)) == (400, -32020)
    assert seated.calls() == []


def test_a_header_that_comes_twice_is_refused(seated: Seated) -> None:
    asked = modern("tools/list")
    headers = CIMultiDict(modern_headers(asked))
    headers.add("mcp-method", "tools/list")
    answer = mcp_answer(DeskRequest("POST", CIMultiDictProxy(headers), in_json(asked)), seated.visit)
    assert fault(answer) == (400, -32020)


def test_a_name_that_no_header_can_hold_comes_in_base64(seated: Seated) -> None:
    wrapped = f"=?base64?{base64.b64encode('größer'.encode()).decode()}?="
    found = result(sent(seated, modern("tools/call", {"name": "größer"}), Mcp_Name=wrapped))
    assert found["isError"] and seated.calls() == [("größer", {})]


@pytest.mark.parametrize("version", ["v999", "2026-12-01"])
def test_a_version_that_is_not_spoken_here_is_told_which_are(seated: Seated, version: str) -> None:
    asked = message("tools/list", {"_meta": {VERSION_KEY: version, CAPABILITIES_KEY: {}}})
    headers = {"Mcp-Protocol-Version": version, "Mcp-Method": "tools/list"}
    answer = mcp_answer(request(in_json(asked), headers), seated.visit)
    assert fault(answer) == (400, -32022)
    assert told(answer)["error"]["data"] == {"supported": [*MODERN], "requested": version}
    note = in_json({"jsonrpc": "2.0", "method": "notifications/cancelled"})
    assert fault(mcp_answer(request(note, headers), seated.visit), None) == (400, -32022)


def test_a_version_header_may_be_any_bytes(seated: Seated) -> None:
    note = in_json({"jsonrpc": "2.0", "method": "notifications/cancelled"})
    answer = mcp_answer(request(note, {"Mcp-Protocol-Version": "\udcff"}), seated.visit)
    assert fault(answer, None) == (400, -32022)


KEYS = ("jsonrpc", "id", "method", "params", "name", "arguments", "_meta", "protocolVersion")
words = st.sampled_from([*KEYS, VERSION_KEY, CAPABILITIES_KEY]) | st.sampled_from(
    ["2.0", "tools/call", "tools/list", "initialize", "find_order", MODERN[0], "2025-11-25"]
)
leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9) | words
trees = st.recursive(
    leaves,
    lambda part: st.lists(part, max_size=4) | st.dictionaries(words | st.text(max_size=3), part, max_size=6),
    max_leaves=20,
)
messages = st.builds(
    lambda method, params, extra: {"jsonrpc": "2.0", "id": 1, "method": method, "params": params} | extra,
    words,
    trees,
    st.dictionaries(words, leaves, max_size=2),
)
headers = st.dictionaries(
    st.sampled_from(["Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"]),
    words | st.text(max_size=5),
    max_size=3,
)


@given(body=st.binary() | (trees | messages).map(in_json), sent_headers=headers)
def test_any_bytes_are_answered_with_a_message_or_accepted(body: bytes, sent_headers: dict[str, str]) -> None:
    answer = mcp_answer(request(body, sent_headers), seat(Reception()).visit)
    if answer.status == 202:
        assert not answer.body
        return
    found = told(answer)
    assert answer.status in (200, 400, 404)
    assert ("error" in found) != ("result" in found)
    assert answer.status == 200 or "error" in found
