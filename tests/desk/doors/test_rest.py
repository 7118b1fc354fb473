"""REST: the same desk, one path for each tool, described so that programs can call it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations import CASES
from outside import CASE, ORDER, Seated, in_json, request, seat
from supportagentbench.desk.doors.exchange import LARGEST_BODY, DeskAnswer
from supportagentbench.desk.doors.reception import Reception
from supportagentbench.desk.doors.rest import rest_answer
from supportagentbench.desk.session import REFUSALS, DeskSession

BASE = "http://127.0.0.1:1/desk/token"


@pytest.fixture
def seated() -> Seated:
    return seat(Reception())


def ask(seated: Seated, path: str, body: bytes | None = None) -> DeskAnswer:
    """GET without a body, POST with one."""
    asked = request(body or b"", method="GET" if body is None else "POST")
    return rest_answer(asked, path, seated.visit, BASE)


def call(seated: Seated, tool: str, body: bytes) -> tuple[int, Any]:
    answer = ask(seated, f"tools/{tool}", body)
    return answer.status, json.loads(answer.body)


def test_a_call_returns_the_text_that_a_model_gets_and_what_it_says(seated: Seated) -> None:
    here = DeskSession(CASES.desk_for(CASE)).open_turn().call("find_order", {"order": ORDER})
    status, found = call(seated, "find_order", in_json({"order": ORDER}))
    assert (status, found) == (200, {"ok": True, "text": here.text, "result": here.facts})
    assert seated.calls() == [("find_order", {"order": ORDER})]


def test_a_refusal_is_an_answer(seated: Seated) -> None:
    status, found = call(seated, "find_order", in_json({"order": "#9"}))
    assert status == 200 and not found["ok"] and found["result"] is None
    assert "There is no order '#9'" in found["text"]


def test_no_body_means_no_arguments(seated: Seated) -> None:
    assert call(seated, "read_policy", b"")[1]["ok"]
    assert seated.calls() == [("read_policy", {})]


@pytest.mark.parametrize(
    ("tool", "body", "status", "recorded"),
    [
        ("fly", b'{"to":"moon"}', 404, {"to": "moon"}),
        ("fly/../find_order", b"{}", 404, {}),
        ("", b"{}", 404, {}),
        ("find_order", b"order=#1", 400, "order=#1"),
        ("find_order", b"[1]", 400, "[1]"),
        ("find_order", b"\xff", 400, "\ufffd"),
        ("find_order", b'{"order":' + b"[" * 99 + b"]" * 99 + b"}", 400, "(nested too deeply)"),
        ("find_order", b"[" * 9_999, 400, "[" * 9_999),
    ],
)
def test_what_is_no_call_is_refused_and_noted(
    seated: Seated, tool: str, body: bytes, status: int, recorded: Any
) -> None:
    found = call(seated, tool, body)
    assert found[0] == status and found[1]["ok"] is False and found[1]["text"]
    ((name, arguments),) = seated.calls()
    assert (name, arguments) == (tool, recorded)


def test_a_call_after_the_reply_is_refused_and_noted(seated: Seated) -> None:
    seated.close()
    status, found = call(seated, "cancel_order", in_json({"order": ORDER, "reason": "late"}))
    assert (status, found["text"]) == (200, REFUSALS["late"])
    (noted,) = seated.session.end().listed
    assert (noted.tool, noted.why) == ("cancel_order", "late")


def test_instructions_and_tools_are_what_every_agent_is_told(seated: Seated) -> None:
    desk = DeskSession(CASES.desk_for(CASE)).open_turn()
    answer = ask(seated, "instructions")
    assert answer.kind == "text/plain; charset=utf-8" and answer.body.decode() == desk.instructions
    assert json.loads(ask(seated, "tools").body) == [
        {"name": tool.name, "about": tool.about, "schema": tool.schema} for tool in desk.tools.values()
    ]


def test_the_description_has_a_path_for_each_tool_and_for_usage(seated: Seated) -> None:
    found = json.loads(ask(seated, "openapi.json").body)
    assert found["openapi"] == "3.1.0" and found["servers"] == [{"url": BASE}]
    tools = CASES.desk_for(CASE).tools
    assert set(found["paths"]) == {"/usage", *(f"/tools/{name}" for name in tools)}
    for name, tool in tools.items():
        (post,) = found["paths"][f"/tools/{name}"].values()
        assert post["operationId"] == name and post["description"] == tool.spec.about
        assert post["requestBody"]["content"]["application/json"]["schema"] == tool.spec.schema
    usage = found["paths"]["/usage"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert usage["required"] == ["input_tokens", "output_tokens"]


def test_usage_goes_to_the_desk_as_the_agents(seated: Seated) -> None:
    body = in_json({"model": "m", "input_tokens": 5, "output_tokens": 2, "role": "judge"})
    assert ask(seated, "usage", body) == DeskAnswer(204)
    (noted,) = seated.session.close_turn().usage
    assert (noted.model, noted.role, noted.input, noted.output, noted.step) == ("m", "agent", 5, 2, 1)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b'{"model":"m"}',
        b'{"input_tokens":-1}',
        b'{"input_tokens":1.5}',
        b'{"input_tokens":"many"}',
        b'{"input_tokens":' + b"9" * 30 + b"}",
        b'{"input_tokens":' + b"[" * 9_000 + b"]" * 9_000 + b"}",
    ],
)
def test_usage_that_cannot_be_true_is_refused(seated: Seated, body: bytes) -> None:
    answer = ask(seated, "usage", body)
    assert answer.status == 400 and "usage" in json.loads(answer.body)["error"]
    assert seated.session.close_turn().usage == ()


def test_usage_needs_a_turn_and_reports_are_bounded(seated: Seated) -> None:
    body = in_json({"input_tokens": 1})
    early = rest_answer(request(body), "usage", Reception().admit(), BASE)
    assert early.status == 400 and "no turn has begun" in early.body.decode()
    codes = [ask(seated, "usage", body).status for _ in range(1_001)]
    assert codes == [204] * 1_000 + [400]
    seated.close()
    seated.visit.take((), seated.session.open_turn(3))
    assert ask(seated, "usage", body).status == 204


@pytest.mark.parametrize(
    ("path", "method", "right"),
    [
        ("tools", "POST", "GET"),
        ("instructions", "DELETE", "GET"),
        ("openapi.json", "POST", "GET"),
        ("tools/find_order", "GET", "POST"),
        ("usage", "GET", "POST"),
    ],
)
def test_other_methods_are_told_the_right_one(seated: Seated, path: str, method: str, right: str) -> None:
    answer = rest_answer(request(b"", method=method), path, seated.visit, BASE)
    assert answer == DeskAnswer(405, allow=right) and seated.calls() == []


def test_a_body_that_is_too_large_is_not_read(seated: Seated) -> None:
    assert ask(seated, "tools/find_order", b" " * (LARGEST_BODY + 1)).status == 413
    assert seated.calls() == []


@given(body=st.binary(), tool=st.text(max_size=9) | st.just("find_order"))
def test_any_bytes_are_answered(body: bytes, tool: str) -> None:
    seated = seat(Reception())
    status, found = call(seated, tool, body)
    assert status in (200, 400, 404) and set(found) == {"ok", "text", "result"}
    assert len(seated.calls()) == 1
