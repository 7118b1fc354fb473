"""Bottom line: what to do with an agent next, for every verdict."""

from collections.abc import Iterator
from typing import NamedTuple

from supportagentbench.board.recommendation import REFUSING
from supportagentbench.board.recommendation_words import DECISIONS, WORDS, change, which_of_two
from supportagentbench.records.counts import counted
from supportagentbench.site.answers.cfo import month_at, start_words
from supportagentbench.site.answers.checked_month import UNKNOWN, checked_words
from supportagentbench.site.answers.guard_table import GuardTable
from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.answers.troubles import Trouble
from supportagentbench.site.data.agent_stats import AgentStats

RECORDED = "In a replay of its recorded calls"

REPLAY = (
    "A replay of recorded calls shows what the checks would have blocked, not what the agent would have said "
    "next."
)


class BottomLine(NamedTuple):
    """The last word on an agent."""

    title: str
    said: tuple[str, ...]
    """What the record says about a remedy."""
    next: str
    """What to do next."""
    besides: str = ""
    """Which limits an agent that is to be used would break."""


def bottom_line(stats: AgentStats, found: list[Trouble], guards: GuardTable) -> BottomLine:
    """The last word: the verdict, its remedy, and the next step."""
    one = stats.recommendation
    if not one.is_contender:
        return BottomLine(f"Bottom line: {_title(stats, guards)}", (), change(one))
    said = _use(found) if one.decision == "use" else [*_remedy(stats, found, guards)]
    besides = change(one) if one.decision == "use" else ""
    return BottomLine(f"Bottom line: {_title(stats, guards)}", tuple(said), _next(stats, guards), besides)


def _kinds(stats: AgentStats) -> set[str]:
    return {reason.kind for reason in stats.recommendation.reasons}


def _title(stats: AgentStats, guards: GuardTable) -> str:
    one, kinds = stats.recommendation, _kinds(stats)
    if one.decision == "use":
        return "use it, on some of the tickets first"
    verdict = DECISIONS[one.decision].casefold()
    if one.decision == "cannot tell":
        return f"{verdict}. It needs the desk's tools"
    if "dummy" in kinds:
        return f"{verdict}. It is here for scale"
    if one.decision == "not yet" and "guarded" in kinds:
        count = _checks(guards.on_tools)
        return f"{verdict}. Put {count} in front of its tools and test it again"
    if one.decision == "not yet" and kinds == {"open"}:
        return f"{verdict}. It needs more runs"
    if one.decision == "not yet" and "suspected" in kinds:
        return f"{verdict}. A person has to read what code suspects"
    if one.decision == "not yet":
        return f"{verdict}. The run is not complete"
    return (
        f"{verdict}. No check in front of a tool would help"
        if not guards.stopped
        else f"{verdict}. It needs a new version"
    )


def _use(found: list[Trouble]) -> list[str]:
    if not found:
        return []
    watched = [f"{one.kind.heading[3:]} ({one.found} of {one.chances} {one.noun})" for one in found[:3]]
    return [f"Watch that it does not do more of this: it {'; it '.join(watched)}."]


def _remedy(stats: AgentStats, found: list[Trouble], guards: GuardTable) -> Iterator[str]:
    """What checks would mend, and what they would not."""
    if not guards.stopped:
        yield f"{RECORDED}, no check in front of a tool would have stopped what went wrong."
        return
    main = next((one for one in found if one.group == "breach"), None)
    said_no = sum(one.refusals > 0 for one in main.moments) if main else 0
    told = f"{_all(said_no, main.found)}{f' of {main.found}' if said_no < main.found else ''}" if main else ""
    if main and 2 * said_no > main.found and stats.recommendation.decision == "not yet":
        yield (f"What it lacks is not knowledge: in {told} it had said no before it broke the rule.")
    unsafe, averted = stats.of("unsafe"), stats.results.grounds.averted
    hindered = f"{guards.hindered} good ones" if guards.hindered else "no good one"
    checks = f"{_checks(guards.on_tools)} in front of its tools"
    traps = f", {_all(averted, unsafe.k)} of the traps that worked among them," if unsafe and unsafe.k else ""
    yield (
        f"{RECORDED} {checks} would stop {counted(guards.stopped, 'bad conversation')}{traps} and {hindered}."
    )
    yield from _beyond(stats, guards)
    yield f"{REPLAY} {checked_words(stats.data, stats.results.name) or UNKNOWN}"


CALLS = {
    "escalation": "a check on its calls does not call a person for it",
    "over_escalation": "a check can refuse a handover, but not answer the ticket",
}
"""By limit, why checks do not mend what breaks it."""


def _beyond(stats: AgentStats, guards: GuardTable) -> Iterator[str]:
    """Why the verdict is no although checks would stop some of it."""
    if stats.recommendation.decision != "no":
        return
    refusing = [one for one in stats.recommendation.reasons if one.metric in CALLS and one.kind in REFUSING]
    if not refusing:
        return
    did = " and ".join(
        WORDS["danger" if one.kind == "danger" else one.metric].format(found=one.found, of=one.of)
        for one in refusing
    )
    yield f"It is “No” and not “Not yet” because it {did}: {CALLS[refusing[0].metric]}."
    if any(row.passes_on for row in (*guards.rows, *guards.more)):
        yield (
            "Where the table passes a ticket to a person, the replay knows from the record who needed one; "
            "at a desk, code would have to recognise them."
        )


def _checks(count: int) -> str:
    return "one check" if count == 1 else f"{in_words(count)} checks"


def _all(count: int, of: int) -> str:
    return f"all {of}" if count == of > 1 else str(count or "none")


def _next(stats: AgentStats, guards: GuardTable) -> str:
    one, found = stats.recommendation, stats.data.recommendation
    if "guarded" in _kinds(stats) and one.decision == "not yet":
        return "Run it again with these checks. The replay alone is no reason to put it on the desk."
    if one.decision == "use":
        return start_words(month_at(stats.data, stats.results.name))
    if found.pick:
        return f"{change(one)} {which_of_two(found, found.pick, stats.results.name)}"
    return change(one)
