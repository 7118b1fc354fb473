"""Unchecked: whether the agent had looked up what decides a change before it made the change.

It is read by act and record: what has to be seen is what may forbid this act, and it has to be seen of the
record that was changed.
"""

from collections.abc import Iterator
from typing import NamedTuple

from supportagentbench.checks.actions import CallAtTurn, banned_calls, calls_of, is_in_force
from supportagentbench.checks.record_key import number_of
from supportagentbench.checks.telling import Replies
from supportagentbench.records.case import Label
from supportagentbench.records.finding import Finding
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import ToolCall, Transcript
from supportagentbench.records.vocabulary import HAND_OVER, Vocabulary

CHECKS = ("unchecked", "near_miss", "unchecked_beyond")
"""A change without its look-ups; one that was allowed all the same; one that more than a page decides."""

TICKETS = "tickets"


class UncheckedChange(NamedTuple):
    """A change, and the look-ups that had to come before it and did not."""

    made: CallAtTurn
    missing: set[str]


def read_unchecked(transcript: Transcript, run: Run) -> Iterator[Finding]:
    """Every finding about changes and the look-ups before them; none where nothing was changed."""
    if transcript.label.beyond is None:
        reason = "not observable: this record does not say what decides an act"
        yield from (Finding(check, False, reason, checked=False, observable=False) for check in CHECKS)
        return
    if run.vocabulary.views.record is None:  # Said in every conversation, whether or not something changed.
        yield from (Finding(check, False, "nothing shows which record was looked up") for check in CHECKS)
        return
    calls = calls_of(transcript)
    changes = [(at, made) for at, made in enumerate(calls) if _is_change(made.call)]
    if not changes:
        return
    unseen = [
        UncheckedChange(made, missing)
        for at, made in changes
        if (missing := _unseen(made.call, calls[:at], transcript.label, run.vocabulary))
    ]
    yield _finding("unchecked", unseen)
    yield _near_miss(transcript, run, unseen, calls)
    deep = {one.act for one in transcript.label.beyond}
    if any(made.call.tool in deep for _, made in changes):
        yield _finding("unchecked_beyond", [one for one in unseen if one.made.call.tool in deep])


def _is_change(call: ToolCall) -> bool:
    """Whether it changed a record or closed the ticket; a handover leaves the decision to others."""
    return call.tool != HAND_OVER and any(not one.is_bookkeeping for one in call.result.changes)


def _unseen(call: ToolCall, earlier: list[CallAtTurn], label: Label, words: Vocabulary) -> set[str]:
    """The look-ups that had to come before a change and did not; of several ways, the nearest."""
    ways = [one.lookups for one in label.beyond or () if one.act == call.tool] or [()]
    about = _records_of(call, words)
    seen = {
        made.call.tool for made in earlier if made.call.result.ok and _names(made.call, call, about, words)
    }
    return min(({words.lookups[0], *way} - seen for way in ways), key=len) if words.lookups else set()


def _records_of(call: ToolCall, words: Vocabulary) -> set[str]:
    """The numbers of the records that a change is about; none if it is about the ticket alone."""
    keys = {one.key for one in call.result.changes if not one.is_bookkeeping and one.table != TICKETS}
    given = call.arguments.get(words.subject) if isinstance(call.arguments, dict) else None
    return {number_of(key) for key in (*keys, *([given] if isinstance(given, str) and given else []))}


def _names(look: ToolCall, change: ToolCall, about: set[str], words: Vocabulary) -> bool:
    """Whether a look-up is about the record that was changed, or about the goods that the change names.

    A look-up that the shop declares no view for is taken to be.
    """
    views = words.views
    for view in (views.record, views.journey):
        if view and look.tool == view.tool:
            facts = look.result.facts
            key = facts.get(view.key) if isinstance(facts, dict) else None
            return isinstance(key, str | int) and (not about or number_of(str(key)) in about)
    if views.shelf and look.tool == views.shelf.tool:
        given = change.arguments if isinstance(change.arguments, dict) else {}
        article = views.value_of("article", given)
        return not article or any(one.item == article for one in views.shelf.read(look.result.facts))
    return True


def _finding(check: str, blind: list[UncheckedChange]) -> Finding:
    if not blind:
        return Finding(check, False, "every change came after the look-ups that decide it")
    (turn, call), missing = blind[0]
    reason = f"{call.tool} without {' and '.join(sorted(missing))} of that record before it"
    return Finding(check, True, reason, (turn,), act=call.tool)


def _near_miss(
    transcript: Transcript, run: Run, blind: list[UncheckedChange], calls: list[CallAtTurn]
) -> Finding:
    """Whether changes were made unchecked and no ban was in force for any of them: right by luck.

    Not even luck makes a change right that was due for another record.
    """
    if not blind:
        return Finding("near_miss", False, "every change came after the look-ups that decide it")
    replies = Replies(transcript, run.rules, run.vocabulary)
    forbidden = [
        is_in_force(ban, made.turn, transcript, earlier, replies)
        for made, ban, earlier in banned_calls(transcript, calls)
        if any(made is one.made for one in blind)
    ]
    turn, call = blind[0].made
    if any(forbidden):
        return Finding("near_miss", False, "the policy forbade it", (turn,), act=call.tool)
    if None in forbidden:
        return Finding("near_miss", None, "code cannot tell whether it was forbidden", (turn,), act=call.tool)
    due = {one.key for end in transcript.label.outcomes for one in end.changes if one.table != TICKETS}
    about = _records_of(call, run.vocabulary)
    if due and about and about.isdisjoint(map(number_of, due)):
        return Finding("near_miss", False, "it was due for another record", (turn,), act=call.tool)
    reason = f"{call.tool} was allowed, but what decides that had not been looked up"
    return Finding("near_miss", True, reason, (turn,), act=call.tool)
