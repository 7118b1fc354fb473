"""Answers: four questions a desk owner asks, each answered by a rule that stands on its card."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from supportagentbench.board.badges import TIERS
from supportagentbench.board.metrics import METRICS
from supportagentbench.board.standings import is_ranked
from supportagentbench.records.board import AgentResults, Board, Estimate
from supportagentbench.site.data import ConversationRow
from supportagentbench.site.number import NONE, count_text, money, percent, span_text, value_text
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
    """A card: the question, the rule, who comes first by it, and who comes next."""

    title: str
    rule: str
    agent: str = ""
    figures: tuple[CardFigure, ...] = ()
    second: str = ""
    second_says: str = ""
    verdict: str = ""
    nobody: str = ""
    """Why nobody is named, if nobody is."""


Key = Callable[[AgentResults], tuple[float | str, ...]]


def answers(board: Board, rows: Iterable[ConversationRow] = ()) -> list[AnswerCard]:
    """The four cards; agents under the line are not looked at."""
    ranked = [entry for entry in board.agents if is_ranked(entry)]
    return [
        _least_handover(board, ranked),
        _least_unsafe(board, ranked),
        _never_misses(board, ranked),
        _least_change(board, ranked, flips(rows)),
    ]


def _least_handover(board: Board, entries: list[AgentResults]) -> AnswerCard:
    title = "Least handover"
    rule = (
        "The agent above the line with the least over-escalation; "
        "then the least unsafe actions, then the least cost."
    )
    known = [entry for entry in entries if entry.of("over_escalation")]
    if not known:
        return AnswerCard(title, rule, nobody="No run has a case that an agent could hand over needlessly.")
    order = sorted(known, key=_by("over_escalation", "unsafe", "cost"))
    return _answer(board, title, rule, order, ("over_escalation", "resolution"))


def _least_unsafe(board: Board, entries: list[AgentResults]) -> AnswerCard:
    title = "Least unsafe for the least money"
    rule = (
        "Of the agents above the line in the first cost tier that has any, the one with the least unsafe "
        "actions; then the least over-escalation, then the least cost."
    )
    tiers = [tier for tier in TIERS if any(entry.tier == tier for entry in entries)]
    known = [entry for entry in entries if tiers and entry.tier == tiers[0] and entry.of("unsafe")]
    if not known:
        return AnswerCard(title, rule, nobody="No agent's cost is known, so none has a tier.")
    order = sorted(known, key=_by("unsafe", "over_escalation", "cost"))
    return _answer(board, title, rule, order, ("unsafe", "over_escalation"))


def _never_misses(board: Board, entries: list[AgentResults]) -> AnswerCard:
    title = "Never misses a human case"
    rule = (
        "Of the agents above the line that handed over every must-escalate case in every run, the one with "
        "the least cost; then the least over-escalation."
    )
    known = [entry for entry in entries if (found := entry.of("escalation")) and _is_whole(found)]
    if not known:
        return AnswerCard(title, rule, nobody="Nobody: every agent kept at least one such case in some run.")
    order = sorted(known, key=_by("cost", "over_escalation"))
    return _answer(board, title, rule, order, ("escalation", "cost"))


def _is_whole(found: Estimate) -> bool:
    return found.value == 1 if found.k is None else found.k == found.n


def _least_change(
    board: Board, entries: list[AgentResults], changed: dict[str, tuple[int, int]]
) -> AnswerCard:
    title = "Least change from run to run"
    rule = (
        "Of the agents above the line with two runs or more, the one with the least share of cases whose "
        "runs do not all end alike; then the most resolution."
    )
    known = [entry for entry in entries if entry.name in changed]
    if not known:
        return AnswerCard(title, rule, nobody="It takes conversations of two runs or more of the same cases.")

    def share(entry: AgentResults) -> float:
        hits, cases = changed[entry.name]
        return hits / cases

    order = sorted(known, key=lambda entry: (share(entry), *_by("-resolution", "cost")(entry)))
    found = _answer(board, title, rule, order, ("resolution",))
    figure = _changed(*changed[order[0].name])
    says = f"{_changed(*changed[order[1].name]).text} of its cases" if len(order) > 1 else ""
    return found._replace(figures=(figure, *found.figures), second_says=says)


def _changed(hits: int, cases: int) -> CardFigure:
    low, high = exact(hits, cases)
    about = f"{hits}/{cases}, {percent(low)} to {percent(high)}"
    return CardFigure("Cases whose runs differ", percent(hits / cases, cases), about)


def flips(rows: Iterable[ConversationRow]) -> dict[str, tuple[int, int]]:
    """By agent, how many of the cases with several runs did not end alike in all of them."""
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


def _answer(
    board: Board, title: str, rule: str, order: Sequence[AgentResults], metrics: tuple[str, ...]
) -> AnswerCard:
    first = order[0]
    figures = tuple(_figure(first, metric) for metric in metrics)
    if len(order) == 1:
        return AnswerCard(title, rule, first.name, figures, verdict="Nobody else meets the rule.")
    second = order[1]
    says = f"{value_text(second.of(metrics[0]))}" if metrics[0] != "cost" else ""
    return AnswerCard(
        title, rule, first.name, figures, second.name, says, _verdict(board, first, second, metrics[0])
    )


def _figure(entry: AgentResults, metric: str) -> CardFigure:
    found = entry.of(metric)
    if found is None:
        reason = "no price was recorded" if metric == "cost" else "nothing to count"
        return CardFigure(TITLES[metric], NONE, reason)
    about = f"{count_text(found)}, {span_text(found, found.new_cases_interval or found.rerun_interval)}"
    if metric == "cost":
        return CardFigure("Cost of 1,000", money(found.mean), about, metric)
    return CardFigure(TITLES[metric], value_text(found), about, metric)


def _verdict(board: Board, first: AgentResults, second: AgentResults, metric: str) -> str:
    """A claim's own sentence where one holds; else that price decides, with both prices."""
    pair = {first.name, second.name}
    for claim in board.claims:
        is_beaten = claim.kind == "beats" and claim.metric == metric and claim.holds
        if is_beaten and {claim.subject, claim.other} == pair:
            return f"Told apart. {claim.sentence}"
    return f"Not told apart; {_price(first, second)}"


def _price(first: AgentResults, second: AgentResults) -> str:
    costs = {entry.name: found.mean for entry in (first, second) if (found := entry.of("cost"))}
    if len(costs) < 2:
        return "price decides, and is not known."
    for_whom = min(costs, key=lambda agent: costs[agent])
    return f"price decides, for {for_whom}: {' and '.join(map(money, costs.values()))} for 1,000."


def _by(*metrics: str) -> Key:
    """Entries in the order of these metrics, less first; a minus sign puts more first; unknown comes last."""

    def key(entry: AgentResults) -> tuple[float | str, ...]:
        values: list[float | str] = []
        for name in metrics:
            found = entry.of(name.removeprefix("-"))
            sign = -1 if name.startswith("-") else 1
            values.append(float("inf") if found is None else sign * _amount(found))
        return (*values, entry.name)

    return key


def _amount(found: Estimate) -> float:
    """What counts: the median run, but of costs the mean, which is what is paid."""
    return found.mean if found.metric == "cost" else found.value
