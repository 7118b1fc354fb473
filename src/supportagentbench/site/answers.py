"""Answers: four questions of a desk owner, each answered by the rule printed on its card."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from supportagentbench.board.badges import TIERS
from supportagentbench.board.metrics import METRICS
from supportagentbench.board.standings import is_ranked
from supportagentbench.records.board import AgentResults, Board, Estimate
from supportagentbench.site.data import ConversationRow
from supportagentbench.site.number import NONE, count_text, interval_text, money, percent, value_text
from supportagentbench.stats.rates import exact

TITLES = {metric.name: metric.title for metric in METRICS}


class CardFigure(NamedTuple):
    """A number on a card."""

    title: str
    text: str
    about: str
    """Its count and interval."""
    metric: str = ""


class AnswerCard(NamedTuple):
    """A card: the question, the rule, the agent that comes first, and the runner-up."""

    title: str
    rule: str
    agent: str = ""
    figures: tuple[CardFigure, ...] = ()
    second: str = ""
    second_says: str = ""
    verdict: str = ""
    nobody: str = ""
    """Why no agent is named, if none is."""


Key = Callable[[AgentResults], tuple[float | str, ...]]


LEAST_HANDOVER = "Fewest needless handovers"
SAFEST = "Safest at the lowest price"
NEVER_MISSES = "Never misses an escalation"
MOST_CONSISTENT = "Most consistent between runs"

RULES = {
    LEAST_HANDOVER: "The ranked agent with the lowest over-escalation, then the fewest unsafe actions, then "
    "the lowest cost.",
    SAFEST: "Among ranked agents in the lowest cost tier that has any, the one with the fewest unsafe "
    "actions, then the lowest over-escalation, then the lowest cost.",
    NEVER_MISSES: "Among ranked agents that escalated every must-escalate case in every run, the one with "
    "the lowest cost, then the lowest over-escalation.",
    MOST_CONSISTENT: "Among ranked agents with two runs or more, the one with the smallest share of cases "
    "whose outcome differs between runs, then the highest resolution.",
}
"""By the title of a card, the rule that chooses its agent: definitions, not claims."""


def answers(board: Board, rows: Iterable[ConversationRow] = ()) -> list[AnswerCard]:
    """The four cards; agents that are not ranked are left out."""
    ranked = [agent for agent in board.agents if is_ranked(agent)]
    return [
        _least_handover(board, ranked),
        _safest(board, ranked),
        _never_misses(board, ranked),
        _most_consistent(board, ranked, flips(rows)),
    ]


def _least_handover(board: Board, agents: list[AgentResults]) -> AnswerCard:
    known = [agent for agent in agents if agent.of("over_escalation")]
    if not known:
        return _nobody(LEAST_HANDOVER, "These runs have no case that could be handed over needlessly.")
    order = sorted(known, key=_by("over_escalation", "unsafe", "cost"))
    return _answer(board, LEAST_HANDOVER, order, ("over_escalation", "resolution"))


def _safest(board: Board, agents: list[AgentResults]) -> AnswerCard:
    tiers = [tier for tier in TIERS if any(agent.tier == tier for agent in agents)]
    known = [agent for agent in agents if tiers and agent.tier == tiers[0] and agent.of("unsafe")]
    if not known:
        return _nobody(SAFEST, "No agent's cost is known, so none has a tier.")
    order = sorted(known, key=_by("unsafe", "over_escalation", "cost"))
    return _answer(board, SAFEST, order, ("unsafe", "over_escalation"))


def _never_misses(board: Board, agents: list[AgentResults]) -> AnswerCard:
    known = [agent for agent in agents if (found := agent.of("escalation")) and _is_whole(found)]
    if not known:
        return _nobody(NEVER_MISSES, "None: every agent missed at least one escalation in some run.")
    order = sorted(known, key=_by("cost", "over_escalation"))
    return _answer(board, NEVER_MISSES, order, ("escalation", "cost"))


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
    found = _answer(board, MOST_CONSISTENT, order, ("resolution",))
    figure = _changed(*changed[order[0].name])
    says = f"{_changed(*changed[order[1].name]).text} of its cases" if len(order) > 1 else ""
    return found._replace(figures=(figure, *found.figures), second_says=says)


def _nobody(title: str, reason: str) -> AnswerCard:
    return AnswerCard(title, RULES[title], nobody=reason)


def _changed(hits: int, cases: int) -> CardFigure:
    low, high = exact(hits, cases)
    about = f"{hits}/{cases}, {percent(low)} to {percent(high)}"
    return CardFigure("Cases whose runs differ", percent(hits / cases, cases), about)


def flips(rows: Iterable[ConversationRow]) -> dict[str, tuple[int, int]]:
    """By agent, in how many of the cases with several runs the outcome differs."""
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


def _answer(board: Board, title: str, order: Sequence[AgentResults], metrics: tuple[str, ...]) -> AnswerCard:
    first = order[0]
    figures = tuple(_figure(first, metric) for metric in metrics)
    if len(order) == 1:
        return AnswerCard(title, RULES[title], first.name, figures, verdict="No other agent meets the rule.")
    second = order[1]
    says = f"{value_text(second.of(metrics[0]))}" if metrics[0] != "cost" else ""
    return AnswerCard(
        title,
        RULES[title],
        first.name,
        figures,
        second.name,
        says,
        _verdict(board, first, second, metrics[0]),
    )


def _figure(agent: AgentResults, metric: str) -> CardFigure:
    found = agent.of(metric)
    if found is None:
        reason = "no price recorded" if metric == "cost" else "nothing to count"
        return CardFigure(TITLES[metric], NONE, reason)
    outer = found.new_cases_interval or found.rerun_interval
    about = f"{count_text(found)}, {interval_text(metric, outer, found.n)}"
    if metric == "cost":
        return CardFigure("Cost per 1,000", money(found.value), about, metric)
    return CardFigure(TITLES[metric], value_text(found), about, metric)


def _verdict(board: Board, first: AgentResults, second: AgentResults, metric: str) -> str:
    """The claim's own sentence if one holds; otherwise no significant difference, with both prices."""
    pair = {first.name, second.name}
    for claim in board.claims:
        is_beaten = claim.kind == "beats" and claim.metric == metric and claim.holds
        if is_beaten and {claim.subject, claim.other} == pair:
            return claim.sentence
    return f"No significant difference; {_price(first, second)}"


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
    """Agents by these metrics, lowest first; a minus sign puts the highest first; unknown is last."""

    def key(agent: AgentResults) -> tuple[float | str, ...]:
        values: list[float | str] = []
        for name in metrics:
            found = agent.of(name.removeprefix("-"))
            sign = -1 if name.startswith("-") else 1
            values.append(float("inf") if found is None else sign * found.value)
        return (*values, agent.name)

    return key
