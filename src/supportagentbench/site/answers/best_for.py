"""Best for: what an agent can be best for, each decided by the rule printed on its card."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from supportagentbench.board.badges import TIERS
from supportagentbench.board.shortlist import shortlist
from supportagentbench.records.board import AgentResults, Board, Estimate
from supportagentbench.site.answers.takes import TakeFigure
from supportagentbench.site.data.site_data import ConversationRow
from supportagentbench.site.number import money, percent, value_text
from supportagentbench.stats.rates import exact


class AnswerCard(NamedTuple):
    """A card: the question, the rule, the winner and the runner-up."""

    title: str
    rule: str
    first: AgentResults | None = None
    second: str = ""
    second_says: str = ""
    verdict: str = ""
    changed: TakeFigure | None = None
    """The deciding figure, if the rest of the board does not show it."""
    nobody: str = ""
    """Why no agent is named, if none is."""


Key = Callable[[AgentResults], tuple[float | str, ...]]


HEADING = "Best for…"
"""The heading above the cards."""

LEAST_HANDOVER = "Fewest needless handovers"
SAFEST = "Safest of the cheapest"
NEVER_MISSES = "Never misses an escalation"
MOST_CONSISTENT = "Most consistent between runs"

RULES = {
    LEAST_HANDOVER: "The agent within the limits with the fewest needless handovers, then the fewest unsafe "
    "actions, then the lowest cost.",
    SAFEST: "Of the agents within the limits in the lowest cost tier that has any, the one with the fewest "
    "unsafe actions, then the fewest needless handovers, then the lowest cost.",
    NEVER_MISSES: "Of the agents within the limits that escalated every must-escalate case in every run, "
    "the one with the fewest needless handovers, then the lowest cost.",
    MOST_CONSISTENT: "Of the agents within the limits with two runs or more, the one with the smallest share "
    "of cases whose outcome differs between runs, then the highest resolution.",
}
"""By the title of a card, the rule that chooses its agent: definitions, not claims."""


def answers(board: Board, rows: Iterable[ConversationRow] = ()) -> list[AnswerCard]:
    """The four cards, for agents within the limits; none with fewer than two to choose from."""
    within = list(shortlist(board).within)
    if len(within) < 2:
        return []
    return [
        _least_handover(board, within),
        _safest(board, within),
        _never_misses(board, within),
        _most_consistent(board, within, flips(rows)),
    ]


def _least_handover(board: Board, agents: list[AgentResults]) -> AnswerCard:
    known = [agent for agent in agents if agent.of("over_escalation")]
    if not known:
        return _nobody(
            LEAST_HANDOVER, "No agent within the limits had a case that it could hand over needlessly."
        )
    order = sorted(known, key=_by("over_escalation", "unsafe", "cost"))
    return _answer(board, LEAST_HANDOVER, order, "over_escalation")


def _safest(board: Board, agents: list[AgentResults]) -> AnswerCard:
    tiers = [tier for tier in TIERS if any(agent.tier == tier for agent in agents)]
    known = [agent for agent in agents if tiers and agent.tier == tiers[0] and agent.of("unsafe")]
    if not known:
        return _nobody(SAFEST, "No cost of an agent within the limits is known.")
    order = sorted(known, key=_by("unsafe", "over_escalation", "cost"))
    return _answer(board, SAFEST, order, "unsafe")


def _never_misses(board: Board, agents: list[AgentResults]) -> AnswerCard:
    known = [agent for agent in agents if (found := agent.of("escalation")) and _is_whole(found)]
    if not known:
        return _nobody(NEVER_MISSES, "None: every agent within the limits missed an escalation.")
    order = sorted(known, key=_by("over_escalation", "cost"))
    return _answer(board, NEVER_MISSES, order, "escalation")


def _is_whole(found: Estimate) -> bool:
    return found.value == 1 if found.k is None else found.k == found.n


def _most_consistent(
    board: Board, agents: list[AgentResults], changed: dict[str, tuple[int, int]]
) -> AnswerCard:
    known = [agent for agent in agents if agent.name in changed]
    if not known:
        return _nobody(MOST_CONSISTENT, "This needs two runs or more of the same cases.")

    def share(agent: AgentResults) -> float:
        hits, cases = changed[agent.name]
        return hits / cases

    order = sorted(known, key=lambda agent: (share(agent), *_by("-resolution", "cost")(agent)))
    found = _answer(board, MOST_CONSISTENT, order, "resolution")
    figure = _changed(*changed[order[0].name])
    says = f"{_changed(*changed[order[1].name]).text} of its cases" if len(order) > 1 else ""
    return found._replace(changed=figure, second_says=says)


def _nobody(title: str, reason: str) -> AnswerCard:
    return AnswerCard(title, RULES[title], nobody=reason)


def _changed(hits: int, cases: int) -> TakeFigure:
    low, high = exact(hits, cases)
    about = f"{hits} of {cases}, likely {percent(low, cases)} to {percent(high, cases)}"
    return TakeFigure("Cases whose runs differ", percent(hits / cases, cases), about)


def flips(rows: Iterable[ConversationRow]) -> dict[str, tuple[int, int]]:
    """By agent, in how many of its cases with several runs the outcome differs."""
    ends: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        if row.outcome.name != "outside":
            ends.setdefault(row.agent, {}).setdefault(row.case, []).append(row.outcome.name)
    found = {}
    for agent, cases in ends.items():
        repeated = [seen for seen in cases.values() if len(seen) > 1]
        if repeated:
            found[agent] = sum(len(set(seen)) > 1 for seen in repeated), len(repeated)
    return found


def _answer(board: Board, title: str, order: Sequence[AgentResults], metric: str) -> AnswerCard:
    first = order[0]
    if len(order) == 1:
        return AnswerCard(
            title, RULES[title], first, verdict="No other agent within the limits meets the rule."
        )
    second = order[1]
    says = "none missed" if title == NEVER_MISSES else value_text(second.of(metric))
    return AnswerCard(title, RULES[title], first, second.name, says, _verdict(board, first, second, metric))


def _verdict(board: Board, first: AgentResults, second: AgentResults, metric: str) -> str:
    """The claim's own sentence if one holds; otherwise no significant difference, with both prices."""
    pair = {first.name, second.name}
    for claim in board.claims:
        is_beaten = claim.kind == "beats" and claim.metric == metric and claim.holds
        if is_beaten and {claim.subject, claim.other} == pair:
            return claim.sentence
    return f"No significant difference between the two; {_price(first, second)}"


def _price(first: AgentResults, second: AgentResults) -> str:
    costs = {agent.name: found.value for agent in (first, second) if (found := agent.of("cost"))}
    if len(costs) < 2:
        return "prices are not known."
    lower, higher = sorted(costs.values())
    if lower == higher:
        return f"both cost {money(lower)} per 1,000."
    cheaper = min(costs, key=lambda name: costs[name])
    return f"{cheaper} costs less ({money(lower)} vs {money(higher)} per 1,000)."


def _by(*metrics: str) -> Key:
    """Agents by these metrics, lowest first (highest with a minus sign); unknown values come last."""

    def key(agent: AgentResults) -> tuple[float | str, ...]:
        values: list[float | str] = []
        for name in metrics:
            found = agent.of(name.removeprefix("-"))
            sign = -1 if name.startswith("-") else 1
            values.append(float("inf") if found is None else sign * found.value)
        return (*values, agent.name)

    return key
