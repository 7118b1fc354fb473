"""Outside: conversations at a desk as an agent elsewhere has them, without the agent."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from multidict import CIMultiDict, CIMultiDictProxy

from conversations import CASES
from supportagentbench.desk.doors.exchange import DeskRequest
from supportagentbench.desk.doors.mcp import CAPABILITIES_KEY, MODERN, VERSION_KEY
from supportagentbench.desk.doors.reception import Reception, Visit
from supportagentbench.desk.session import DeskSession
from supportagentbench.records.transcript import Turn

CASE = CASES.cases["tracking-2"]
ORDER = CASE.subject


class Seated(NamedTuple):
    """One conversation: its session, and what the reception knows of it."""

    session: DeskSession
    visit: Visit

    def close(self) -> None:
        """The agent has replied."""
        self.session.close_turn()

    def calls(self) -> list[tuple[str, Any]]:
        """What was carried out in the open turn."""
        turn = self.session.turn
        return [(call.tool, call.arguments) for call in turn.work().calls] if turn else []


def seat(reception: Reception, name: str = CASE.id) -> Seated:
    """A conversation about this case, in the agent's first turn."""
    case = CASES.cases[name]
    session, visit = DeskSession(CASES.desk_for(case)), reception.admit()
    visit.take((Turn("customer", case.opening, sender=case.sender),), session.open_turn())
    return Seated(session, visit)


def request(body: bytes, headers: Mapping[str, str] | None = None, method: str = "POST") -> DeskRequest:
    return DeskRequest(method, CIMultiDictProxy(CIMultiDict(headers or {})), body)


def message(method: str, params: Any = None, number: Any = 1) -> dict[str, Any]:
    """A message of the handshake era."""
    sent = {"jsonrpc": "2.0", "id": number, "method": method}
    return sent if params is None else sent | {"params": params}


def modern(method: str, params: Any = None, number: Any = 1) -> dict[str, Any]:
    """A message in the envelope of 2026-07-28."""
    meta = {VERSION_KEY: MODERN[0], CAPABILITIES_KEY: {}}
    return message(method, {**(params or {}), "_meta": meta}, number)


def modern_headers(sent: Mapping[str, Any]) -> dict[str, str]:
    """The headers that go with a message of 2026-07-28."""
    headers = {"Mcp-Protocol-Version": MODERN[0], "Mcp-Method": sent["method"]}
    if sent["method"] == "tools/call":
        headers["Mcp-Name"] = sent["params"]["name"]
    return headers


def in_json(content: Any) -> bytes:
    return msgspec.json.encode(content)
