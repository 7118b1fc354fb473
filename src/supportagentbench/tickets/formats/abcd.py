"""ABCD: the Action-Based Conversations Dataset, a list of `[text, subflow]`.

A line of a text is the agent's (`SYS:`), the customer's (`USR:`) or a button that the agent pressed (`ACT:`),
as a sentence. The sentence stays the event's text; the act has the button's name and what was filled in.
"""

import re
from collections.abc import Iterator

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.records.ticket import TicketAct
from supportagentbench.tickets.export_file import Export, JsonRow, json_rows
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.ticket_draft import TicketDraft

_BUTTONS: tuple[tuple[str, str], ...] = (
    ("pull-up-account", r"Account has been pulled up for (?P<account>.*)\."),
    ("verify-identity", r"Identity verification in prog\w*ess \.\.\."),
    ("validate-purchase", r"Purchase validation in progress \.\.\."),
    ("subscription-status", r"Querying the system for subscription status \.\.\."),
    ("ask-the-oracle", r"Querying the system for an answer \.\.\."),
    ("search-faq", r"Searching the FAQ pages \.\.\."),
    ("select-faq", r"FAQ answer related to (?P<answer>.*) was selected\."),
    ("instructions", r"Agent is looking for solutions \.\.\."),
    ("update-order", r"Order has been updated with (?P<change>.*)\."),
    ("update-account", r"Account has been updated with (?P<change>.*)\."),
    ("offer-refund", r"A refund has been made for the amount of \$?(?P<amount>.*)\."),
    ("send-link", r"A link will be sent\."),
    ("promo-code", r"A promo code has been created\."),
    ("make-password", r"A password has been generated\."),
    ("enter-details", r"Details of (?P<details>.*?) ?have been entered\."),
    ("record-reason", r"A reason of (?P<reason>.*?) ?has been recorded\."),
    ("membership", r"Membership level of (?P<level>.*?) ?has been noted\."),
    ("shipping-status", r"Shipping status of (?P<status>.*?) ?has been noted\."),
    ("make-purchase", r"A purchase of (?P<product>.*) was made\."),
    ("notify-team", r"The (?P<team>.*?) ?has been notified\."),
    ("search", r"System Action: search (?P<topic>.*)"),
)
_PATTERNS = [(name, re.compile(pattern)) for name, pattern in _BUTTONS]
_LONGEST_ACT = 1_000


def read_abcd(export: Export) -> Iterator[RawTicket | DroppedRow]:
    """Every chat of these files."""
    for file in export.files:
        if file.data.lstrip()[:1] != b"[":
            raise Problem("is not a list of chats; give chats.json of ABCD.", place=file.path)
        for row in json_rows(file):
            yield from _chat(row)


def _chat(row: JsonRow) -> Iterator[RawTicket | DroppedRow]:
    try:
        text, subflow = row.read(tuple[str, str])
    except msgspec.MsgspecError as error:
        yield DroppedRow(row.place, f"not a text and a subflow ({error})")
        return
    draft = TicketDraft("abcd", "", row.place)
    draft.channel, draft.kind = "chat", subflow
    for number, line in enumerate(text.split("\n"), 1):
        place, sign, words = f"{row.place}, line {number}", line[:4], line[4:].strip()
        if sign == "SYS:":
            draft.says("human", place, plain=words, is_exact=True)
        elif sign == "USR:":
            draft.says("customer", place, plain=words, is_exact=True)
        elif sign == "ACT:":
            draft.does("human", _act(words), place, text=words)
        elif line.strip():
            draft.refuse("a chat with a line that is not SYS, USR or ACT")
    yield from draft.rows()


def _act(sentence: str) -> TicketAct:
    """The button that a sentence is about; a sentence that is not known is an unknown button."""
    if len(sentence) <= _LONGEST_ACT:
        for name, pattern in _PATTERNS:
            if found := pattern.fullmatch(sentence):
                values = {key: value.strip() for key, value in found.groupdict().items()}
                if name == "search":
                    return TicketAct(f"search-{values['topic'].replace(' ', '-')}")
                return TicketAct(name, {key: value for key, value in values.items() if value})
    return TicketAct("unknown button")
