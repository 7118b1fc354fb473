"""A conversation so far as messages: what was heard before is not told again, and calls come one by one."""

from supportagentbench.desk.told_turns import told_turns
from supportagentbench.models import Message, ToolRequest
from supportagentbench.records.sender import Sender
from supportagentbench.records.transcript import Attachment, ToolCall, ToolResult, Turn

FOUND = ToolCall("find_order", {"order": "#1101"}, ToolResult.of({"status": "sent"}))
WRONG = ToolCall("reship", "no object", ToolResult.refused("It is no JSON object."))
TALK = (
    Turn("customer", "Where is it?", sender=Sender("Ada", "ada@example.net")),
    Turn("agent", "On its way.", calls=(FOUND, WRONG)),
    Turn("customer", "Look!", attachments=(Attachment("a.jpg", "photo", "a crack"),)),
)


def test_what_others_did_is_told_as_the_model_s_own() -> None:
    assert list(told_turns(TALK)) == [
        Message("user", "From: Ada <ada@example.net>\n\nWhere is it?"),
        Message("assistant", calls=(ToolRequest("call_1_0", "find_order", {"order": "#1101"}),)),
        Message("tool", '{"status":"sent"}', answers="call_1_0"),
        Message("assistant", calls=(ToolRequest("call_1_1", "reship", "no object"),)),
        Message("tool", "It is no JSON object.", answers="call_1_1"),
        Message("assistant", "On its way."),
        Message("user", "Look!\n\n[Attached photo a.jpg: a crack]"),
    ]


def test_only_what_is_new_is_told() -> None:
    assert list(told_turns(TALK, 2)) == list(told_turns(TALK))[-1:]
    assert list(told_turns(TALK, 3)) == []


def test_a_reply_that_others_began_has_no_words_yet() -> None:
    begun = (*TALK, Turn("agent", "", calls=(FOUND,)))
    assert [one.role for one in told_turns(begun, 3)] == ["assistant", "tool"]
