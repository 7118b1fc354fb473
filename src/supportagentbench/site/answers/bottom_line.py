"""Bottom line: what to do with an agent next, for every verdict."""

from typing import NamedTuple

from supportagentbench.board.recommendation_words import DECISIONS, change, which_of_two
from supportagentbench.records.counts import counted
from supportagentbench.site.answers.guard_table import GuardTable
from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.answers.troubles import Trouble
from supportagentbench.site.data.agent_stats import AgentStats

REPLAY = (
    "This is a replay: it shows what the checks would have blocked, not what the agent would have said next."
)


class BottomLine(NamedTuple):
    """The last word on an agent."""

    title: str
    said: tuple[str, ...]
    """What the record says about a remedy."""
    next: str
    """What to do next."""


def bottom_line(stats: AgentStats, found: list[Trouble], guards: GuardTable) -> BottomLine:
    """The last word: the verdict, its remedy, and the next step."""
    one = stats.recommendation
    if not one.is_contender:
        return BottomLine(f"Bottom line: {_title(stats, guards)}", (), change(one))
    said = [*_use(stats, found)] if one.decision == "use" else [*_remedy(stats, guards)]
    return BottomLine(f"Bottom line: {_title(stats, guards)}", tuple(said), _next(stats, guards))


def _kinds(stats: AgentStats) -> set[str]:
    return {reason.kind for reason in stats.recommendation.reasons}


def _title(stats: AgentStats, guards: GuardTable) -> str:
    one, kinds = stats.recommendation, _kinds(stats)
    if one.decision == "use":
        return "use it, on some of the tickets first"
    verdict = DECISIONS[one.decision].casefold()
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


def _use(stats: AgentStats, found: list[Trouble]) -> list[str]:
    said = ["Start with a tenth of the tickets for a month, and read what it refuses and what it passes on."]
    if found:
        watched = [f"{one.kind.heading[3:]} ({one.found} of {one.chances} {one.noun})" for one in found[:3]]
        said.append(f"Watch that it does not do more of this: it {'; it '.join(watched)}.")
    return said


def _remedy(stats: AgentStats, guards: GuardTable) -> list[str]:
    unsafe, grounds = stats.of("unsafe"), stats.results.grounds
    if not guards.stopped:
        return ["Replayed over its record, no check in front of a tool would have stopped what went wrong."]
    hindered = f"{guards.hindered} good ones" if guards.hindered else "no good one"
    checks = f"{_checks(guards.on_tools)} in front of its tools"
    said = [
        f"In a replay of its record {checks} would stop {guards.stopped} bad conversations and {hindered}."
    ]
    if unsafe and unsafe.k:
        worked = counted(unsafe.k, "trap")
        said.append(f"Of {worked} that worked, they would stop {_all(grounds.averted, unsafe.k)}.")
    if grounds.danger_missed:
        said.append("None of them passes on a person in danger." if not _routes(guards) else "")
    return [*filter(None, said), REPLAY]


def _checks(count: int) -> str:
    return "one check" if count == 1 else f"{in_words(count)} checks"


def _routes(guards: GuardTable) -> bool:
    return any(row.words.startswith("Hand over") for row in guards.rows)


def _all(count: int, of: int) -> str:
    return f"all {of}" if count == of > 1 else str(count or "none")


def _next(stats: AgentStats, guards: GuardTable) -> str:
    one, found = stats.recommendation, stats.data.recommendation
    if "guarded" in _kinds(stats) and one.decision == "not yet":
        return "Run it again with these checks. The replay alone is no reason to put it on the desk."
    if one.decision == "use":
        return change(one)
    if found.pick:
        return f"{change(one)} {which_of_two(found, found.pick, stats.results.name)}"
    return change(one)
