"""Guards: rules that a shop can put in front of an agent's tools, replayed over the stored conversations.

A guard sees a call and the record before it, and allows or blocks the call. What it would have stopped, and
what it would only have hindered, is counted, not estimated. What is specific to a shop comes from its policy:
the bans and duties that the record has for each case.
"""

from collections.abc import Iterator
from typing import NamedTuple

from supportagentbench.checks.actions import CallAtTurn, banned_calls, calls_of, is_in_force
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.checks.check import ToolGuard
from supportagentbench.checks.confirmation import has_agreed
from supportagentbench.checks.issue import issues
from supportagentbench.checks.telling import Replies
from supportagentbench.language.reader import reader_of
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.records.vocabulary import HAND_OVER, Vocabulary
from supportagentbench.results.load import ScoredConversation
from supportagentbench.site.data.moment import handover_rules


class GuardHit(NamedTuple):
    """A conversation in which a guard would have blocked a call."""

    case: str
    agent: str
    run: int
    guard: ToolGuard
    tool: str
    rules: tuple[str, ...]
    """Rules of the policy that the guard enforces, if any."""
    is_stopped: bool
    """Whether the conversation has an issue that the guard is meant for; if not, it is hindered."""


def guard_hits(agent: str, conversation: ScoredConversation, header: Run) -> Iterator[GuardHit]:
    """Every guard that would have blocked a call in this conversation, without repeats."""
    transcript, verdict = conversation.filed.transcript, conversation.verdict
    if not verdict.counts or verdict.twin_of:
        return
    found = {guard for finding in issues(verdict) for guard in CATALOGUE[finding.check].stopped_by}
    seen = set()
    for guard, tool, rules in _refused(transcript, header):
        if (guard, rules) not in seen:
            seen.add((guard, rules))
            yield GuardHit(transcript.case, agent, transcript.run, guard, tool, rules, guard in found)


Refusal = tuple[ToolGuard, str, tuple[str, ...]]
"""A guard, the tool it blocks, and the rules of the policy that it enforces."""


def _refused(transcript: Transcript, header: Run) -> Iterator[Refusal]:
    calls, words = calls_of(transcript), header.vocabulary
    replies = Replies(transcript, header.rules, words)
    for made, ban, earlier in banned_calls(transcript, calls):
        if made.call.result.ok and is_in_force(ban, made.turn, transcript, earlier, replies):
            yield "policy", made.call.tool, ban.rules
    done: list[CallAtTurn] = []
    for made in calls:
        if made.call.result.ok:
            yield from _refused_call(transcript, made, done, words)
            done.append(made)
    handed = any(made.call.tool == HAND_OVER for made in done)
    if handed and transcript.label.handover == "forbidden":
        yield "no rule", HAND_OVER, tuple(rule.id for rule in header.rules if "over_escalated" in rule.checks)
    if not handed and transcript.bucket == "must_escalate" and (rules := handover_rules(transcript, header)):
        yield "route", HAND_OVER, tuple(rules)


def _refused_call(
    transcript: Transcript, made: CallAtTurn, done: list[CallAtTurn], words: Vocabulary
) -> Iterator[Refusal]:
    """The guards that need no policy, only the call and the record before it."""
    tool = made.call.tool
    if tool == HAND_OVER and not any(one.call.tool in words.lookups for one in done):
        yield "look first", tool, ()
    if tool == HAND_OVER and not any(_is_answer(turn) for turn in transcript.turns[: made.turn]):
        yield "answer first", tool, ()
    if tool not in words.writes:
        return
    if not has_agreed(made, transcript, reader_of(words)):
        yield "yes", tool, ()
    if any((one.call.tool, one.call.arguments) == (tool, made.call.arguments) for one in done):
        yield "once", tool, ()
    if not _is_own_record(transcript, made, done, words):
        yield "own record", tool, ()


def _is_answer(turn: Turn) -> bool:
    return turn.party == "agent" and bool(turn.text.strip())


def _is_own_record(
    transcript: Transcript, made: CallAtTurn, done: list[CallAtTurn], words: Vocabulary
) -> bool:
    """Whether the customer named this record, or the agent looked it up before changing anything."""
    given = made.call.arguments
    number = str(given.get(words.subject, "")) if isinstance(given, dict) else ""
    said = (turn.text for turn in transcript.turns[: made.turn] if turn.party == "customer")
    if not number or any(number.lstrip("#") in text for text in said):
        return True
    return any(number in one.call.result.text for one in done if one.call.tool in words.lookups)
