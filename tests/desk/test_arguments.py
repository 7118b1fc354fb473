"""Arguments are recorded whole if they are of a size that a tool could use, and by their start otherwise."""

import msgspec
import pytest

from supportagentbench.desk.arguments import (
    LARGEST,
    LARGEST_TURN,
    LONGEST_TEXT,
    MOST_VALUES,
    CutArguments,
    as_arguments,
    short_arguments,
)
from supportagentbench.desk.session import LONGEST_NAME, DeskSession
from supportagentbench.records.transcript import LONGEST_REFUSAL, ToolResult
from supportagentbench.world.drawn_cases import DrawnCases

TEXT = LARGEST - len('{"text":""}')


@pytest.fixture
def session(cases: DrawnCases) -> DeskSession:
    return DeskSession(cases.desk_for(cases.cases["damaged_no_proof-1"]))


def test_their_size_is_what_they_are_in_json() -> None:
    given = {"text": "x" * TEXT}
    assert as_arguments(given) == (given, LARGEST)
    assert as_arguments({"text": "x" * TEXT + "x"}) == (
        ('{"text":"' + "x" * LARGEST)[:LONGEST_TEXT],
        LARGEST + 1,
    )
    assert as_arguments(CutArguments("y" * 9_000, 15_000_000)) == ("y" * LONGEST_TEXT, 15_000_000)
    assert short_arguments({"text": "x" * 5_000}) == ('{"text":"' + "x" * 5_000)[:LONGEST_TEXT]


def test_a_call_with_too_large_arguments_is_refused_on_record(session: DeskSession) -> None:
    refused = session.open_turn().call("read_policy", {"text": "x" * (TEXT + 1)})
    (call,) = session.close_turn().calls
    assert not refused.ok and refused == call.result
    assert refused.refusal.startswith(
        "Not carried out: the arguments have 200,001 bytes; 200,000 are allowed"
    )
    assert len(str(call.arguments)) == LONGEST_TEXT


def test_so_is_one_that_makes_a_turn_too_large(session: DeskSession) -> None:
    desk = session.open_turn()
    results = [desk.call("find_order", {"text": "x" * TEXT}) for _ in range(8)]
    within = LARGEST_TURN // LARGEST
    assert all("Not carried out" not in one.refusal for one in results[:within])
    assert all("Not carried out" in one.refusal for one in results[within:])
    assert desk.call("read_policy", {}).refusal, "nothing is left of this turn"
    session.close_turn()
    assert session.open_turn().call("read_policy", {}).ok


def test_a_tool_has_no_endless_name(session: DeskSession) -> None:
    session.open_turn().call("x" * 15_000_000, {})
    (call,) = session.close_turn().calls
    assert call.tool == "x" * LONGEST_NAME and len(call.result.refusal) < 2_000


@pytest.mark.parametrize("part", [[], {}, 0, "", [0, [0]]])
def test_arguments_of_many_values_are_kept_as_text(part: object) -> None:
    few, many = {"a": [part] * 200}, {"a": [part] * MOST_VALUES}
    assert as_arguments(few)[0] == few
    assert as_arguments(many) == (repr(many)[:LONGEST_TEXT], len(msgspec.json.encode(many)))


def test_a_text_is_one_value_whatever_is_in_it() -> None:
    text = {"a": ",[{" * MOST_VALUES}
    assert as_arguments(text)[0] == text


def test_a_refusal_that_quotes_long_arguments_is_cut() -> None:
    assert ToolResult.refused("x" * 1_000_000).refusal == "x" * LONGEST_REFUSAL
