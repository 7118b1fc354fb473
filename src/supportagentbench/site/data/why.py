"""Why: what was wrong in a conversation, as a sentence that a support manager would write.

A check's own reason names tools and fields. Where the record tells what was done and what was due, the
sentence says that instead; everything else is told in the words of the catalogue.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from supportagentbench.checks.actions import TICKET_STATE, calls_of
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.change import Change, Essentials, essence
from supportagentbench.records.finding import Finding
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.vocabulary import CLOSE_TICKET, Vocabulary
from supportagentbench.site.data.case_record import names_in, one_line
from supportagentbench.site.data.moment import call_of
from supportagentbench.site.naming import spaced

_ACTED = {
    "forbidden": "It went on to {act}, which the policy forbids here{rules}.",
    "held": "It went on to {act}, which the policy forbids here{rules}.",
    "premature": "It went on to {act} before it knew what decides that{rules}.",
    "late_handover": "It handed over only after it had gone on to {act}{rules}.",
    "unconfirmed": "It went on to {act} before the customer had said yes.",
    "unrequested": "It went on to {act}, which the customer had not asked for.",
    "attempted_forbidden": "It tried to {act}, which the policy forbids here{rules}; the tool refused.",
    "attempted_unrequested": "It tried to {act}, which the customer had not asked for; the tool refused.",
    "unchecked": "It chose to {act} without having looked up what decides that.",
    "unchecked_beyond": "It chose to {act} without having looked up what decides that.",
    "near_miss": "It happened to be right to {act}: what decides that had not been looked up.",
}
"""By check about an act, the sentence."""

_DONE = {
    "escalated": "It never handed the case over, although a rule gives it to a person.",
    "over_escalated": "It handed over a ticket that it could have settled.",
    "waived_proof": "It asked for a photo, got none, and sent the goods all the same.",
}
"""By check about the whole conversation, the sentence."""

LONGEST_VALUE = 60
"""The most characters of a value in a sentence."""


def why(finding: Finding, transcript: Transcript, vocabulary: Vocabulary) -> str:
    """Why a finding counts against the agent; the catalogue's words if the record tells no more."""
    check = finding.check
    if check in ("resolved", "closed_unresolved", "given_away") or finding.act == CLOSE_TICKET:
        wrong = "; ".join(differences(transcript, vocabulary))
        closed = finding.act == CLOSE_TICKET
        if wrong and closed:
            return f"It closed the ticket although this was not right: {wrong}."
        if wrong:
            return f"{_first(wrong)}."
        return "It closed the ticket before everything was settled." if closed else f"It {finding.reason}."
    if check in _DONE:
        return _DONE[check]
    made = call_of(transcript, finding)
    act = finding.act or (made.call.tool if made else "")
    verb = vocabulary.by_act.get(act)
    if check not in _ACTED or verb is None:
        return _in_general(finding)
    rules = f" (rule {', '.join(finding.rules)})" if finding.rules else ""
    return _ACTED[check].format(act=verb.title, rules=rules)


def _in_general(finding: Finding) -> str:
    """What the catalogue says of such a finding, and the words that it is based on."""
    based = f": “{finding.quote}”" if finding.quote else f" ({finding.reason})"
    return f"It {CATALOGUE[finding.check].clause}{based}."


def _first(words: str) -> str:
    return words[:1].upper() + words[1:]


def differences(transcript: Transcript, vocabulary: Vocabulary) -> list[str]:
    """How the books differ from the nearest correct end, entry by entry; empty if they do not."""
    goods, names = vocabulary.views.essentials, names_seen(transcript)
    done = _last(change for made in calls_of(transcript) for change in made.call.result.changes)
    ends = [_last(end.changes) for end in transcript.label.outcomes]
    found = [list(_compared(done, end, goods, names)) for end in ends]
    return min(found, key=len, default=[])


Entries = dict[tuple[str, str, str], Change]


def _last(changes: Iterable[Change]) -> Entries:
    """The last change of every entry, without bookkeeping and the ticket itself."""
    kept = (one for one in changes if not one.is_bookkeeping and one.place != TICKET_STATE)
    return {change.place: change for change in kept}


def _compared(
    done: Entries, end: Entries, goods: Essentials | None, names: Mapping[str, str]
) -> Iterator[str]:
    for place, due in end.items():
        entry = f"the {spaced(due.field)} of {due.key}"
        if place not in done:
            yield f"{entry} never changed"
        elif essence(done[place].after, goods) != essence(due.after, goods):
            yield f"{entry}: {_instead(done[place].after, due.after, goods, names)}"
    for place, change in done.items():
        if place not in end:
            yield f"the {spaced(change.field)} of {change.key} changed, which was not due"


def _instead(done: Any, due: Any, goods: Essentials | None, names: Mapping[str, str]) -> str:
    """A value next to the one that was due; of goods, only what is too much or missing."""
    have, want = goods_in(done, goods), goods_in(due, goods)
    if have is None or want is None:
        return f"{_short(done)} instead of {_short(due)}"
    extra, lacking = listed(have - want, names), listed(want - have, names)
    if extra and lacking:
        return f"{extra} instead of {lacking}"
    return f"{extra} more than was due" if extra else f"{lacking} missing"


def goods_in(value: Any, goods: Essentials | None) -> Counter[str] | None:
    """How many of which goods; None if the value holds none."""
    if goods is None or not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        return None
    _, item, quantity = goods
    found: Counter[str] = Counter()
    for one in value:
        if not isinstance(one.get(quantity), int):
            return None
        found[str(one.get(item))] += one[quantity]
    return found


def listed(some: Counter[str], names: Mapping[str, str]) -> str:
    return ", ".join(f"{count} × {names.get(code, code)}" for code, count in sorted(some.items()))


def names_seen(transcript: Transcript) -> dict[str, str]:
    """The names of goods that look-ups showed, by every code."""
    found: dict[str, str] = {}
    for facts in (made.call.result.facts for made in calls_of(transcript)):
        found |= names_in(facts) if isinstance(facts, dict) else {}
    return found


def _short(value: Any) -> str:
    text = one_line(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"
