"""Desk score: what the checks that need no label find in the tickets of a real desk, by who answered them.

All texts in it are those of an import: pseudonymised, and without the words that no person has approved.
"""

from typing import Literal

from supportagentbench.records.amount import Count, TurnNumber
from supportagentbench.records.board import Interval
from supportagentbench.records.name import Id
from supportagentbench.records.record import Record

Answerer = Literal["bot", "human"]
"""Who answers customers, as tickets name them."""

Standing = Literal["counted", "to_check"]
"""Whether a finding counts, or is shown for a person to check and counts nowhere."""


class TicketShare(Record):
    """How many of the tickets in which something could be seen have it."""

    k: Count
    n: Count
    interval: Interval
    """For other tickets like these."""


class CheckScore(Record):
    """What one check found in the tickets of one side; a ticket is under exactly one of its fields."""

    check: str
    """By its name in the catalogue."""
    counted: TicketShare | None = None
    """Of the tickets in which a finding counts; None: there is none."""
    to_check: TicketShare | None = None
    """Of the tickets in which a finding is to be checked; None: there is none."""
    doubts: dict[str, Count] = {}
    """Why findings of `to_check` do not count, each with its tickets, found or not."""
    not_observable: dict[str, Count] = {}
    """Why the check can see nothing, each with its tickets."""


class TicketFinding(Record):
    """One finding in one ticket: the first of its check there."""

    check: str
    standing: Standing
    ticket: Id
    who: Answerer
    person: str
    """Who wrote it, by pseudonym; empty: the export does not say."""
    turn: TurnNumber
    """The place of the message among the events of the ticket, from 0."""
    why: str
    """What was found, in one sentence."""
    quote: str = ""
    """The words that it is based on; empty: it is based on what is not there."""
    doubt: str = ""
    """Why it does not count; empty if it counts."""
    asked: str = ""
    """The customer's last words before it, cut if they are long."""
    said: str = ""
    """The message around the quote, cut if it is long."""
    approved: bool = False
    """Whether a person has approved the ticket; otherwise doubtful words are hidden, here as well."""


class DeskSide(Record):
    """All tickets that people answered, or bots; or those that one of them answered."""

    who: Answerer
    person: str
    """One of them by pseudonym; empty: all of them together."""
    tickets: Count
    """In which this side wrote at least one message."""
    messages: Count
    counted: TicketShare
    """Tickets with at least one finding that counts."""
    to_check: TicketShare
    """Tickets with at least one finding to check."""
    checks: tuple[CheckScore, ...] = ()
    """The worst first; only for all of them together."""


class DeskScore(Record, tag_field="record", tag="desk_score/1"):
    """An import of real tickets, scored."""

    source: str
    """The desk that the tickets were exported from."""
    rights: str
    """Their licence or owner, as typed at the import."""
    tickets: Count
    """In the import."""
    unapproved: Count
    """Of those that were scored, how many no person has approved."""
    scored: Count
    left_out: dict[str, Count]
    """Tickets that were not scored, by reason."""
    world: str
    """Where the words for acts come from; empty: no map was given."""
    desk_map: str
    """Digest of the map; empty: none was given."""
    policy: str
    """Digest of the policy; empty: none was given."""
    sides: tuple[DeskSide, ...]
    """Bots and people, the worst first; after each, those of them that have a name, the worst first."""
    findings: tuple[TicketFinding, ...]
    """What to read first comes first. A bounded number of each check and side; `sides` has all counts."""
    not_looked: dict[str, str]
    """By check, why it was not made here: it needs a label, or what only a benchmark's world declares."""
    package: str
    notes: tuple[str, ...] = ()
    """Warnings for the reader."""
