"""Board answer: which agents are safe enough to try, in a sentence, with the evidence for it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from supportagentbench.board.shortlist import LeftOut, Shortlist, shortlist
from supportagentbench.board.standings import is_ranked
from supportagentbench.records.board import AgentResults, Board
from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.answers.prose.words import listed
from supportagentbench.site.answers.takes import AgentTake, count_words, figures, take
from supportagentbench.site.number import percent, value_text

SHOWN = 4
"""How many agents of a shortlist group are shown; the rest are folded."""

LONGEST_TITLE = 100
"""A longer title counts the agents instead of naming them."""

WITHIN, OUTSIDE = "Within the limits", "Outside the limits, but ahead on something"

LIMIT_WORDS = {
    "unsafe": "unsafe actions in at most {} of traps",
    "over_escalation": "needless handovers of at most {} of solvable tickets",
    "escalation": "at most {} of escalations missed",
}


class LimitField(NamedTuple):
    """A limit that the reader may set."""

    key: str
    """Its name in links."""
    column: str
    """The column of the table that it is about."""
    words: str
    unit: str
    most: str
    """The default; empty: none."""


class Omission(NamedTuple):
    """An agent that is not on the shortlist, and why."""

    agent: AgentResults
    reason: str


class TakeGroup(NamedTuple):
    """A part of the shortlist."""

    title: str
    takes: tuple[AgentTake, ...]

    @property
    def shown(self) -> tuple[AgentTake, ...]:
        return self.takes[:SHOWN]

    @property
    def folded(self) -> tuple[AgentTake, ...]:
        return self.takes[SHOWN:]


class BoardAnswer(NamedTuple):
    """What the top of the board says."""

    title: str
    lead: str
    rule: str
    """What safe enough means."""
    doubt: str
    """Why perhaps no agent is; empty if one surely is, or if none is as measured."""
    groups: tuple[TakeGroup, ...]
    """The shortlist: agents within the limits, then those outside them but ahead on something."""
    omissions: tuple[Omission, ...]
    shortlist: Shortlist


def board_answer(
    board: Board,
    slugs: Mapping[str, str],
    *,
    is_linked: bool = True,
    verdicts: Mapping[str, str] | None = None,
) -> BoardAnswer:
    """The answer of this board, with the reports' verdicts; no links if there is nothing to open."""
    found = shortlist(board)

    def taken(agent: AgentResults) -> AgentTake:
        return AgentTake(
            agent,
            _words(agent, found),
            figures(agent, slugs[agent.name] if is_linked else ""),
            (verdicts or {}).get(agent.name, ""),
        )

    groups = ((WITHIN, found.within), (OUTSIDE, found.ahead))
    return BoardAnswer(
        _title(board, found),
        _lead(board, found),
        _rule(found),
        _doubt(found),
        tuple(TakeGroup(title, tuple(map(taken, agents))) for title, agents in groups if agents),
        tuple(Omission(one.agent, _reason(one)) for one in found.left_out),
        found,
    )


def _words(agent: AgentResults, found: Shortlist) -> str:
    words = take(agent, found.contenders, found.limits)
    cover = found.covers.get(agent.name)
    return f"{words} {cover.name} is at least as good on every figure." if cover else words


def limit_fields(found: Shortlist, board: Board) -> list[LimitField]:
    """The limits that a reader may set: for measured metrics, and for cost if any is known."""
    columns = {
        "unsafe": ("u", "unsafe", "Unsafe actions"),
        "over_escalation": ("o", "over", "Needless handovers"),
        "escalation": ("m", "acc", "Missed escalations"),
    }
    fields = [LimitField(*columns[metric], "%", f"{100 * most:.0f}") for metric, most in found.limits.items()]
    if fields and any(agent.of("cost") for agent in board.agents):
        fields.append(LimitField("c", "cost", "Cost per 1,000", "$", ""))
    return fields


def _title(board: Board, found: Shortlist) -> str:
    if not board.agents:
        return "No agent has been run yet"
    if not found.contenders:
        if any(is_ranked(agent) and agent.is_part for agent in board.agents):
            return "Only a part of the cases was run, so no agent is suggested"
        return "No agent is ranked, so none is suggested"
    if "unsafe" not in found.limits:
        return "Without traps, no agent can be called safe"
    names = [agent.name for agent in found.within]
    if len(found.contenders) == 1:
        verdict = "is" if names else "is not"
        return f"{found.contenders[0].name} {verdict} safe enough to try"
    if not names:
        return f"None of {in_words(len(found.contenders))} agents is safe enough to try"
    verb = "is" if len(names) == 1 else "are"
    title = f"{count_words(len(names), len(found.contenders))} agents {verb} safe enough to try"
    named = f"{title}: {listed(names)}"
    return named if len(named) <= LONGEST_TITLE else title


def _lead(board: Board, found: Shortlist) -> str:
    """A description of the first choice, and whether tests separate the choices."""
    if not found.contenders or "unsafe" not in found.limits:
        return ""
    parts = []
    if best := next(iter(found.within), None):
        words = take(best, found.contenders, found.limits)
        parts.append(f"{best.name}: {words[:1].lower()}{words[1:]}")
    if len(found.within) > 1:
        parts.append(_separation(board, found.within))
    return " ".join(parts)


def _separation(board: Board, agents: Sequence[AgentResults]) -> str:
    names = {agent.name for agent in agents}
    tests = [
        claim for claim in board.claims if claim.kind == "beats" and {claim.subject, claim.other} <= names
    ]
    if not tests:
        return "They were not compared by tests."
    holding = [claim for claim in tests if claim.holds]
    if not holding:
        who = listed([agent.name for agent in agents])
        who = who if len(who) <= LONGEST_TITLE else f"these {in_words(len(names))}"
        return f"Tests find no significant difference between {who}."
    # A sentence that begins with a number would be read as part of the sentence before it.
    verb = "is" if len(holding) == 1 else "are"
    return f"Between them, {len(holding)} of {len(tests)} tests {verb} significant."


def _doubt(found: Shortlist) -> str:
    """A note if no agent is surely within the limits."""
    if not found.within or found.surely_within:
        return ""
    unsafe = found.within[0].of("unsafe")
    outer = (unsafe.new_cases_interval or unsafe.rerun_interval) if unsafe else None
    if unsafe is None or outer is None:
        return ""
    return (
        "No agent is within the limits by the upper end of its likely range: "
        f"{unsafe.k} unsafe actions in {unsafe.n} traps can still mean {percent(outer.high, unsafe.n)}."
    )


def _rule(found: Shortlist) -> str:
    if not found.limits:
        return ""
    return f"Safe enough here, as measured: {limit_words(found.limits)}. These are the limits."


def limit_words(limits: Mapping[str, float]) -> str:
    """Limits as part of a sentence."""
    return listed([LIMIT_WORDS[metric].format(percent(most, 1)) for metric, most in limits.items()])


def _reason(one: LeftOut) -> str:
    if one.covered_by is None:
        return f"reckless: unsafe actions in {value_text(one.agent.of('unsafe'))} of traps"
    return f"outside the limits, and {one.covered_by.name} is at least as good on every figure"
